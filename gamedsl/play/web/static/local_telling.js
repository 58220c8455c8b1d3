// What a table inside of the page tells who looks: positions, the tree of plies, what chance has brought.

import { lastBoard } from "./local_endings.js";
import { CLEAN, paperTold, scarsOf } from "./local_paper.js";
import { picture } from "./local_picture.js";
import { gainsAfter } from "./local_scores.js";
import { acting, actionText, stopOf, turn } from "./local_turn.js";
import { View, toldAt } from "./questions.js";

const CHOSEN = "(hidden)"; // of a choice, until all have chosen

export class Telling {
  /** `play`: the tree; `drawings`: of boards that players draw; `Log`: what determines what a seat is told. */
  constructor(play, drawings, Log) {
    Object.assign(this, { play, drawings, Log, rules: play.rules, game: play.rules.facts.game, logged: [], gained: new WeakMap(), papers: new WeakMap(), opened: new WeakMap() });
  }

  /** Finds out what a seat is told of the plies until now, where that may take long: a promise, or null if all is at hand. `announced`:
   *  asks for it elsewhere, so that the page goes on meanwhile. */
  prepare(viewer, announced) {
    if (!this.game.hides) return null;
    const plies = this.play.plies(this.play.node);
    const log = this.#log(plies);
    const from = plies.findIndex((_, i) => !log.isAtHand(i + 1, viewer)) + 1;
    if (!from) return null;
    const take = (found) => found?.forEach((told, i) => log.take(from + i, viewer, told));
    return announced(plies.map(({ action, seat }) => [action, seat]), viewer, from).then(take, () => null); // what fails there fails here, too
  }

  /** A node as a seat may see it. `playedBy`: texts per seat. */
  position(node, viewer, playedBy) {
    return { ...this.preview(node, viewer, playedBy), turn: turn(this.rules, node.state, this.play.looksBack ? null : viewer) };
  }

  /** What is to be seen at a node, which need not be in the tree: its scene and its picture. */
  preview(node, viewer, playedBy) {
    const view = new View(this.rules, node.state, viewer, this.#revealed());
    const stop = stopOf(this.rules, node.state);
    const end = lastBoard(this.rules.facts, stop, node.ended);
    const part = end ? this.rules.facts.endings[end.block].part : stop.part;
    const { scene } = this.rules.facts.looks[part];
    const paper = this.game.hides ? this.#papers(node, viewer).at(-1) : node.paper;
    const told = this.#announced(node, viewer);
    const last = told.at(-1);
    const shown = picture(view, stop, {
      paper: scarsOf({ ...paper, gains: this.#gains(node, viewer) }, part, end, this.rules.kind(node.state) === "end"),
      end,
      ended: node.ended,
      touched: last === undefined ? [] : this.#touched(node, part, end, last),
      last: last === undefined ? "" : `${this.name(last.seat)}: ${last.text}`,
      acting: acting(this.rules, node.state, viewer),
      playedBy,
      fallen: this.#fallen(told),
      shapes: (state) => this.drawings.shapes(state),
    });
    return { scene, picture: shown };
  }

  /** The conditions that held where the game ended, for what its results may tell; null before the end. */
  #revealed() {
    const { nodes, tip, isOver } = this.play;
    if (!this.game.hides || !isOver) return null;
    return nodes[tip].told ??= toldAt(this.rules, nodes[tip].state);
  }

  /** The `tree` of docs/reference/web.md. Where the rules hide something, it is one line of what the seat is told. */
  tree(viewer) {
    const { nodes, node, at, tip } = this.play;
    if (!this.game.hides) {
      return { nodes: nodes.map((one) => ({ id: one.id, parent: one.parent, seat: one.seat, text: one.parent === null ? "" : this.#openly(one).text, ...(one.said.length ? { said: one.said } : {}), ...(one.notes ? { notes: one.notes } : {}) })), at, tip };
    }
    const line = this.#lines(viewer);
    const shown = line.filter((one) => one.ply <= this.play.plies(node).length).length;
    const all = line.map(({ seat, text, action, said }, i) => ({ id: i + 1, parent: i, seat, text, secret: action === null, ...(said.length ? { said } : {}) }));
    return { nodes: [{ id: 0, parent: null, seat: null, text: "", secret: false }, ...all], at: shown, tip: all.length };
  }

  /** Where something is hidden: all that a seat is told until now, with the number of the ply that revealed it, from 1, and what the
   *  rules said after it. */
  #lines(viewer) {
    const tip = this.play.nodes[this.play.tip];
    const log = this.#log(this.play.plies(tip));
    return this.#papers(tip, viewer).slice(1).flatMap(({ said }, i) => {
      const [told, known] = [log.at(i + 1, viewer).length, this.#known(log, i + 1, viewer)];
      return known.map((one, k) => ({ ...one, ply: i + 1, said: k === told - 1 ? said : [] })); // what the rules said is kept until a ply is noticed
    });
  }

  /** The node of the play at a node of the `tree` of a seat. */
  nodeOf(id, viewer) {
    if (!this.game.hides || id === 0) return id;
    const { nodes, tip } = this.play;
    return this.play.plies(nodes[tip])[this.#lines(viewer)[id - 1].ply - 1].id;
  }

  name(seat) {
    return seat === null ? "chance" : this.game.players[seat].name;
  }

  /** The plies of the play, for a record. */
  plyTexts() {
    const { nodes, tip } = this.play;
    return this.play.plies(nodes[tip]).map(({ seat, action }) => ({ who: this.name(seat), text: action === null ? "" : actionText(this.rules, action) }));
  }

  /** All that a seat is told of the plies that lead to a node, in order: {seat, text, action, parts} each (see `LocalLog`). */
  #announced(node, viewer) {
    const plies = this.play.plies(node);
    if (!this.game.hides) return plies.map((one) => this.#openly(one));
    const log = this.#log(plies);
    return plies.flatMap((_, i) => this.#known(log, i + 1, viewer));
  }

  /** What a seat knows of the ply with this number: once the game is over, with the conclusions from what its results may tell. */
  #known(log, number, viewer) {
    const held = this.#revealed();
    return held === null ? log.at(number, viewer) : log.afterEnd(number, viewer, held);
  }

  /** The papers as a seat knows them, before all plies that lead to a node and after each. What was found out is kept. */
  #papers(node, viewer) {
    const plies = this.play.plies(node);
    const log = this.#log(plies);
    return plies.reduce((papers, ply, i) => {
      const known = this.papers.get(ply) ?? this.papers.set(ply, new Map()).get(ply);
      if (!known.has(viewer)) {
        const step = { before: i ? plies[i - 1].state : this.play.nodes[0].state, after: ply.state, entered: ply.entered, ended: ply.ended };
        known.set(viewer, { ...paperTold(this.rules, papers.at(-1), viewer, step, log.at(i + 1, viewer)), ended: ply.paper.ended });
      }
      return [...papers, known.get(viewer)];
    }, [CLEAN]);
  }

  /** What the plies that lead to a node have added to the scores, as far as a seat may know it. */
  #gains(node, viewer) {
    const { rules, play } = this;
    if (!rules.facts.scores.variables.length) return [];
    const plies = play.plies(node);
    const log = this.game.hides ? this.#log(plies) : null;
    const key = this.game.hides ? viewer : null;
    return plies.reduce((gains, ply, i) => {
      const known = this.gained.get(ply) ?? this.gained.set(ply, new Map()).get(ply);
      if (!known.has(key)) {
        const before = i ? plies[i - 1].state : play.nodes[0].state;
        const told = (log === null ? this.#together(ply) : log.at(i + 1, viewer)).filter(({ parts }) => parts !== null);
        known.set(key, gainsAfter(rules, key, gains, { before, after: ply.state, entered: ply.entered, ended: ply.paper.ended, newly: ply.ended.length, told }));
      }
      return known.get(key);
    }, []);
  }

  /** The plies that became known with one, and it; none before all have chosen. */
  #together(ply) {
    const before = this.play.nodes[ply.parent];
    if (this.play.isPartial(ply)) return [];
    const earlier = this.play.isPartial(before) ? this.#earlier(before) : [];
    return [...earlier, ply].map((one) => this.#openly(one));
  }

  #earlier(ply) {
    const before = this.play.nodes[ply.parent];
    return [...(this.play.isPartial(before) ? this.#earlier(before) : []), ply];
  }

  /** The log of these plies. What was found out about earlier ones is kept. */
  #log(plies) {
    if (!plies.every((one, i) => i >= this.logged.length || one === this.logged[i])) this.logged = [];
    if (!this.logged.length) this.log = new this.Log(this.rules);
    for (const one of plies.slice(this.logged.length)) {
      this.log.add(one.action, one.seat);
      this.logged.push(one);
    }
    return this.log;
  }

  /** What everybody is told of a ply where nothing is hidden: all, once all have chosen. */
  #openly(node) {
    const { seat, action } = node;
    if (action === null) return { seat, text: "", action, parts: null };
    if (this.opened.has(node)) return this.opened.get(node);
    if (!this.play.isCarriedOut(node)) return { seat, text: CHOSEN, action: null, parts: null };
    const found = { seat, text: actionText(this.rules, action), action, parts: this.rules.parts(action) };
    if (!this.play.isPartial(node)) this.opened.set(node, found);
    return found;
  }

  /** The places that the last ply names, as far as it is known, on the same board. */
  #touched(node, shown, end, { parts }) {
    if (parts === null || (!end && (node.entered >> shown) & 1)) return [];
    const { parameters, part, covered } = this.game.kinds[parts.kind];
    if (part !== shown || this.rules.facts.turns.kinds[parts.kind].schema === null) return [];
    if (covered) return covered.members[parts.values.reduce((at, value, i) => at * parameters[i].names.length + value, 0)].map((index) => [covered.domain, index]);
    const known = parameters.map((one, i) => [one, parts.values[i]]).filter(([, value]) => value !== null);
    return known.flatMap(([{ places }, value]) => places.flatMap(({ domain, members }) => (members ? members[value] : [value]).map((index) => [domain, index])));
  }

  /** The outcomes that came together last, as far as they are known, until two players have moved since. */
  #fallen(told) {
    const [found, movers] = [[], new Set()];
    for (const one of [...told].reverse()) {
      if (one.seat === null) found.unshift(...(one.action === null ? [] : [one]));
      else if (found.length) break;
      else if (movers.add(one.seat).size > 1) return [];
    }
    return grouped(found.map(({ parts: { kind }, text }) => {
      const { name } = this.game.kinds[kind];
      return [this.rules.facts.turns.kinds[kind].happened, text.startsWith(name) ? text.slice(name.length).trim() : text];
    }));
  }
}

/** Outcomes by what happened: `rolled: 3, 5`. */
function grouped(outcomes) {
  const found = [];
  for (const [what, value] of outcomes) {
    if (found.at(-1)?.what !== what) found.push({ what, values: [] });
    found.at(-1).values.push(value);
  }
  return found;
}
