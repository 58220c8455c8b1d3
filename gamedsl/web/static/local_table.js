// A table inside of the page: the rules as WebAssembly, people at one screen, opponents in a worker, everything kept in the
// browser. The members are those of docs/reference/web.md.

import { Drawings } from "./drawings.js";
import { CLEAN, paperAfter, paperRedrawn, paperRefused, scarsOf } from "./local_paper.js";
import { picture } from "./local_picture.js";
import { readRecord, recordText } from "./local_records.js";
import { acting, actionText, reasons, stopOf, turn } from "./local_turn.js";
import { HUMAN, Opponents, RANDOM } from "./opponents.js";
import { View } from "./questions.js";
import { loadRules } from "./rules.js";
import { editPlayers } from "./setup.js";

const SAVED = 1; // the form of what is kept
const MOST_CHANCES = 10_000; // outcomes in a row, so that rules without an end stop
const HIDDEN = "(hidden)";

/** Opens a table. `code`: the module; `facts`: the JSON beside it; `worker`: the script of the worker; `players`: who plays each
 *  seat at first. */
export async function openLocalTable({ code, facts, worker, players }) {
  const rules = await loadRules(code, facts);
  return new LocalTable(rules, new Opponents(code, facts, worker), players);
}

class LocalTable {
  constructor(rules, opponents, players) {
    Object.assign(this, { rules, opponents, players, game: rules.facts.game, listeners: new Set(), notice: "" });
    this.drawings = new Drawings(rules);
    this.key = `gamedsl ${this.game.digest} ${JSON.stringify(this.game.options)}`;
    this.#begin();
    this.#restore();
    this.#goOn();
  }

  get seats() {
    return this.players.map((one, seat) => (one === HUMAN ? seat : -1)).filter((seat) => seat >= 0);
  }

  #begin() {
    this.nodes = [{ id: 0, parent: null, seat: null, action: null, state: this.rules.initial(), paper: CLEAN, drawing: null }];
    Object.assign(this, { at: 0, tip: 0, uncovered: null, values: {}, number: (this.number ?? 0) + 1 });
  }

  // ------------------------------------------------------------------------------------------------- what is shown

  get #node() {
    return this.nodes[this.at];
  }

  #acting(node = this.#node) {
    return this.rules.kind(node.state) === "end" ? [] : this.rules.actors(node.state);
  }

  get #isOver() {
    return this.rules.kind(this.nodes[this.tip].state) === "end";
  }

  /** The seat that looks at the screen: whoever is to act, else who looked last. */
  get #viewer() {
    const { seats } = this;
    const next = this.#acting().find((seat) => seats.includes(seat));
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
    const viewer = this.#viewer;
    const secret = this.game.hides || this.rules.kind(this.#node.state) === "together";
    const covered = secret && !this.#isOver && this.seats.length > 1 && this.uncovered !== viewer;
    return {
      position: this.#position(this.#node, viewer),
      tree: { nodes: this.#tree(viewer), at: this.at, tip: this.tip },
      can: { undo: !this.game.hides && this.#undone() !== null, go: !this.game.hides, redraw: this.#node.paper.mayRedraw, load: true },
      notice: this.notice,
      cover: covered ? viewer : null,
      values: this.values,
      clocks: null,
    };
  }

  #position(node, viewer) {
    const view = new View(this.rules, node.state, viewer);
    const stop = stopOf(this.rules, node.state);
    const { scene } = this.rules.facts.looks[stop.part];
    const paper = this.game.hides ? CLEAN : node.paper;
    const shown = picture(view, stop, {
      paper: scarsOf(paper, stop.part),
      touched: this.#touched(node, stop, viewer),
      last: node.parent === null ? "" : `${this.#name(node.seat)}: ${this.#text(node, viewer)}`,
      acting: acting(this.rules, node.state, viewer),
      playedBy: this.players,
      fallen: this.#fallen(node),
      drawing: this.drawings.shapes(node.state),
    });
    return { scene, picture: shown, turn: turn(this.rules, node.state, viewer) };
  }

  #name(seat) {
    return seat === null ? "chance" : this.game.players[seat].name;
  }

  /** What a seat is told of a ply: all, where nothing is hidden and all have chosen. */
  #text(node, viewer) {
    if (node.action === null) return "";
    const isOpen = this.game.hides ? node.seat === viewer && viewer !== null : this.#isCarriedOut(node);
    return isOpen ? actionText(this.rules, node.action) : HIDDEN;
  }

  /** Has somebody, but not everybody, chosen here? */
  #isPartial(node) {
    return this.rules.kind(node.state) === "together" && this.#acting(node).length < acting(this.rules, node.state, null).length;
  }

  /** Have all chosen, here or later? */
  #isCarriedOut(node) {
    return !this.#isPartial(node) || this.nodes.some((one) => one.parent === node.id && this.#isCarriedOut(one));
  }

  /** The tree. Where the rules hide something, outcomes of chance are left out. */
  #tree(viewer) {
    return this.nodes.map(({ id, parent, seat }) => ({ id, parent, seat, text: parent === null ? "" : this.#text(this.nodes[id], viewer) }));
  }

  /** The places that the last ply names, on the same board. */
  #touched(node, stop, viewer) {
    if (node.action === null || this.#text(node, viewer) === HIDDEN) return [];
    const { kind, values } = this.rules.parts(node.action);
    const { parameters, part } = this.game.kinds[kind];
    if (part !== stop.part || this.rules.facts.turns.kinds[kind].schema === null) return [];
    return parameters.flatMap(({ places }, i) => places.flatMap(({ domain, members }) => (members ? members[values[i]] : [values[i]]).map((index) => [domain, index])));
  }

  /** The outcomes that came together last, until somebody else has moved. */
  #fallen(node) {
    if (this.game.hides) return [];
    const [found, movers] = [[], new Set()];
    for (let at = node; at.parent !== null; at = this.nodes[at.parent]) {
      if (at.seat === null) found.unshift(at.action);
      else if (found.length) break;
      else if (movers.add(at.seat).size > 1) return [];
    }
    return grouped(found.map((action) => [this.game.kinds[this.rules.parts(action).kind].name, actionText(this.rules, action)]));
  }

  // ------------------------------------------------------------------------------------------------- what is done

  async play(action, seat) {
    const node = this.#node;
    const found = reasons(this.rules, node.state, action, seat);
    if (found.length) return this.#refuse(found, seat);
    this.#add(action, seat);
    this.#goOn();
    return { ok: true };
  }

  #refuse(found, seat) {
    const paper = paperRefused(this.rules, this.#node.paper, this.#node.state, seat);
    if (paper !== this.#node.paper) {
      this.#node.paper = paper;
      this.#tell();
    }
    return { ok: false, reasons: found };
  }

  /** Adds a ply to the node that is shown, or goes to where it was made before. `drawing`: the number of a drawing. */
  #add(action, seat, drawing = null) {
    const before = this.#node;
    const known = action === null ? null : this.nodes.find((one) => one.parent === this.at && one.action === action);
    if (known) {
      this.at = known.id;
      if (![...this.#line(this.nodes[this.tip])].includes(known)) this.tip = known.id;
      return;
    }
    const state = drawing === null ? this.rules.act(before.state, action) : this.rules.takeDrawing(before.state, drawing);
    const paper = paperAfter(this.rules, before.paper, before.state, { action, seat }, this.rules.entered());
    const node = { id: this.nodes.length, parent: this.at, seat, action, state, paper, drawing };
    this.nodes.push(node);
    this.at = this.tip = node.id;
  }

  /** A node and all before it, newest first. */
  *#line(node) {
    for (let at = node; ; at = this.nodes[at.parent]) {
      yield at;
      if (at.parent === null) return;
    }
  }

  /** Lets chance and the opponents act, until a person must. */
  async #goOn() {
    this.#letChance();
    const { number, at } = this;
    const [seat] = this.#acting();
    const who = seat === undefined ? HUMAN : this.players[seat];
    const waits = who !== HUMAN && this.at === this.tip;
    this.notice = waits ? `${this.#name(seat)} is thinking ...` : "";
    this.#save();
    this.#tell();
    if (!waits) return;
    const kind = this.rules.kind(this.#node.state);
    if (kind === "drawing") {
      await this.#takePrepared();
      return;
    }
    const action = await this.opponents.choose(kind === "player" ? who : RANDOM, this.#plies(), this.rules.legal(this.#node.state));
    if (number !== this.number || at !== this.at) return; // a person has gone elsewhere
    this.#add(action, seat);
    this.#goOn();
  }

  #letChance() {
    for (let i = 0; i < MOST_CHANCES && this.rules.kind(this.#node.state) === "chance"; i += 1) {
      const known = this.nodes.find((one) => one.parent === this.at);
      this.#add(known ? known.action : drawn(this.rules, this.#node.state), null);
    }
  }

  /** The plies that lead to the node that is shown, for the worker. */
  #plies(node = this.#node) {
    return [...this.#line(node)].reverse().slice(1).map(({ action, drawing }) => (drawing === null ? action : this.rules.records[drawing]));
  }

  async draw(strokes, seat) {
    const { state } = this.#node;
    const { done, drawing, strokes: told } = this.drawings.judge(state, stopOf(this.rules, state).strokes, strokes);
    if (!done) return { ok: false, reasons: told.flatMap((stroke) => stroke.faults) };
    this.#add(null, seat, this.drawings.add(drawing));
    this.#goOn();
    return { ok: true };
  }

  async judge(strokes) {
    const { state } = this.#node;
    const { done, strokes: told } = this.drawings.judge(state, stopOf(this.rules, state).strokes, strokes);
    return { done, strokes: told };
  }

  async why(action, seat) {
    return reasons(this.rules, this.#node.state, action, seat);
  }

  async go(node) {
    if (this.#isPartial(this.nodes[node])) return { ok: false, reasons: [{ message: "Not all have chosen there.", clauses: [] }] };
    this.at = node;
    this.#goOn();
    return { ok: true };
  }

  /** Where undoing leads: to the last decision of a person. */
  #undone() {
    const { seats } = this;
    const found = [...this.#line(this.#node)].slice(1).find((node) => this.#acting(node).some((seat) => seats.includes(seat)) && !this.#isPartial(node));
    return found?.id ?? null;
  }

  async undo() {
    const node = this.#undone();
    if (node === null) return { ok: false, reasons: [{ message: "There is nothing to take back.", clauses: [] }] };
    return this.go(node);
  }

  async redraw() {
    this.#node.paper = paperRedrawn(this.#node.paper);
    this.#tell();
    return { ok: true };
  }

  async uncover() {
    this.uncovered = this.#viewer;
    this.#tell();
  }

  async record() {
    if (this.game.hides && !this.#isOver) return "The record tells what is hidden: it can be had when the play is over.";
    return recordText(this.game, this.#plyTexts());
  }

  #plyTexts() {
    return [...this.#line(this.nodes[this.tip])].reverse().slice(1).map(({ seat, action }) => ({ who: this.#name(seat), text: action === null ? "" : actionText(this.rules, action) }));
  }

  async load(text) {
    const kept = { nodes: this.nodes, at: this.at, tip: this.tip };
    this.#begin();
    try {
      for (const ply of readRecord(text)) this.#addText(ply);
    } catch (error) {
      Object.assign(this, kept);
      return { ok: false, reasons: [{ message: error.message, clauses: [] }] };
    }
    this.#goOn();
    return { ok: true };
  }

  #addText({ text, line }) {
    const { state } = this.#node;
    const isOver = this.rules.kind(state) === "end";
    const action = isOver ? undefined : this.rules.legal(state).find((one) => alike(actionText(this.rules, one), text));
    if (action === undefined) throw new Error(`line ${line}: "${text}" is no legal move here`);
    this.#add(action, this.rules.kind(state) === "chance" ? null : this.#acting()[0]);
  }

  // ------------------------------------------------------------------------------------------------- tools

  get tools() {
    const canSearch = this.rules.facts.searchable && this.rules.kind(this.#node.state) === "player";
    return [
      { id: "new", label: "New play", run: () => this.#restart() },
      { id: "players", label: "Players", run: () => this.#choosePlayers() },
      ...(canSearch ? [{ id: "hint", label: "Hint", run: () => this.#hint() }] : []),
      ...(this.rules.facts.searchable && this.nodes.length > 2 ? [{ id: "evaluate", label: "Evaluate", run: () => this.#evaluate() }] : []),
      ...(this.rules.kind(this.#node.state) === "drawing" ? [{ id: "prepared", label: "Take a prepared drawing", run: () => this.#takePrepared() }] : []),
    ];
  }

  async #restart() {
    this.#begin();
    await this.#goOn();
  }

  async #choosePlayers() {
    const chosen = await editPlayers(this.game, this.players, this.rules.facts.searchable);
    if (chosen === null) return;
    this.players = chosen;
    this.number += 1;
    await this.#goOn();
  }

  async #hint() {
    const [seat] = this.#acting();
    const { action, returns, proved } = await this.opponents.hint(this.#plies());
    return { say: `${actionText(this.rules, action)} (${proved ? "proved" : "expected"}: ${returns[seat].toFixed(proved ? 0 : 2)} for ${this.#name(seat)})` };
  }

  /** Says how every position of the line stands, one after another. */
  async #evaluate() {
    const { number } = this;
    for (const node of [...this.#line(this.#node)].reverse()) {
      if (number !== this.number) return; // another play has begun
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
    const [seat] = this.#acting();
    const number = Math.floor(Math.random() * this.rules.drawings(this.#node.state));
    this.#add(null, seat, this.rules.drawing(this.rules.takePrepared(this.#node.state, number)));
    await this.#goOn();
  }

  // ------------------------------------------------------------------------------------------------- kept in the browser

  #save() {
    const nodes = this.nodes.slice(1).map(({ parent, seat, action, drawing }) => [parent, seat, action, drawing === null ? null : this.drawings.strokes(drawing)]);
    const { players, at, tip } = this;
    try {
      localStorage.setItem(this.key, JSON.stringify({ version: SAVED, players, nodes, at, tip }));
    } catch {
      // a browser may allow no storage: then the play ends with the page
    }
  }

  #restore() {
    try {
      const kept = JSON.parse(localStorage.getItem(this.key));
      if (kept?.version !== SAVED) return;
      for (const [parent, seat, action, drawing] of kept.nodes) {
        this.at = parent;
        this.#add(action, seat, drawing === null ? null : this.drawings.again(drawing));
      }
      Object.assign(this, { players: kept.players, at: kept.at, tip: kept.tip });
    } catch {
      this.#begin(); // what was kept is not of this form
    }
  }
}

/** Outcomes by what happened: `roll: 3, 5`. */
function grouped(outcomes) {
  const found = [];
  for (const [what, text] of outcomes) {
    if (found.at(-1)?.what !== what) found.push({ what, values: [] });
    found.at(-1).values.push(text.startsWith(what) ? text.slice(what.length).trim() : text);
  }
  return found;
}

/** An outcome of chance, by its weights. */
function drawn(rules, state) {
  const mark = rules.used;
  const [seed, index] = crypto.getRandomValues(new Int32Array(2));
  const size = rules.facts.memory.values;
  const [after, alike] = [rules.chance(state, seed, index), (one) => one.subarray(0, size).every((byte, i) => byte === after[i])];
  const outcome = rules.legal(state).find((action) => alike(rules.act(state, action)));
  rules.used = mark;
  return outcome;
}

const alike = (a, b) => a.toLowerCase().replaceAll(/\s+/g, "") === b.toLowerCase().replaceAll(/\s+/g, "");
