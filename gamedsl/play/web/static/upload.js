// Rules that somebody brings: a text or a file, checked by the server; its faults are shown as the checker tells them.

import { html } from "./svg.js";

/** The form. `open(game)`: what happens with a ruleset that can be played. */
export function uploadForm(open) {
  const text = html("textarea", { rows: 12, cols: 80, spellcheck: "false", autocapitalize: "off", "aria-label": "the text of the ruleset" });
  const file = html("input", { type: "file", accept: ".gdl,.txt", "aria-label": "a file with a ruleset", onchange: async () => { text.value = await file.files[0].text(); } });
  const told = html("pre", { role: "alert", class: "faults" });
  const bring = async () => {
    button.disabled = true;
    told.textContent = "One moment ...";
    const answer = await fetch("/api/uploads", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ text: text.value }) });
    const found = await answer.json();
    button.disabled = false;
    if (!answer.ok) {
      told.textContent = found.message;
      return;
    }
    const link = `${location.origin}/#game=${found.name}`;
    told.replaceChildren(`${found.title} can be played. Its link: `, html("a", { href: link }, link));
    open({ name: found.name, title: found.title, about: "" });
  };
  const button = html("button", { type: "button", class: "make", onclick: bring }, "Check and play");
  return html("details", { class: "upload" }, html("summary", {}, "Upload your own rules"), html("p", {}, file), text, html("p", {}, button), told);
}
