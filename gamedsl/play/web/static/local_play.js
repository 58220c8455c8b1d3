// The tree of plies of a table inside of the page: what was played, which position is shown, and where the play goes on.

import { CLEAN, paperAfter } from "./local_paper.js";
import { readRecord } from "./local_records.js";
import { acting, actionText } from "./local_turn.js";

const MOST_CHANCES = 10_000; // outcomes in a row, so that rules without an end stop

export class LocalPlay {
  /** `explores`: whether somebody explores. Then the play ends where it did (`tip`). */
  constructor(rules) {
    Object.assign(this, { rules, explores: false });
    this.begin();
  }

  /** `number` tells one play, or one choice of players, from the next. */
  begin() {
    this.nodes = [{ id: 0, parent: null, seat: null, action: null, state: this.rules.initial(), paper: CLEAN, drawing: null, entered: 0, ended: [], said: [] }];
    Object.assign(this, { at: 0, tip: 0, number: (this.number ?? 0) + 1 });
  }

  get node() {
    return this.nodes[this.at];
  }

  get kind() {
    return this.rules.kind(this.node.state);
  }

  get isOver() {
    return this.rules.kind(this.nodes[this.tip].state) === "end";
  }

  /** Is an earlier position shown of a play that is over and hid something? It cannot be played on. */
  get looksBack() {
    return this.rules.facts.game.hides && this.isOver && this.at !== this.tip;
  }

  acting(node = this.node) {
    return this.rules.kind(node.state) === "end" ? [] : this.rules.actors(node.state);
  }

  /** Has somebody, but not everybody, chosen here? */
  isPartial(node) {
    return this.rules.kind(node.state) === "together" && this.acting(node).length < acting(this.rules, node.state, null).length;
  }

  /** Have all chosen, here or later? */
  isCarriedOut(node) {
    return !this.isPartial(node) || this.nodes.some((one) => one.parent === node.id && this.isCarriedOut(one));
  }

  /** A node and all before it, newest first. */
  *line(node = this.node) {
    for (let at = node; ; at = this.nodes[at.parent]) {
      yield at;
      if (at.parent === null) return;
    }
  }

  /** The nodes that lead to a node, from the first ply on. */
  plies(node = this.node) {
    return [...this.line(node)].reverse().slice(1);
  }

  /** Adds a ply to the node that is shown, or goes to where it was made before. `drawing`: the number of a drawing. */
  add(action, seat, drawing = null) {
    const before = this.node;
    const known = action === null ? null : this.nodes.find((one) => one.parent === this.at && one.action === action);
    if (known) {
      this.at = known.id;
      if (!this.explores && ![...this.line(this.nodes[this.tip])].includes(known)) this.tip = known.id;
      return;
    }
    const node = this.made(before, action, seat, drawing);
    this.nodes.push(node);
    this.at = node.id;
    if (!this.explores) this.tip = node.id;
  }

  /** Takes a node and all after it out of the tree, and shows the one before. The play itself stays: then false. */
  prune(id) {
    const gone = new Set([id]);
    for (const node of this.nodes) if (gone.has(node.parent)) gone.add(node.id);
    if (id === 0 || gone.has(this.tip)) return false;
    const kept = this.nodes.filter((node) => !gone.has(node.id));
    const numbers = new Map(kept.map((node, i) => [node.id, i]));
    const parent = this.nodes[id].parent;
    Object.assign(this, { nodes: kept, at: numbers.get(parent), tip: numbers.get(this.tip) });
    for (const node of kept) Object.assign(node, { id: numbers.get(node.id), parent: node.parent === null ? null : numbers.get(node.parent) });
    return true;
  }

  /** The node after a ply, which is not yet in the tree. */
  made(before, action, seat, drawing = null) {
    const state = drawing === null ? this.rules.act(before.state, action) : this.rules.takeDrawing(before.state, drawing);
    const entered = this.rules.entered(); // the parts that the ply began, as bits: their boards are new
    const ended = this.rules.ended();
    const paper = paperAfter(this.rules, before.paper, before.state, { action, seat }, entered, ended, state);
    return { id: this.nodes.length, parent: before.id, seat, action, state, paper, drawing, entered, ended, said: paper.said };
  }

  letChance() {
    for (let i = 0; i < MOST_CHANCES && this.kind === "chance"; i += 1) {
      const known = this.nodes.find((one) => one.parent === this.at);
      this.add(known ? known.action : drawn(this.rules, this.node.state), null);
    }
  }

  /** Where undoing leads: to the last decision of one of these seats; null if there is none. */
  undone(seats) {
    const found = [...this.line()].slice(1).find((node) => this.acting(node).some((seat) => seats.includes(seat)) && !this.isPartial(node));
    return found?.id ?? null;
  }

  /** Begins anew with the plies of a record. Throws an `Error` for a text that is no record of these rules; then nothing has
   *  changed. */
  load(text) {
    const kept = { nodes: this.nodes, at: this.at, tip: this.tip };
    this.begin();
    try {
      for (const ply of readRecord(text)) this.#addText(ply);
    } catch (error) {
      Object.assign(this, kept);
      throw error;
    }
  }

  #addText({ text, line }) {
    const { state } = this.node;
    const action = this.kind === "end" ? undefined : this.rules.legal(state).find((one) => alike(actionText(this.rules, one), text));
    if (action === undefined) throw new Error(`line ${line}: "${text}" is not a legal move here`);
    this.add(action, this.kind === "chance" ? null : this.acting()[0]);
  }
}

/** An outcome of chance, by its weights. */
function drawn(rules, state) {
  const mark = rules.used;
  const [seed, index] = crypto.getRandomValues(new Int32Array(2));
  const size = rules.facts.memory.values;
  const [after, same] = [rules.chance(state, seed, index), (one) => one.subarray(0, size).every((byte, i) => byte === after[i])];
  const outcome = rules.legal(state).find((action) => same(rules.act(state, action)));
  rules.used = mark;
  return outcome;
}

export const alike = (a, b) => a.toLowerCase().replaceAll(/\s+/g, "") === b.toLowerCase().replaceAll(/\s+/g, "");
