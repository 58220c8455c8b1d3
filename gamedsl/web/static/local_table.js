// A table inside of the page: the rules as WebAssembly, people at one screen, opponents in a worker, everything kept in the
// browser. The members are those of docs/reference/web.md.

import { Drawings } from "./drawings.js";
import { paperRedrawn, paperRefused } from "./local_paper.js";
import { LocalPlay } from "./local_play.js";
import { recordText } from "./local_records.js";
import { Telling } from "./local_telling.js";
import { actionText, reasons, stopOf } from "./local_turn.js";
import { HUMAN, Opponents, RANDOM } from "./opponents.js";
import { loadRules } from "./rules.js";
import { editPlayers } from "./setup.js";

const SAVED = 1; // the form of what is kept

/** Opens a table. `code`: the module; `facts`: the JSON beside it; `worker`: the script of the worker; `players`: who plays each
 *  seat at first. */
export async function openLocalTable({ code, facts, worker, players }) {
  const rules = await loadRules(code, facts);
  return new LocalTable(rules, new Opponents(code, facts, worker), players);
}

class LocalTable {
  constructor(rules, opponents, players) {
    Object.assign(this, { rules, opponents, players, game: rules.facts.game, listeners: new Set(), notice: "", uncovered: null, values: {} });
    this.drawings = new Drawings(rules);
    this.tree = new LocalPlay(rules);
    this.telling = new Telling(this.tree, this.drawings);
    this.key = `gamedsl ${this.game.digest} ${JSON.stringify(this.game.options)}`;
    this.#restore();
    this.#goOn();
  }

  get seats() {
    return this.players.map((one, seat) => (one === HUMAN ? seat : -1)).filter((seat) => seat >= 0);
  }

  // ------------------------------------------------------------------------------------------------- what is shown

  /** The seat that looks at the screen: whoever is to act, else who looked last. */
  get #viewer() {
    const { seats } = this;
    const next = this.tree.acting().find((seat) => seats.includes(seat));
    return next ?? (this.uncovered !== null && seats.includes(this.uncovered) ? this.uncovered : seats[0] ?? null);
  }

  subscribe(listener) {
    this.listeners.add(listener);
    listener(this.#update());
    return () => this.listeners.delete(listener);
  }

  #tell() {
    const update = this.#update();
    this.listeners.forEach((listener) => listener(update));
  }

  #update() {
    const { tree, telling } = this;
    const viewer = this.#viewer;
    const secret = this.game.hides || tree.kind === "together";
    const covered = secret && !tree.isOver && this.seats.length > 1 && this.uncovered !== viewer;
    return {
      position: telling.position(tree.node, viewer, this.players),
      tree: { nodes: telling.tree(viewer), at: tree.at, tip: tree.tip },
      can: { undo: !this.game.hides && tree.undone(this.seats) !== null, go: !this.game.hides, redraw: tree.node.paper.mayRedraw, load: true },
      notice: this.notice,
      cover: covered ? viewer : null,
      values: this.values,
      clocks: null,
    };
  }

  // ------------------------------------------------------------------------------------------------- what is done

  async play(action, seat) {
    const found = reasons(this.rules, this.tree.node.state, action, seat);
    if (found.length) return this.#refuse(found, seat);
    this.tree.add(action, seat);
    this.#goOn();
    return { ok: true };
  }

  #refuse(found, seat) {
    const { node } = this.tree;
    const paper = paperRefused(this.rules, node.paper, node.state, seat);
    if (paper !== node.paper) {
      node.paper = paper;
      this.#tell();
    }
    return { ok: false, reasons: found };
  }

  /** Lets chance and the opponents act, until a person must. */
  async #goOn() {
    const { tree } = this;
    tree.letChance();
    const { number, at, kind } = tree;
    const [seat] = tree.acting();
    const who = seat === undefined ? HUMAN : this.players[seat];
    const waits = who !== HUMAN && tree.at === tree.tip;
    this.notice = waits ? `${this.telling.name(seat)} is thinking ...` : "";
    this.#save();
    this.#tell();
    if (!waits) return;
    if (kind === "drawing") {
      await this.#takePrepared();
      return;
    }
    const action = await this.opponents.choose(kind === "player" ? who : RANDOM, this.#plies(), this.rules.legal(tree.node.state));
    if (number !== tree.number || at !== tree.at) return; // a person has gone elsewhere
    tree.add(action, seat);
    this.#goOn();
  }

  /** The plies that lead to a node, for the worker. */
  #plies(node = this.tree.node) {
    return this.tree.plies(node).map(({ action, drawing }) => (drawing === null ? action : this.rules.records[drawing]));
  }

  async draw(strokes, seat) {
    const { done, drawing, strokes: told } = this.#judged(strokes);
    if (!done) return { ok: false, reasons: told.flatMap((stroke) => stroke.faults) };
    this.tree.add(null, seat, this.drawings.add(drawing));
    this.#goOn();
    return { ok: true };
  }

  async judge(strokes) {
    const { done, strokes: told } = this.#judged(strokes);
    return { done, strokes: told };
  }

  #judged(strokes) {
    const { state } = this.tree.node;
    return this.drawings.judge(state, stopOf(this.rules, state).strokes, strokes);
  }

  async why(action, seat) {
    return reasons(this.rules, this.tree.node.state, action, seat);
  }

  async go(node) {
    if (this.tree.isPartial(this.tree.nodes[node])) return refused("Not all have chosen there.");
    this.tree.at = node;
    this.#goOn();
    return { ok: true };
  }

  async undo() {
    const node = this.tree.undone(this.seats);
    return node === null ? refused("There is nothing to take back.") : this.go(node);
  }

  async redraw() {
    const { node } = this.tree;
    node.paper = paperRedrawn(node.paper);
    this.#tell();
    return { ok: true };
  }

  async uncover() {
    this.uncovered = this.#viewer;
    this.#tell();
  }

  async record() {
    if (this.game.hides && !this.tree.isOver) return "The record tells what is hidden: it can be had when the play is over.";
    return recordText(this.game, this.telling.plyTexts());
  }

  async load(text) {
    try {
      this.tree.load(text);
    } catch (error) {
      return refused(error.message);
    }
    this.#forget();
    this.#goOn();
    return { ok: true };
  }

  // ------------------------------------------------------------------------------------------------- tools

  get tools() {
    const { kind, nodes } = this.tree;
    const { searchable } = this.rules.facts;
    return [
      { id: "new", label: "New play", run: () => this.#restart() },
      { id: "players", label: "Players", run: () => this.#choosePlayers() },
      ...(searchable && kind === "player" ? [{ id: "hint", label: "Hint", run: () => this.#hint() }] : []),
      ...(searchable && nodes.length > 2 ? [{ id: "evaluate", label: "Evaluate", run: () => this.#evaluate() }] : []),
      ...(kind === "drawing" ? [{ id: "prepared", label: "Take a prepared drawing", run: () => this.#takePrepared() }] : []),
    ];
  }

  async #restart() {
    this.tree.begin();
    this.#forget();
    await this.#goOn();
  }

  /** Forgets what belongs to the play that was. */
  #forget() {
    Object.assign(this, { uncovered: null, values: {} });
  }

  async #choosePlayers() {
    const chosen = await editPlayers(this.game, this.players, this.rules.facts.searchable);
    if (chosen === null) return;
    this.players = chosen;
    this.tree.number += 1;
    await this.#goOn();
  }

  async #hint() {
    const [seat] = this.tree.acting();
    const { action, returns, proved } = await this.opponents.hint(this.#plies());
    return { say: `${actionText(this.rules, action)} (${proved ? "proved" : "expected"}: ${returns[seat].toFixed(proved ? 0 : 2)} for ${this.telling.name(seat)})` };
  }

  /** Says how every position of the line stands, one after another. */
  async #evaluate() {
    const { number } = this.tree;
    for (const node of [...this.tree.line()].reverse()) {
      if (number !== this.tree.number) return; // another play has begun
      if (node.id in this.values) continue;
      const value = await this.#valueOf(node);
      if (value === null) continue;
      this.values[node.id] = value;
      this.#tell();
    }
  }

  /** How a position stands for the first player, from -1 to 1; null where nobody is to choose alone. */
  async #valueOf(node) {
    const kind = this.rules.kind(node.state);
    if (kind !== "end" && kind !== "player") return null;
    const returns = kind === "end" ? this.rules.returns(node.state) : (await this.opponents.evaluate(this.#plies(node))).returns;
    const { worst, best } = this.rules.facts;
    return (2 * (returns[0] - worst[0])) / Math.max(1e-9, best[0] - worst[0]) - 1;
  }

  async #takePrepared() {
    const { tree } = this;
    const [seat] = tree.acting();
    const number = Math.floor(Math.random() * this.rules.drawings(tree.node.state));
    tree.add(null, seat, this.rules.drawing(this.rules.takePrepared(tree.node.state, number)));
    await this.#goOn();
  }

  // ------------------------------------------------------------------------------------------------- kept in the browser

  #save() {
    const { players } = this;
    const { at, tip } = this.tree;
    const nodes = this.tree.nodes.slice(1).map(({ parent, seat, action, drawing }) => [parent, seat, action, drawing === null ? null : this.drawings.strokes(drawing)]);
    try {
      localStorage.setItem(this.key, JSON.stringify({ version: SAVED, players, nodes, at, tip }));
    } catch {
      // a browser may allow no storage: then the play ends with the page
    }
  }

  #restore() {
    const { tree } = this;
    try {
      const kept = JSON.parse(localStorage.getItem(this.key));
      if (kept?.version !== SAVED) return;
      for (const [parent, seat, action, drawing] of kept.nodes) {
        tree.at = parent;
        tree.add(action, seat, drawing === null ? null : this.drawings.again(drawing));
      }
      Object.assign(tree, { at: kept.at, tip: kept.tip });
      this.players = kept.players;
    } catch {
      tree.begin(); // what was kept is not of this form
    }
  }
}

const refused = (message) => ({ ok: false, reasons: [{ message, clauses: [] }] });
