// The record of a play as text: copied out, pasted in; and an exploration, as a file or a link.

import { copyFrom } from "./copied.js";
import { html } from "./svg.js";

const LONG = 8000; // characters of a link
const MOST_BYTES = 8_000_000;

export class Records {
  constructor(page) {
    this.page = page;
    this.area = html("textarea", { rows: 14, spellcheck: "false", "aria-label": "the record" });
    const copy = html("button", { type: "button", onclick: () => this.#copy() }, "Copy");
    this.read = html("button", { type: "button", onclick: () => this.#load() }, "Load this record");
    const close = html("button", { type: "button", class: "close", "aria-label": "close the record", onclick: () => this.dialog.close() }, "×");
    this.said = html("p", { role: "status" });
    const file = html("input", { type: "file", accept: ".json,application/json,text/plain", class: "visually-hidden", tabindex: "-1", "aria-label": "a file with an exploration or a record", onchange: () => this.#read(file) });
    this.explored = html("div", { class: "explored" }, html("h3", {}, "With variations, comments and marks"), html("div", { class: "tools" },
      html("button", { type: "button", onclick: () => this.#save() }, "Save as a file"), html("button", { type: "button", onclick: () => this.#link() }, "Copy a link"), html("button", { type: "button", onclick: () => file.click() }, "Open a file"), file));
    this.dialog = html("dialog", { class: "records", "aria-label": "record" }, close, html("h2", {}, "Record"), this.area, this.said, html("div", { class: "tools" }, copy, this.read), this.explored);
  }

  async open() {
    this.area.value = await this.page.table.record();
    this.said.textContent = "";
    this.read.hidden = !this.page.update.can.load;
    this.explored.hidden = !this.page.table.canExplore;
    this.dialog.showModal();
  }

  async #copy() {
    await copyFrom(this.area);
    this.said.textContent = "Copied.";
  }

  #save() {
    const { name } = this.page.game;
    const address = URL.createObjectURL(new Blob([this.page.table.explored()], { type: "application/json" }));
    html("a", { href: address, download: `${name}.exploration.json` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
    this.said.textContent = "Saved.";
  }

  async #link() {
    this.area.value = await this.page.table.link();
    await this.#copy();
    if (this.area.value.length > LONG) this.said.textContent += " This link is long; some programs cut it. A file is safer.";
  }

  async #read(file) {
    const [chosen] = file.files;
    file.value = "";
    if (!chosen) return;
    if (chosen.size > MOST_BYTES) this.said.textContent = "This file is too large.";
    else await this.#load(await chosen.text());
  }

  async #load(text = this.area.value) {
    const answer = await this.page.table.load(text);
    if (!answer.ok) this.said.textContent = answer.reasons.map(({ message }) => message).join(" ");
    else this.dialog.close();
    if (answer.ok && answer.say) this.page.speech.answer("Exploration", answer.say);
  }
}
