// Small parts of the studio's page: buttons, menus, dialogs, notes that go away.

import { html, svg } from "/static/svg.js";

export { html, svg } from "/static/svg.js";

const STAYS = 9000; // milliseconds

export function button(label, onclick, attributes = {}) {
  return html("button", { type: "button", onclick, ...attributes }, label);
}

/** A menu; `values`: labels by value. */
export function menu(label, values, chosen, take, attributes = {}) {
  const options = Object.entries(values).map(([value, text]) => html("option", { value, selected: String(value) === String(chosen) }, text));
  const select = html("select", { onchange: () => take(select.value), "aria-label": label || undefined, ...attributes }, ...options);
  return label ? html("label", { class: "field" }, html("span", {}, label), select) : select;
}

/** A note at the edge of the page. `action`: a button on it. */
export function toast(element, text, isFault = false, action = null) {
  const shelf = element.querySelector(".toasts") ?? element.appendChild(html("div", { class: "toasts", role: "status" }));
  if ([...shelf.children].some((one) => one.querySelector("p").textContent === text)) return;
  const close = () => note.remove();
  const act = action ? button(action.label, () => { close(); action.run(); }) : "";
  const isOfLoss = isFault && element.classList.contains("is-lost"); // without a connection it says no more than that
  const note = html("div", { class: `toast${isFault ? " is-fault" : ""}${isOfLoss ? " is-of-loss" : ""}`, role: isFault ? "alert" : undefined }, html("p", {}, text), act, button("×", close, { class: "round", "aria-label": "close the note" }));
  shelf.append(note);
  if (!isFault && !action) setTimeout(close, STAYS);
}

/** Asks one of several answers (labels by answer); null: none. `texts`: pairs of a title and a text to compare. */
export function choose(element, question, answers, texts = []) {
  return new Promise((done) => {
    const finish = (answer) => {
      dialog.remove();
      done(answer);
    };
    const shown = texts.map(([title, text]) => html("figure", {}, html("figcaption", {}, title), html("pre", {}, text)));
    const buttons = Object.entries(answers).map(([answer, label]) => button(label, () => finish(answer)));
    const dialog = html("dialog", { class: "ask", oncancel: () => finish(null) }, html("p", {}, question), html("div", { class: "compared" }, ...shown), html("div", { class: "tools" }, ...buttons, button("Later", () => finish(null))));
    element.append(dialog);
    dialog.showModal();
  });
}

/** The mark of the studio: a board whose corner is text. */
export function icon() {
  const cell = (x, y, kind) => svg("rect", { x, y, width: 9, height: 9, rx: 2, class: kind });
  return svg("svg", { class: "icon", viewBox: "0 0 32 32", "aria-hidden": "true" }, cell(1, 1, "a"), cell(12, 1, "b"), cell(23, 1, "a"), cell(1, 12, "b"), cell(12, 12, "c"), cell(23, 12, "b"), cell(1, 23, "a"), cell(12, 23, "b"), cell(23, 23, "a"));
}

/** Gives a text to the browser as a file. */
export function download(name, text, type) {
  const link = html("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A text as a sentence. */
export const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
