// "My tables" in the lobby: what this browser has keys for, with whose turn it is.

import { duration } from "./durations.js";
import { addressOf, askMine, forgetTable, myTables } from "./my_tables.js";
import { redraw } from "./press.js";
import { html } from "./svg.js";
import { linksOf } from "./seat_links.js";

const AGAIN = 30_000; // milliseconds between two questions
const ORDER = ["yours", "waits", "asleep", "unknown", "over", "gone"];

export class MyTables {
  constructor() {
    this.list = html("ul", { class: "my-tables" });
    this.element = html("section", { class: "mine", hidden: true }, html("h2", {}, "My tables"), html("p", { class: "soft" }, "This browser keeps the links of your seats."), this.list);
    this.#show(myTables().map((one) => ({ ...one, state: "unknown" })));
    this.#ask();
  }

  async #ask() {
    if (!document.hidden) {
      try {
        this.#show(await askMine());
      } catch {
        // the server does not answer now: what was shown stays
      }
    }
    setTimeout(() => this.#ask(), AGAIN);
  }

  #show(rows) {
    this.element.hidden = !rows.length;
    const order = ({ state, key }) => ORDER.indexOf(key || state === "gone" ? state : "unknown");
    rows.sort((a, b) => order(a) - order(b));
    redraw(this.list, () => this.list.replaceChildren(...rows.map((one) => this.#row(one))));
    const turns = rows.filter(({ state, isSeated }) => isSeated && state === "yours").length;
    document.title = turns ? `● ${turns} of your turns · gamedsl: tables` : "gamedsl: tables";
  }

  #row(one) {
    const seat = one.seat ?? one.role;
    const role = one.key ? html("span", { class: "soft" }, ` as ${seat ?? "a player"}`) : "";
    const names = one.names?.length ? html("span", { class: "soft" }, " with ", ...one.names.flatMap((name, i) => [i ? ", " : "", html("bdi", {}, name)])) : "";
    const title = html(one.state === "gone" || !one.key ? "span" : "a", one.key ? { href: addressOf(one) } : {}, one.title);
    const links = one.links?.length ? html("button", { type: "button", onclick: () => this.#links(one) }, one.key ? "Links of the seats" : "Take or send a seat") : "";
    const forget = html("button", { type: "button", "aria-label": `forget ${one.title}`, onclick: () => { forgetTable(one.table); this.#show(myTables().map((other) => ({ ...other, state: other.state ?? "unknown" }))); this.#ask(); } }, "Forget");
    return html("li", { class: one.state === "yours" && one.key ? "yours" : "" }, html("div", {}, title, role, names, html("small", {}, stateText(one))), html("div", { class: "tools" }, links, forget));
  }

  #links(one) {
    const dialog = html("dialog", { class: "table-form", "aria-label": one.title, onclose: () => dialog.remove() }, html("button", { type: "button", class: "close", "aria-label": "close", onclick: () => dialog.close() }, "×"), ...linksOf(one.title, one));
    document.querySelector("#lobby").append(dialog);
    dialog.showModal();
  }
}

function stateText({ state, text, left, key }) {
  if (!key) return "nobody from this browser sits there yet";
  const time = left === null || left === undefined ? "" : `, ${duration(left)} left`;
  return { yours: `your turn${time}`, waits: "waits for others", over: text ? `over: ${text}` : "over", asleep: "open it to see whose turn it is", gone: "the server no longer has it" }[state] ?? "";
}
