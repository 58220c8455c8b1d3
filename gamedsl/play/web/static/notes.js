// What a person notes while exploring: a comment and marks at every position; and what is proved of it. All of it is shown as text.

import { MOST_COMMENT, PLAIN } from "./exploration.js";
import { html, svg } from "./svg.js";

const WAIT = 400; // milliseconds after the last key, until a comment is kept
const [RADIUS, HEAD] = [43, 22]; // of a circle, and of the head of an arrow, in units of the board

export class Notes {
  constructor(page) {
    Object.assign(this, { page, isMarking: false, from: null, at: null });
    this.field = html("textarea", { rows: 3, maxlength: MOST_COMMENT, "aria-label": "comment on this position", placeholder: "A comment on this position", oninput: () => this.#typed(), onblur: () => this.#keep() });
    this.text = html("p", { class: "comment" });
    this.verdict = html("p", { class: "verdict", role: "status" });
    this.marking = html("button", { type: "button", "aria-pressed": "false", onclick: () => this.#switch(!this.isMarking) }, "Draw marks");
    const remove = html("button", { type: "button", onclick: () => this.#remove() }, "Remove this variation");
    const share = html("button", { type: "button", onclick: () => page.records.open() }, "Save or share");
    this.help = html("p", { class: "help" }, "Touch a place to circle it, or drag from place to place for an arrow; again takes it away. Other ways: the right mouse button; Enter, and Shift+Enter at both ends of an arrow.");
    this.tools = html("div", { class: "tools" }, this.marking, remove, share);
    this.element = html("section", { class: "notes", "aria-label": "notes" });
  }

  /** Shows what is noted at the position that is shown. */
  show() {
    const { update } = this.page;
    const { tree, exploring, proofs } = update;
    const notes = this.#notes;
    const proof = proofs?.[tree.at];
    if (this.at !== tree.at) this.#keep();
    if (!exploring) this.#switch(false);
    if (this.at !== tree.at || document.activeElement !== this.field) this.field.value = notes.comment;
    this.at = tree.at;
    const parts = [this.verdict, this.text, ...(exploring ? [this.field, this.help, this.tools] : [])];
    if (this.element.children.length !== parts.length) this.element.replaceChildren(...parts);
    this.text.textContent = notes.comment;
    this.text.hidden = Boolean(exploring) || !notes.comment;
    this.verdict.textContent = !exploring || update.position.turn.outcome || proof === undefined ? "" : proof ? `Proved: ${proof === "drawn" ? "a draw" : this.page.marks.shown(proof)} with best play.` : "Not proved who wins.";
    this.verdict.hidden = !this.verdict.textContent;
    this.help.hidden = !this.isMarking;
    this.element.hidden = !exploring && !notes.comment;
    this.draw();
  }

  get #notes() {
    const { tree } = this.page.update;
    return tree.nodes.find(({ id }) => id === tree.at)?.notes ?? PLAIN;
  }

  #typed() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.#keep(), WAIT);
  }

  /** Keeps the comment of the position at which it was written. */
  #keep() {
    clearTimeout(this.waiting);
    const { tree, exploring } = this.page.update;
    const node = tree.nodes.find(({ id }) => id === this.at);
    const comment = this.field.value.trim();
    if (!exploring || !node || (node.notes ?? PLAIN).comment === comment) return;
    this.page.table.note(this.at, { ...(node.notes ?? PLAIN), comment });
  }

  async #remove() {
    this.field.value = this.#notes.comment;
    const answer = await this.page.table.prune();
    if (!answer.ok) this.page.refuse(answer.reasons);
  }

  // ------------------------------------------------------------------------------------------------- marks

  #switch(on) {
    Object.assign(this, { isMarking: on, from: null });
    this.marking.setAttribute("aria-pressed", String(on));
    this.help.hidden = !on;
    this.page.board?.element.classList.toggle("marking", on);
  }

  /** Does an event on a place make a mark, rather than a move? */
  takes(event) {
    return Boolean(this.page.update.exploring) && (this.isMarking || event.button === 2);
  }

  /** A pointer that is pressed on a place circles it, or draws an arrow to where it is released. */
  press(id, placeAt) {
    const up = (event) => {
      removeEventListener("pointerup", up);
      const other = placeAt(document.elementFromPoint(event.clientX, event.clientY));
      if (other && !this.page.zoom.pinched) this.#mark(id, other);
    };
    addEventListener("pointerup", up);
  }

  /** By keys: a circle; with Shift, the ends of an arrow one after the other. */
  key(id, isArrow) {
    if (isArrow && this.from === null) {
      this.from = id;
      return;
    }
    this.#mark(isArrow ? this.from : id, id);
    this.from = null;
  }

  #mark(from, to) {
    const [a, b] = [from, to].map((id) => this.#named(id));
    const notes = this.#notes;
    const changed = from === to ? { circles: toggled(notes.circles, a) } : { arrows: toggled(notes.arrows, [...a, ...b]) };
    this.page.table.note(this.page.update.tree.at, { ...notes, comment: this.field.value, ...changed });
    this.page.speech.say(from === to ? `circle at ${a[1]}` : `arrow from ${a[1]} to ${b[1]}`);
  }

  #named(id) {
    const { domain, name } = this.page.board.places.get(id);
    return [domain, name];
  }

  /** Draws the marks on the board; those whose places it does not have are left out. */
  draw() {
    const { board } = this.page;
    if (!board) return;
    board.element.querySelector(".layer-notes")?.remove();
    board.element.classList.toggle("marking", this.isMarking);
    const { circles, arrows } = this.#notes;
    if (!circles.length && !arrows.length) return;
    const places = new Map([...board.places.values()].map(({ domain, name, middle }) => [JSON.stringify([domain, name]), middle]));
    const at = (...place) => places.get(JSON.stringify(place));
    const rings = circles.map((place) => at(...place)).filter(Boolean).map(([cx, cy]) => svg("circle", { cx, cy, r: RADIUS }));
    const shafts = arrows.map(([a, b, c, d]) => [at(a, b), at(c, d)]).filter(([from, to]) => from && to).map(([from, to]) => arrow(from, to));
    board.layers.touch.before(svg("g", { class: "layer-notes", "aria-hidden": "true" }, ...rings, ...shafts));
    this.page.board.element.setAttribute("aria-description", [...circles.map(([, name]) => `circled ${name}`), ...arrows.map(([, a, , b]) => `arrow from ${a} to ${b}`)].join(", "));
  }
}

function toggled(marks, mark) {
  const rest = marks.filter((one) => JSON.stringify(one) !== JSON.stringify(mark));
  return rest.length < marks.length ? rest : [...marks, mark];
}

function arrow([x1, y1], [x2, y2]) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [x, y] = [x2 - dx * HEAD * 1.4, y2 - dy * HEAD * 1.4];
  const head = [[x2, y2], [x - dy * HEAD, y + dx * HEAD], [x + dy * HEAD, y - dx * HEAD]];
  return svg("g", {}, svg("line", { x1, y1, x2: x, y2: y }), svg("polygon", { points: head.map((p) => p.join(",")).join(" ") }));
}
