// What is said: to screen readers, and refusals and answers that are shown for a while.

import { html } from "./svg.js";

const LONG = 7000; // milliseconds that a refusal is shown

export class Speech {
  constructor() {
    this.live = html("div", { class: "visually-hidden", role: "status", "aria-live": "polite" });
    this.toast = html("div", { class: "toast", role: "alert", hidden: true });
    this.element = html("div", { class: "speech" }, this.live, this.toast);
  }

  /** `shown`: also for those who see. */
  say(text, shown = false) {
    if (!text) return;
    this.live.textContent = text;
    if (shown) this.#show(html("p", {}, text));
  }

  /** Why something can't be done: the rules and their clauses. */
  refuse(reasons) {
    this.#show(...reasons.map(({ message, clauses }) => html("div", {}, html("p", {}, message), ...clauses.map((c) => html("p", { class: "clause" }, html("b", {}, c.number), " ", c.text)))));
  }

  #show(...children) {
    this.toast.replaceChildren(...children, html("button", { type: "button", class: "close", "aria-label": "close", onclick: () => { this.toast.hidden = true; } }, "×"));
    this.toast.hidden = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.toast.hidden = true; }, LONG);
  }
}
