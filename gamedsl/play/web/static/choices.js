// Choosing in words: moves that name no place, a question where touches are ambiguous, the list of all moves.

import { faceOf } from "./things.js";
import { face } from "./faces.js";
import { inSurroundings, lookAlike, miniature } from "./ghost.js";
import { nextQuestion, traysOf } from "./selection.js";
import { only } from "./thing_names.js";
import { wordsApart } from "./told_apart.js";
import { html, svg } from "./svg.js";
import { UNIT } from "./layout.js";
import { watchSwipes } from "./turn_gestures.js";

const MOST_LISTED = 400;

export class Choices {
  constructor(page) {
    this.page = page;
    this.asked = null; // the options among which a question chooses
    this.filter = "";
    this.isOpen = false;
  }

  /** Asks which of several actions is meant. */
  ask(options) {
    this.asked = options;
    this.show();
    this.page.instruct();
    this.page.parts.ask.scrollIntoView({ block: "nearest" });
    this.page.parts.ask.querySelector("button")?.focus({ preventScroll: true });
    this.page.speech.say("choose one");
  }

  show() {
    const { page } = this;
    if (!page.update || !page.hands.options) return;
    page.felt.show();
    const wordy = page.hands.options.filter((o) => !o.groups.length && !page.felt.covers(o));
    const found = [...this.#due()];
    if (this.asked) found.push(this.#question(this.asked, true));
    else if (wordy.length) found.push(this.#question(wordy, false));
    if (!this.asked) found.push(...this.#trays());
    page.parts.turning.replaceChildren(...(this.asked ? [] : this.#turns()));
    if (page.hands.options.length) found.push(this.#list());
    page.parts.ask.replaceChildren(...page.pen.controls(), ...found);
  }

  /** What is due when nothing can be chosen here. */
  #due() {
    const { turn } = this.page.update.position;
    if (this.page.hold.isOn) return this.page.hold.buttons();
    if (turn.kind === "chance" && this.page.table.roll) {
      return [html("button", { class: "main", type: "button", onclick: () => this.page.table.roll() }, turn.chance.what === "roll" ? "Roll" : `Continue: ${turn.chance.what}`)];
    }
    return [];
  }

  #question(options, isSub) {
    const { label, choices: told } = nextQuestion(this.page.game, options);
    const choices = isSub ? this.#apart(told) : told;
    this.offered = choices;
    const isOneKind = new Set(options.map((o) => o.kind)).size === 1;
    const pill = ({ text, notation = "", options: kept }) => html("button", { type: "button", class: "pill", title: notation, onclick: () => this.#choose(kept), ...this.#previewing(kept) }, this.#look(text, kept, isOneKind));
    const pills = choices.map(pill);
    if (isSub) this.picture(pills, choices.map((choice) => choice.options[0]));
    const back = isSub ? [html("button", { type: "button", class: "pill quiet", onclick: () => this.#cancel() }, "cancel")] : [];
    const title = label ? html("h2", {}, label) : "";
    return html("div", { class: "question" }, title, html("div", { class: "pills" }, ...pills, ...back));
  }

  /** Choices of one move each, in words that tell them apart where the touched places do not. */
  #apart(choices) {
    const { game, board, hands: { selection: { touched } } } = this.page;
    if (!touched.length || choices.some(({ options }) => options.length > 1)) return choices;
    const words = wordsApart(game, choices.map(({ options: [option] }) => option), touched.at(-1), (id) => board.places.get(id)?.middle);
    return choices.map((choice, i) => ({ ...choice, text: words[i], notation: choice.text }));
  }

  /** A button of a move that is nothing but a thing shows it, if all moves are of that kind. */
  #look(text, [option, ...others], isOneKind) {
    const thing = others.length || !isOneKind ? null : only(this.page.game, option);
    return thing ? face(this.page.game.scenes, thing.thing, thing.index) : faceOf(text);
  }

  /** The shape that is held, as it would lie, with buttons that turn and flip it. */
  #turns() {
    const { hands } = this.page;
    const { turning } = hands;
    if (!turning || !(turning.turns || turning.flips)) return [];
    const way = (label, title, isFlip, isPossible) => html("button", { type: "button", "aria-label": title, title, disabled: !isPossible, onclick: () => hands.turn(isFlip) }, label);
    const picture = outline(turning.offsets);
    watchSwipes(picture, hands);
    return [picture, way("⟳ Turn", "turn the shape (R)", false, turning.turns), way("⇋ Flip", "flip the shape (F)", true, turning.flips)];
  }

  /** Values that can be chosen before any place: pieces that are not on the board yet, cards, directions. */
  #trays() {
    const { game, hands } = this.page;
    const trays = traysOf(game, hands.all).filter(({ values }) => !values.every(({ options }) => options.every((o) => this.page.felt.covers(o))));
    return trays.map(({ kind, param, values }) => {
      const isHeld = (value) => hands.held?.kind === kind && hands.held.param === param && hands.held.value === value;
      const pills = values.map(({ text, value }) => {
        const hold = () => hands.narrow(isHeld(value) ? null : { kind, param, value });
        return html("button", { type: "button", class: "pill", "aria-pressed": String(isHeld(value)), onclick: hold }, faceOf(text));
      });
      this.picture(pills, values.map(({ options }) => options[0]));
      const title = trays.length > 1 ? html("h2", {}, game.kinds[kind].words.name.slice(1, -1)) : "";
      return html("div", { class: "tray" }, title, html("div", { class: "pills" }, ...pills));
    });
  }

  /** Adds to each button a picture of what its move would put on the board: alone, or where that looks the same, with what is around. */
  async picture(buttons, options) {
    const { page } = this;
    const { board } = page;
    const found = await Promise.all(options.map(({ number }) => page.after(number)));
    if (page.board !== board) return;
    const pictures = lookAlike(board, found) ? inSurroundings(board, found) : found.map((after) => after && miniature(board, after));
    buttons.forEach((button, i) => { if (pictures[i] && button.isConnected) button.prepend(pictures[i]); });
  }

  /** What a button does to the preview while it is pointed at. */
  #previewing(options) {
    const { page } = this;
    const [show, hide] = [() => page.preview(options.length === 1 ? options[0].number : null), () => page.preview(null)];
    return { onpointerenter: show, onpointerleave: hide, onfocus: show, onblur: hide };
  }

  #choose(options) {
    if (options.length === 1) this.page.play(options[0].number);
    else this.ask(options);
  }

  #cancel() {
    this.asked = null;
    this.page.hands.begin();
  }

  /** All legal moves, the second way. */
  #list() {
    const { game, hands } = this.page;
    const field = html("input", { type: "search", placeholder: "filter", "aria-label": "filter the moves", value: this.filter });
    const list = html("ul", { class: "all-moves" });
    const fill = () => {
      this.filter = field.value;
      const found = hands.options.filter((o) => o.text.toLowerCase().includes(field.value.toLowerCase()));
      const items = found.slice(0, MOST_LISTED).map((o) => html("li", {}, html("button", { type: "button", class: "pill", onclick: () => this.page.play(o.number), title: game.kinds[o.kind].name, ...this.#previewing([o]) }, o.text)));
      const more = found.length > MOST_LISTED ? [html("li", {}, `and ${found.length - MOST_LISTED} more`)] : [];
      list.replaceChildren(...items, ...more);
    };
    field.addEventListener("input", fill);
    const count = hands.options.length;
    const details = html("details", { open: this.isOpen }, html("summary", {}, `All moves (${count})`), field, list);
    details.addEventListener("toggle", () => { this.isOpen = details.open; if (details.open) fill(); });
    if (this.isOpen) fill();
    return details;
  }
}

/** A small picture of the places of a shape. */
function outline(offsets) {
  const [wide, high] = [0, 1].map((k) => Math.max(...offsets.map((point) => point[k])) + UNIT);
  const squares = offsets.map(([x, y]) => svg("rect", { x: x + 3, y: y + 3, width: UNIT - 6, height: UNIT - 6, rx: 10 }));
  return svg("svg", { class: "outline", viewBox: `0 0 ${wide} ${high}`, "aria-hidden": "true" }, ...squares);
}
