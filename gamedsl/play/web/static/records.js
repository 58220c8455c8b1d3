// The record of a play as text: copied out, pasted in.

import { html } from "./svg.js";

export class Records {
  constructor(page) {
    this.page = page;
    this.area = html("textarea", { rows: 14, spellcheck: "false", "aria-label": "the record" });
    const copy = html("button", { type: "button", onclick: () => this.#copy() }, "Copy");
    this.read = html("button", { type: "button", onclick: () => this.#load() }, "Load this record");
    const close = html("button", { type: "button", class: "close", "aria-label": "close the record", onclick: () => this.dialog.close() }, "×");
    this.said = html("p", { role: "status" });
    this.dialog = html("dialog", { class: "records", "aria-label": "record" }, close, html("h2", {}, "Record"), this.area, this.said, html("div", { class: "tools" }, copy, this.read));
  }

  async open() {
    this.area.value = await this.page.table.record();
    this.said.textContent = "";
    this.read.hidden = !this.page.update.can.load;
    this.dialog.showModal();
  }

  async #copy() {
    this.area.select();
    try {
      await navigator.clipboard.writeText(this.area.value);
    } catch {
      document.execCommand("copy"); // a page from a file may not use the clipboard otherwise
    }
    this.said.textContent = "Copied.";
  }

  async #load() {
    const answer = await this.page.table.load(this.area.value);
    if (answer.ok) this.dialog.close();
    else this.said.textContent = answer.reasons.map(({ message }) => message).join(" ");
  }
}
