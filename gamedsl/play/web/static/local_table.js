// A table inside of the page: the rules as WebAssembly, people at one screen, opponents in a worker, everything kept in the
// browser. The members are those of docs/reference/web.md.

import { Drawings } from "./drawings.js";
import { paperRedrawn, paperRefused } from "./local_paper.js";
import { fitNotes, isExploration } from "./exploration.js";
import { linkTo } from "./exploration_link.js";
import { exploredText, openExploration } from "./local_exploration.js";
import { LocalPlay } from "./local_play.js";
import { recordText } from "./local_records.js";
import { keep, restore } from "./local_saves.js";
import { Telling } from "./local_telling.js";
import { actionText, legalIn, reasons, stopOf } from "./local_turn.js";
import { HUMAN, Opponents, RANDOM, canSearch } from "./opponents.js";
import { loadRules } from "./rules.js";
import { Marks, faultOfMarks } from "./marks.js";
import { editMarks, editPlayers } from "./setup.js";

/** Opens a table. `code`: the module; `facts`: the JSON beside it; `worker`: the script of the worker; `players`: who plays each
 *  seat at first; `Log`: what determines what a seat is told (null where nothing is hidden). */
export async function openLocalTable({ code, facts, worker, players, Log }) {
  const rules = await loadRules(code, facts);
  return new LocalTable(rules, new Opponents(code, facts, worker), players, Log);
}

class LocalTable {
  constructor(rules, opponents, players, Log) {
    Object.assign(this, { rules, opponents, players, game: rules.facts.game, listeners: new Set(), notice: "", trouble: null, turn: 0, uncovered: null, values: {}, proofs: {}, marks: [] });
    this.drawings = new Drawings(rules);
    this.tree = new LocalPlay(rules);
    this.telling = new Telling(this.tree, this.drawings, Log);
    this.key = `gamedsl ${this.game.digest} ${JSON.stringify(this.game.options)}`;
    restore(this);
    this.#goOn();
  }

  get exploring() {
    return this.tree.explores;
  }

  /** Where nothing is hidden, a person can play for all and try variations; not while some have chosen in secret and others have not. */
  get canExplore() {
    return !this.game.hides && (this.exploring || !this.#isOpen);
  }

  get #isOpen() {
    return this.tree.isPartial(this.tree.nodes[this.tree.tip]);
  }

  get seats() {
    return this.exploring ? this.players.map((_, seat) => seat) : this.you;
  }

  /** The seats of people, also while somebody explores. */
  get you() {
    return this.players.map((one, seat) => (one === HUMAN ? seat : -1)).filter((seat) => seat >= 0);
  }

  // ------------------------------------------------------------------------------------------------- what is shown

  /** The seat that looks at the screen: whoever is to act, else who looked last. */
  get #viewer() {
    const { seats } = this;
    const next = this.tree.looksBack ? undefined : this.tree.acting().find((seat) => seats.includes(seat));
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
    const covered = secret && !this.exploring && !tree.isOver && this.seats.length > 1 && this.uncovered !== viewer;
    return {
      position: telling.position(tree.node, viewer, this.players),
      tree: telling.tree(viewer),
      can: { undo: !this.game.hides && tree.undone(this.seats) !== null, go: !this.game.hides || tree.isOver, redraw: tree.node.paper.mayRedraw && !tree.looksBack, load: true },
      notice: this.notice,
      cover: covered ? viewer : null,
      values: this.values,
      proofs: this.proofs,
      exploring: this.exploring,
      clocks: null,
      trouble: this.trouble,
      marks: this.marks,
    };
  }

  // ------------------------------------------------------------------------------------------------- what is done

  async play(action, seat) {
    if (this.tree.looksBack) return refused("The game is over.");
    const found = reasons(this.rules, this.tree.node.state, [action], seat);
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

  /** Lets chance and the programs act, until a person must. What fails in that is shown, and can be tried again. */
  async #goOn() {
    const { tree } = this;
    this.trouble = null;
    this.turn += 1;
    if (tree.looksBack) {
      keep(this);
      return this.#tell();
    }
    const now = this.turn; // a later call takes over
    try {
      let isReply = false; // what a person has done is shown at once
      while (now === this.turn && (await this.#programPly(now, isReply))) isReply = true;
    } catch (error) {
      if (now !== this.turn) return;
      const [seat] = tree.acting();
      const isProgram = seat !== undefined && !this.exploring && this.players[seat] !== HUMAN;
      this.notice = "";
      this.trouble = `${isProgram ? `${this.telling.name(seat)} could not move` : "The game cannot continue"}: ${error.message}.`;
      this.#tell();
    }
  }

  /** Tries again what failed. */
  async retry() {
    await this.#goOn();
  }

  /** Chance, then a program's ply if one is to act; whether there was one. */
  async #programPly(now, isReply) {
    const { tree, rules } = this;
    tree.letChance();
    const [seat] = tree.acting();
    const who = seat === undefined || this.exploring ? HUMAN : this.players[seat];
    const waits = who !== HUMAN && tree.at === tree.tip;
    this.notice = waits ? `${this.telling.name(seat)} is thinking ...` : "";
    keep(this);
    const prepared = isReply ? this.telling.prepare(this.#viewer, (...asked) => this.opponents.announced(...asked)) : null;
    if (prepared) await prepared;
    if (now !== this.turn) return false;
    this.#tell();
    if (!waits && this.exploring) this.#prove();
    if (!waits) return false;
    if (tree.kind === "drawing") {
      await shown();
      if (now === this.turn) tree.add(null, seat, this.#chooseDrawing());
      return true;
    }
    const action = await this.opponents.choose(tree.kind === "player" || rules.facts.search ? who : RANDOM, this.#plies(), legalIn(rules, tree.node.state));
    if (now === this.turn) tree.add(action, seat); // else a person has gone elsewhere
    return true;
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

  async why(actions, seat) {
    return reasons(this.rules, this.tree.node.state, actions, seat);
  }

  /** What a seat would see after an action; null where something is hidden, or nobody chooses alone. */
  async preview(action, seat) {
    const { tree, rules, game } = this;
    const before = tree.node;
    if (game.hides || tree.kind !== "player" || !legalIn(rules, before.state).includes(action)) return null;
    return this.telling.preview(tree.made(before, action, seat), seat, this.players);
  }

  /** `id`: of the tree that is shown. */
  async go(id) {
    const node = this.telling.nodeOf(id, this.#viewer);
    if (this.tree.isPartial(this.tree.nodes[node])) return refused("Not all players had chosen there yet.");
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
    if (this.game.hides && !this.tree.isOver) return "The record contains hidden information. You can get it after the game.";
    if (this.#isOpen && !this.exploring) return "Not all players have chosen yet. You can get the record after that.";
    return recordText(this.game, this.telling.plyTexts());
  }

  async load(text) {
    if (isExploration(text)) return this.#open(text);
    try {
      this.tree.load(text);
    } catch (error) {
      return refused(error.message);
    }
    this.#forget();
    this.#goOn();
    return { ok: true };
  }

  // ------------------------------------------------------------------------------------------------- exploring

  #open(text) {
    if (this.game.hides) return refused("Where something is hidden, there are no explorations.");
    let told = [];
    try {
      told = openExploration(this, text);
    } catch (error) {
      return refused(error.message);
    }
    this.#forget();
    this.explore(true);
    return { ok: true, say: told.join(" ") };
  }

  /** Opens an exploration from a link. It is kept apart from the game that this browser keeps, which goes on without the link. */
  async openLink(letters, text) {
    if (this.game.hides) return this.#open(text);
    this.turn += 1; // nobody plays on in the other game
    this.key = `${this.key} ${letters.slice(-24)}`;
    this.tree.begin();
    this.#forget();
    if (!restore(this)) return this.load(text);
    this.#goOn();
    return { ok: true };
  }

  /** Begins to explore, or ends it: then the play goes on where it was. */
  explore(begins) {
    this.tree.explores = begins;
    if (!begins) this.tree.at = this.tree.tip;
    this.#goOn();
  }

  /** Changes the comment or the marks at a node. */
  note(id, notes) {
    this.tree.nodes[id].notes = fitNotes(notes);
    keep(this);
    this.#tell();
  }

  /** Takes a variation out, from the node that is shown on. */
  async prune() {
    if (!this.tree.prune(this.tree.at)) return refused("The moves of the game stay; only variations can be removed.");
    this.#forget();
    this.#goOn();
    return { ok: true };
  }

  explored() {
    return exploredText(this);
  }

  /** The address of this page with the exploration. */
  link() {
    return linkTo(location.href.split("#")[0], this.explored());
  }

  /** Says who wins the position that is shown, if that can be proved. */
  async #prove() {
    const { tree } = this;
    const { node, number, nodes } = tree;
    if (node.id in this.proofs || !this.rules.facts.searchable || this.game.players.length !== 2 || !["player", "chance"].includes(tree.kind)) return;
    const found = await this.opponents.prove(this.#plies());
    if (number !== tree.number || nodes[node.id] !== node || tree.nodes[node.id] !== node) return; // another play has begun
    this.proofs[node.id] = found === null ? "" : found === 0 ? "drawn" : `${this.telling.name(found > 0 ? 0 : 1)} wins`;
    this.#tell();
  }

  // ------------------------------------------------------------------------------------------------- tools

  get tools() {
    const { kind, nodes } = this.tree;
    const { facts, facts: { searchable } } = this.rules;
    return [
      { id: "new", label: "New game", run: () => this.#restart() },
      ...(this.canExplore ? [{ id: "explore", label: this.exploring ? "Stop exploring" : "Explore", run: () => this.explore(!this.exploring) }] : []),
      { id: "players", label: "Players", run: () => this.#choosePlayers() },
      ...(this.game.marks ? [{ id: "marks", label: "Marks", run: () => this.#chooseMarks() }] : []),
      ...(canSearch(facts) && kind === "player" && !this.tree.looksBack ? [{ id: "hint", label: "Hint", run: () => this.#hint() }] : []),
      ...(searchable && nodes.length > 2 ? [{ id: "evaluate", label: "Evaluate", run: () => this.#evaluate() }] : []),
      ...(kind === "drawing" ? [{ id: "prepared", label: "Draw for me", run: () => this.#drawForMe() }] : []),
    ];
  }

  async #restart() {
    this.tree.begin();
    this.#forget();
    this.tree.explores = false;
    await this.#goOn();
  }

  /** Forgets what belongs to the play that was. */
  #forget() {
    Object.assign(this, { uncovered: null, values: {}, proofs: {} });
  }

  async #choosePlayers() {
    const chosen = await editPlayers(new Marks(this.game, this.#update()).game(this.game), this.players, canSearch(this.rules.facts) ? Object.keys(this.rules.facts.levels) : []);
    if (chosen === null) return;
    this.players = chosen;
    this.tree.number += 1;
    await this.#goOn();
  }

  async #chooseMarks() {
    const seats = this.game.players.map((_, seat) => seat);
    const chosen = await editMarks(this.game, seats, this.marks, async (marks) => faultOfMarks(this.game.marks, marks));
    if (chosen === null) return;
    this.marks = chosen;
    keep(this);
    this.#tell();
  }

  async #hint() {
    const [seat] = this.tree.acting();
    const { action, returns, proved } = await this.opponents.hint(this.#plies());
    if (returns === null) return { say: actionText(this.rules, action) };
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

  /** Draws for the person whose turn it is. */
  async #drawForMe() {
    const [seat] = this.tree.acting();
    this.tree.add(null, seat, this.#chooseDrawing());
    await this.#goOn();
  }

  /** The number of a drawing for the position that is shown: one of those prepared, or strokes made at random where what was
   *  drawn before is a person's own. */
  #chooseDrawing() {
    const { rules, drawings } = this;
    const { state } = this.tree.node;
    const prepared = rules.drawings(state);
    if (prepared > 0) return rules.drawing(rules.takePrepared(state, Math.floor(Math.random() * prepared)));
    return drawings.add(drawings.randomly(state, stopOf(rules, state).strokes, Math.random));
  }
}

const shown = () => new Promise((done) => { setTimeout(done); }); // the page has drawn what it was told
const refused = (message) => ({ ok: false, reasons: [{ message, clauses: [] }] });
