// Variations of a game of the server that is over. The server says what follows from a move; the tree, with comments and marks, is
// kept in this browser.

import { differences, explorationText, fitNotes, lineText, readExploration } from "./exploration.js";
import { linkTo } from "./exploration_link.js";
import { keep, readKept } from "./kept.js";

const MOST_LINES = 300; // of an exploration that is opened here

export class Variations {
  /** `ask`: sends `explore` to the server; `tell`: what is to be called after a change. */
  constructor(table, ask, tell) {
    Object.assign(this, { table, ask, tell, key: `gamedsl exploration ${table.name}`, isOn: false, wishes: 0 });
    this.#clear();
  }

  #clear() {
    Object.assign(this, { tried: [], notes: new Map(), positions: new Map(), ends: new Map(), at: null });
  }

  /** Of the game itself; they have the first numbers. */
  get #played() {
    return this.table.nodes;
  }

  get nodes() {
    return [...this.#played, ...this.tried].map((node) => (this.notes.has(node.id) ? { ...node, notes: this.notes.get(node.id) } : node));
  }

  get position() {
    return this.positions.get(this.at);
  }

  /** Begins to explore at a node, with what this browser keeps. `shown`: asks for the node, once the server has answered, as a person may
   *  go elsewhere until then. */
  async begin(shown) {
    this.table.begins(); // the board is seen from the same side, whoever is to move
    const kept = readKept(this.key, null);
    const last = await this.#know(this.#played.length - 1); // which may be an end by the rules
    if (!last.ok) return last;
    if (typeof kept === "string" && !this.tried.length && !this.notes.size) await this.open(kept, false);
    const node = shown();
    const known = await this.#know(node);
    if (!known.ok) return known;
    this.at = node;
    this.isOn = true;
    return this.go(shown());
  }

  end() {
    this.isOn = false;
    this.tell();
    return null;
  }

  /** Goes to a node. Where a person wishes for another one before the server has answered, the last wish counts. */
  async go(id) {
    this.wishes += 1;
    const wish = this.wishes;
    const known = await this.#know(id);
    if (!known.ok || wish !== this.wishes) return known;
    this.at = id;
    this.tell();
    return known;
  }

  /** Asks for the position at a node, unless it is known. */
  async #know(id) {
    if (this.positions.has(id)) return { ok: true };
    const answer = await this.ask({ ...this.#from(id), action: -1 });
    if (answer.ok) this.#learn(id, answer.explored);
    return answer;
  }

  #learn(id, { position, end }) {
    this.positions.set(id, position);
    this.ends.set(id, end);
  }

  /** The node of the game from which a node is reached, and the plies from there. */
  #from(id) {
    const line = [];
    let at = id;
    for (; at >= this.#played.length; at = this.#node(at).parent) line.unshift(this.#node(at).text);
    return { node: at, line };
  }

  #node(id) {
    return this.#played[id] ?? this.tried.find((one) => one.id === id);
  }

  async play(action) {
    this.wishes += 1;
    const [wish, { at }] = [this.wishes, this];
    const { line, node } = this.#from(at);
    const answer = await this.ask({ node, line, action });
    if (!answer.ok || !this.#node(at)) return answer; // or somebody has removed the variation since
    const added = this.#added(at, line.length, answer.explored).at(-1); // also when a person has gone elsewhere since
    if (wish === this.wishes) this.at = added;
    this.#keep();
    this.tell();
    return { ok: true };
  }

  /** Adds what follows a node, or finds it where it was tried before; the numbers of it. `from`: how much of the line is known. */
  #added(parent, from, explored) {
    let at = parent;
    const ids = explored.line.slice(from).map((text, i) => (at = this.#child(at, text, explored.movers[from + i])));
    if (!this.positions.has(at)) this.#learn(at, explored);
    return ids;
  }

  #child(parent, text, seat) {
    const known = [...this.#played, ...this.tried].find((one) => one.parent === parent && one.text === text);
    if (known) return known.id;
    const id = Math.max(this.#played.length - 1, ...this.tried.map((one) => one.id)) + 1;
    this.tried.push({ id, parent, seat, text });
    return id;
  }

  undo() {
    return this.at ? this.go(this.#node(this.at).parent) : { ok: false, reasons: [{ message: "There is nothing to take back.", clauses: [] }] };
  }

  note(id, notes) {
    this.notes.set(id, fitNotes(notes));
    this.#keep();
    this.tell();
  }

  async prune() {
    if (this.at < this.#played.length) return { ok: false, reasons: [{ message: "The moves of the game stay; only variations can be removed.", clauses: [] }] };
    const gone = new Set([this.at]);
    const { parent } = this.#node(this.at);
    for (const node of this.tried) if (gone.has(node.parent)) gone.add(node.id);
    this.tried = this.tried.filter(({ id }) => !gone.has(id));
    for (const id of gone) [this.notes, this.positions, this.ends].forEach((map) => map.delete(id));
    this.#keep();
    return this.go(parent);
  }

  #keep() {
    keep(this.key, this.text());
  }

  text() {
    const { game } = this.table;
    const nodes = this.nodes.map((node) => ({ ...node, who: node.parent === null ? "" : nameOf(game, node.seat), ply: node.text, end: this.ends.get(node.id) ?? null }));
    return explorationText(game, nodes, this.at ?? this.#played.length - 1);
  }

  link() {
    return linkTo(`${location.origin}${location.pathname}`, this.text());
  }

  /** Opens an exploration over this game, once all its moves are known to be legal. */
  async open(text, keeps = true) {
    let read = null;
    try {
      read = readExploration(text);
    } catch (error) {
      return { ok: false, reasons: [{ message: error.message, clauses: [] }] };
    }
    this.table.begins();
    if (!this.isOn) await this.go(this.#played.length - 1);
    const before = { tried: this.tried, notes: this.notes, positions: this.positions, ends: this.ends, at: this.at };
    this.#clear();
    const refused = await this.#take(read);
    if (refused) {
      Object.assign(this, before);
      return { ok: false, reasons: [{ message: refused, clauses: [] }] };
    }
    this.isOn = true;
    if (keeps) this.#keep();
    this.tell();
    return { ok: true, say: differences(read, this.table.game, read.nodes.map(({ end }, i) => (this.ends.has(this.ids[i]) ? this.ends.get(this.ids[i]) : end))).join(" ") };
  }

  /** Finds the nodes of an exploration in the game, and asks the server for the others, one line after another; why that fails, or null. */
  async #take({ nodes, at }) {
    const parents = new Set(nodes.map(({ parent }) => parent));
    const leaves = nodes.map((_, i) => i).filter((i) => !parents.has(i));
    if (leaves.length > MOST_LINES) return `A table opens at most ${MOST_LINES} lines; a page in a file opens more.`;
    this.ids = [0];
    for (const leaf of leaves) {
      const line = [];
      for (let i = leaf; this.ids[i] === undefined; i = nodes[i].parent) line.unshift(i);
      let last = line.length ? this.ids[nodes[line[0]].parent] : 0;
      while (line.length) { // what the game has, needs no question
        const known = this.#played.find((one) => one.parent === last && one.text === nodes[line[0]].ply);
        if (!known) break;
        last = this.ids[line.shift()] = known.id;
      }
      if (!line.length) continue;
      const from = this.#from(last);
      const answer = await this.ask({ node: from.node, line: [...from.line, ...line.map((i) => nodes[i].ply)], action: -1 });
      if (!answer.ok) return `This exploration holds a move that these rules do not have: ${lineText(nodes, leaf)} (${answer.reasons[0].message}).`;
      const { movers } = answer.explored;
      this.#added(last, from.line.length, answer.explored).forEach((id, k) => { this.ids[line[k]] = id; });
      const strange = line.find((i, k) => nameOf(this.table.game, movers[from.line.length + k]) !== nodes[i].who);
      if (strange !== undefined) return `In this exploration ${nodes[strange].who} makes the move ${nodes[strange].ply}, and here it is the turn of another.`;
    }
    nodes.forEach(({ notes }, i) => { if (notes.comment || notes.circles.length || notes.arrows.length) this.notes.set(this.ids[i], notes); });
    const shown = await this.go(this.ids[at]);
    return shown.ok ? null : shown.reasons[0].message;
  }
}

const nameOf = (game, seat) => (seat === null ? "chance" : game.players[seat].name);
