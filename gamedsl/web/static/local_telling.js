// What a table inside of the page tells who looks: positions, the tree of plies, what chance has brought.

import { lastBoard } from "./local_endings.js";
import { CLEAN, scarsOf } from "./local_paper.js";
import { picture } from "./local_picture.js";
import { acting, actionText, stopOf, turn } from "./local_turn.js";
import { View } from "./questions.js";

const HIDDEN = "(hidden)";

export class Telling {
  /** `play`: the tree; `drawings`: of boards that players draw. */
  constructor(play, drawings) {
    Object.assign(this, { play, drawings, rules: play.rules, game: play.rules.facts.game });
  }

  /** A node as a seat may see it. `playedBy`: texts per seat. */
  position(node, viewer, playedBy) {
    const view = new View(this.rules, node.state, viewer);
    const stop = stopOf(this.rules, node.state);
    const end = lastBoard(this.rules.facts, stop, node.ended);
    const part = end ? this.rules.facts.endings[end.block].part : stop.part;
    const { scene } = this.rules.facts.looks[part];
    const paper = this.game.hides ? { ...CLEAN, ended: node.paper.ended } : node.paper;
    const shown = picture(view, stop, {
      paper: scarsOf(paper, part, end !== null, this.rules.kind(node.state) === "end"),
      end,
      ended: node.ended,
      touched: this.#touched(node, part, end, viewer),
      last: node.parent === null ? "" : `${this.name(node.seat)}: ${this.#text(node, viewer)}`,
      acting: acting(this.rules, node.state, viewer),
      playedBy,
      fallen: this.#fallen(node),
      drawing: this.drawings.shapes(end ? end.state : node.state),
    });
    return { scene, picture: shown, turn: turn(this.rules, node.state, viewer) };
  }

  tree(viewer) {
    return this.play.nodes.map((node) => ({ id: node.id, parent: node.parent, seat: node.seat, text: node.parent === null ? "" : this.#text(node, viewer) }));
  }

  name(seat) {
    return seat === null ? "chance" : this.game.players[seat].name;
  }

  /** The plies of the play, for a record. */
  plyTexts() {
    const { nodes, tip } = this.play;
    return this.play.plies(nodes[tip]).map(({ seat, action }) => ({ who: this.name(seat), text: action === null ? "" : actionText(this.rules, action) }));
  }

  /** What a seat is told of a ply: all, where nothing is hidden and all have chosen. */
  #text(node, viewer) {
    if (node.action === null) return "";
    const isOpen = this.game.hides ? node.seat === viewer && viewer !== null : this.play.isCarriedOut(node);
    return isOpen ? actionText(this.rules, node.action) : HIDDEN;
  }

  /** The places that the last ply names, on the same board. */
  #touched(node, shown, end, viewer) {
    if (node.action === null || this.#text(node, viewer) === HIDDEN || (!end && (node.entered >> shown) & 1)) return [];
    const { kind, values } = this.rules.parts(node.action);
    const { parameters, part } = this.game.kinds[kind];
    if (part !== shown || this.rules.facts.turns.kinds[kind].schema === null) return [];
    return parameters.flatMap(({ places }, i) => places.flatMap(({ domain, members }) => (members ? members[values[i]] : [values[i]]).map((index) => [domain, index])));
  }

  /** The outcomes that came together last, until somebody else has moved. */
  #fallen(node) {
    if (this.game.hides) return [];
    const [found, movers] = [[], new Set()];
    for (const at of this.play.line(node)) {
      if (at.parent === null) break;
      if (at.seat === null) found.unshift(at.action);
      else if (found.length) break;
      else if (movers.add(at.seat).size > 1) return [];
    }
    return grouped(found.map((action) => [this.game.kinds[this.rules.parts(action).kind].name, actionText(this.rules, action)]));
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
