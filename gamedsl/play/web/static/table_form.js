// The form that makes a table: who plays each seat, the options of the rules as they declare them, a clock; then the links.

import { ruleText } from "./durations.js";
import { ask, post } from "./lobby_net.js";
import { noteTable } from "./my_tables.js";
import { linksOf } from "./seat_links.js";
import { html } from "./svg.js";

const CLOCKS = {
  "while you both watch": [{ kind: "none" }, { kind: "move", base: 60 }, { kind: "fischer", base: 300, step: 5 }, { kind: "fischer", base: 900, step: 10 }],
  "over days": [1, 2, 3, 7, 14].map((days) => ({ kind: "move", base: 86_400 * days })),
};
const FEW = 8; // values of a number that are a list; more are typed

/** Opens the form for a game: its `name`, and `about` where it is known. `words`: of the kinds of seats. */
export async function openForm(game, words) {
  const data = await ask(`/api/games/${encodeURIComponent(game.name)}`);
  return new TableForm(game, data, words);
}

class TableForm {
  constructor(game, data, words) {
    Object.assign(this, { game, data, words, options: data.options, players: data.game.players.map(({ name }) => name), checking: Promise.resolve() });
    this.seats = html("div", { class: "seats-wanted" });
    this.against = html("div");
    this.controls = html("div", { class: "options-wanted" });
    const clocks = Object.entries(CLOCKS).map(([label, rules]) => html("optgroup", { label }, ...rules.map((rule) => html("option", { value: JSON.stringify(rule) }, ruleText({ step: 0, ...rule }) || "no clock"))));
    this.clock = html("select", { "aria-label": "Clock" }, ...clocks);
    this.open = html("input", { type: "checkbox" });
    this.fault = html("p", { role: "alert", class: "fault" });
    const close = html("button", { type: "button", class: "close", "aria-label": "close", onclick: () => this.dialog.close() }, "×");
    this.dialog = html("dialog", { class: "table-form", "aria-label": data.game.title, onclose: () => this.dialog.remove() });
    const advanced = html("details", { class: "advanced", open: this.options.length <= 3 }, html("summary", {}, "Options of the rules"), this.controls);
    this.dialog.append(close, html("h2", {}, data.game.title), game.about ? html("p", {}, game.about) : "", this.against, this.seats, this.options.length ? advanced : "",
      html("label", { class: "setup" }, html("span", {}, "Clock"), this.clock), html("label", { class: "check" }, this.open, " Anybody in the lobby may watch"),
      html("div", { class: "tools" }, html("button", { type: "button", class: "make main", onclick: () => this.#make((made) => this.#showLinks(made, close)) }, "Make a table")), this.fault); // below the button, which it would move
    this.#showSeats();
    this.#showOptions();
    document.querySelector("#lobby").append(this.dialog);
    this.dialog.showModal();
  }

  /** Whoever was chosen for a seat stays. */
  #showSeats() {
    this.against.replaceChildren(this.#programs());
    const old = [...this.seats.querySelectorAll("select")].map(({ value }) => value);
    this.seats.replaceChildren(...this.players.map((name, i) => {
      const kinds = this.data.seats.map((who) => html("option", { value: who, selected: who === old[i] }, this.words[who] ?? who));
      return html("label", { class: "setup" }, html("span", {}, name), html("select", { "aria-label": name }, ...kinds));
    }));
  }

  #showOptions() {
    this.controls.replaceChildren(...this.options.map((option) => html("label", { class: "option" }, html("span", {}, html("b", {}, option.label), option.text ? html("small", {}, option.text) : ""), control(option, () => this.#check()))));
  }

  get #chosen() {
    return Object.fromEntries([...this.controls.querySelectorAll("[name]")].map((one) => [one.name, one.type === "checkbox" ? (one.checked ? "yes" : "no") : one.value]));
  }

  /** The server says what the options mean: how many seats there are, and what may be chosen now. */
  #check() {
    this.checking = post(`/api/games/${encodeURIComponent(this.game.name)}`, { options: this.#chosen }).then(({ players, options, seats }) => {
      const isOther = JSON.stringify(options.map(form)) !== JSON.stringify(this.options.map(form));
      Object.assign(this, { players, options });
      this.data.seats = seats;
      this.#showSeats();
      if (isOther) this.#showOptions(); // otherwise a control keeps the focus
      this.fault.textContent = "";
    }, (error) => { this.fault.textContent = error.message; });
  }

  /** A button for every program that can play: a table with it at all other seats, which opens at once. */
  #programs() {
    const programs = this.data.seats.filter((who) => who !== "person");
    if (!programs.length || this.players.length < 2) return "";
    const begin = (who) => {
      this.seats.querySelectorAll("select").forEach((select, seat) => { select.value = seat ? who : "person"; });
      return this.#make(({ links }) => location.assign(links[0].link));
    };
    const buttons = programs.map((who) => html("button", { type: "button", onclick: () => begin(who) }, who));
    return html("fieldset", { class: "against" }, html("legend", {}, "Play against a program"), ...buttons);
  }

  #showLinks(made, close) {
    this.dialog.replaceChildren(close, ...linksOf(this.data.game.title, made));
    close.focus();
  }

  /** Makes the table that is chosen, and hands it to `then`. */
  async #make(then) {
    await this.checking;
    if (this.fault.textContent) return;
    const wanted = { game: this.game.name, seats: [...this.seats.querySelectorAll("select")].map(({ value }) => value), clock: JSON.parse(this.clock.value), public: this.open.checked, options: this.#chosen };
    try {
      const made = await post("/api/tables", wanted);
      noteTable({ table: made.table, key: "", title: this.data.game.title, links: made.links, watch: made.watch });
      then(made);
    } catch (error) {
      this.fault.textContent = error.message;
    }
  }
}

/** What an option declares, without its value. */
const form = ({ value, ...rest }) => rest;

/** A list of values, a box for yes and no, or a number between its bounds. */
function control({ name, label, value, values, low, high }, onchange) {
  const known = { name, "aria-label": label, onchange };
  const few = low !== undefined && high - low < FEW ? Array.from({ length: high - low + 1 }, (_, i) => [`${low + i}`, `${low + i}`]) : values;
  if (few?.length === 2 && few[0][0] === "no" && few[1][0] === "yes") return html("input", { ...known, type: "checkbox", checked: value === "yes" });
  if (few?.length) return html("select", known, ...few.map(([one, text]) => html("option", { value: one, selected: one === value }, text)));
  if (low === undefined) return html("input", { ...known, value });
  return html("span", { class: "number" }, html("input", { ...known, type: "number", min: low, max: high, step: 1, value, inputmode: "numeric" }), html("small", {}, `${low} to ${high}`));
}
