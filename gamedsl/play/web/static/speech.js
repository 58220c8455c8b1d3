// What the page says: to screen readers, and in a box beside the board (below it on a narrow screen), which covers nothing.
// Each kind of message has a word and a sign of its own. It stays until the position changes or it is closed.

import { html } from "./svg.js";

const KINDS = { refusal: ["×", "Not allowed"], answer: ["i", "Answer"], failure: ["!", "Something went wrong"] };

export class Speech {
  constructor() {
    this.live = html("div", { class: "visually-hidden", role: "status", "aria-live": "polite" });
    this.element = html("section", { class: "message", hidden: true });
    this.kind = null; // of the message that is shown
  }

  /** To screen readers alone. */
  say(text) {
    if (text) this.live.textContent = text;
  }

  /** What was asked for; `title`: what that was. */
  answer(title, text) {
    this.#show("answer", title, html("p", {}, text));
  }

  /** Why something can't be done: the rules, as they are said and as they stand in the ruleset, and their clauses. `before`: what
   *  was tried. */
  refuse(reasons, before = "") {
    const parts = ({ message, clauses, rule }) => [html("p", {}, message), ...clauses.map((c) => html("p", { class: "clause" }, html("b", {}, c.number), " ", c.text)), rule ? html("code", { class: "rule" }, rule) : ""];
    this.#show("refusal", null, before ? html("p", {}, before) : "", ...reasons.map((one) => html("div", {}, ...parts(one))));
  }

  /** Something broke. `retry` tries again. */
  fail(text, retry) {
    const again = html("button", { type: "button", class: "main", onclick: () => { this.close(); retry(); } }, "Try again");
    this.#show("failure", null, html("p", {}, text), html("div", { class: "tools" }, again));
  }

  /** A refusal goes once something else is touched that goes on. */
  retract() {
    if (this.kind === "refusal") this.close();
  }

  close() {
    Object.assign(this, { kind: null });
    this.element.hidden = true;
  }

  #show(kind, title, ...children) {
    const [sign, word] = KINDS[kind];
    const heading = html("h2", {}, html("span", { class: "sign", "aria-hidden": "true" }, sign), title ?? word);
    const close = html("button", { type: "button", class: "close", "aria-label": "close the message", onclick: () => this.close() }, "×");
    this.kind = kind;
    this.element.className = `message ${kind}`;
    this.element.setAttribute("role", kind === "answer" ? "status" : "alert");
    this.element.replaceChildren(close, heading, ...children);
    this.element.hidden = false;
    this.element.scrollIntoView({ block: "nearest" });
  }
}
