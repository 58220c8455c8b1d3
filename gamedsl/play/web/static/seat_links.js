// The links of a table's seats: to take, to copy, to scan.

import { copyFrom } from "./copied.js";
import { html } from "./svg.js";

/** All links of a table: one to take, the others to send. */
export function linksOf(title, { links, watch }) {
  return [html("h2", {}, title), html("p", {}, "Take one link and send the others. Whoever has a seat's link plays that seat."),
    list([...links.map((link) => row(`Play ${link.name}`, link, open(`Play ${link.name}`, link, "tool main"))), watch ? row("Watch", watch, open("Watch", watch, "tool")) : ""])];
}

/** The links of the seats of others, for somebody who has taken one: `key` is that of their own. */
export function invitations({ links = [], watch }, key) {
  const others = links.filter(({ link }) => link.split("#")[1] !== key);
  const heading = (text) => html("h3", {}, text);
  return [html("h2", {}, "Invite"), html("p", {}, "Send each player the link of a seat. Whoever has it plays that seat."),
    list([...others.map((link) => row(link.name, link, heading(link.name))), watch ? row("Watch", watch, heading("to watch")) : ""])];
}

const list = (rows) => html("ul", { class: "links" }, ...rows);
const open = (text, { link }, kind) => html("a", { href: link, class: kind }, text);

function row(name, { link, qr }, head) {
  const field = html("input", { readonly: "", value: link, "aria-label": `link: ${name}`, onclick: () => field.select() });
  const copy = html("button", { type: "button", "aria-label": `copy: ${name}`, onclick: async () => {
    await copyFrom(field);
    copy.textContent = "Copied";
    copy.setAttribute("aria-label", `copied: ${name}`);
  } }, "Copy");
  return html("li", {}, head, html("div", { class: "link" }, field, copy), qr ? html("img", { src: qr, alt: `QR code: ${name}`, width: 132, height: 132 }) : "");
}
