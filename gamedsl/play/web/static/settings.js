// What a person prefers, kept in the browser: whether a touch is confirmed, and whether pieces glide.

import { html } from "./svg.js";

const KEY = "gamedsl settings";
const LARGE = 44; // pixels: a target of this size is hit by any finger
const CHOICES = {
  confirm: ["Confirm a move after touching the screen", { small: "where targets are small", always: "always", never: "never" }],
  enlarge: ["A touch enlarges the board", { small: "where targets are small", never: "never" }],
  motion: ["Pieces glide", { on: "yes", off: "no" }],
};

export class Settings {
  constructor() {
    this.kept = { confirm: "small", enlarge: "small", motion: "on", ...read() };
  }

  /** Does a touch of a target of this width, in pixels, wait for a second one? */
  confirms(pointer, width) {
    if (pointer !== "touch" || this.kept.confirm === "never") return false;
    return this.kept.confirm === "always" || width < LARGE;
  }

  get moves() {
    return this.kept.motion === "on" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  /** Asks in a dialog. */
  edit(parent) {
    const rows = Object.entries(CHOICES).map(([name, [label, values]]) => {
      const options = Object.entries(values).map(([value, text]) => html("option", value === this.kept[name] ? { value, selected: "" } : { value }, text));
      const select = html("select", { onchange: () => this.#keep(name, select.value) }, ...options);
      return html("label", { class: "setup" }, html("span", {}, label), select);
    });
    const dialog = html("dialog", { "aria-label": "settings", onclose: () => dialog.remove() }, html("h2", {}, "Settings"), ...rows, html("div", { class: "tools" }, html("button", { type: "button", onclick: () => dialog.close() }, "Close")));
    parent.append(dialog);
    dialog.showModal();
  }

  #keep(name, value) {
    this.kept[name] = value;
    try {
      localStorage.setItem(KEY, JSON.stringify(this.kept));
    } catch {
      // a browser that keeps nothing: the choice holds until the page is left
    }
  }
}

function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return Object.fromEntries(Object.entries(CHOICES).filter(([name, [, values]]) => kept?.[name] in values).map(([name]) => [name, kept[name]]));
  } catch {
    return {};
  }
}
