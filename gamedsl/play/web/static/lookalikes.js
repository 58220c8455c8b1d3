// What a seat can infer of a ply from everything that it has observed: by going through all positions that games which look the
// same to the seat may have reached. The meaning, and the bounds, are those of gamedsl/engine/information/lookalikes.py.

import { carryOut, inferenceOf, joined } from "./consistent_moves.js";
import { moveText, placeText, visibleText } from "./observation.js";
import { RulesError } from "./rules.js";
import { Position } from "./core_rules.js";

class TooManyPositions extends Error {}

/** All moves made at a stop once its last one is made, in the order in which their effects run. `before`: the position before the
 *  last one. */
export function movesMade(before, move) {
  const { rules, stop, pending } = before;
  if (stop.end !== "DecideTogether") return [move];
  const seats = rules.seats(before);
  const made = pending.map(([mover, i, args]) => [mover, { kind: "move", player: seats[mover], schema: stop.alternatives[i].schema, args }]);
  return [...made, [rules.moverOf(before, move.player) ?? 0, move]].sort((a, b) => a[0] - b[0]).map(([, one]) => one);
}

/** The action of a move made at a stop. */
export function actionOf({ block, stop, rules }, { kind, schema, args, text, ...move }) {
  if (kind === "move") return { kind, block, schema, args, number: rules.alternativeOf(stop, { schema, ...move }) };
  return { kind, block, number: kind === "pass" ? 0 : stop.texts.indexOf(text) };
}

/** A seat, and what it sees of positions. */
export class Watcher {
  constructor(seat) {
    this.seat = seat;
    this.known = new Map();
  }

  /** The values that the seat sees, and where the game stands. */
  seen(position) {
    if (!this.known.has(position.key)) this.known.set(position.key, [visibleText(position, this.seat), placeText(position, this.seat)]);
    return this.known.get(position.key);
  }

  /** What changes for the seat by moves that are carried out at a stop, as a text; empty if nothing does. */
  notices(position, moves, after) {
    const found = [];
    const [before, place] = this.seen(position);
    let seen = before;
    for (const glimpse of this.#inPassing(position, moves)) {
      if (glimpse !== seen) found.push(`v${glimpse}`);
      seen = glimpse;
    }
    const [now, here] = this.seen(after);
    if (now !== seen) found.push(`v${now}`);
    if (here !== place) found.push(`p${here}`);
    return found.join("\n");
  }

  /** As `notices`, of one ply; one's own moves are noticed. */
  noticesPly(before, move, after) {
    const own = move.player !== null && move.player === this.seat ? `m${moveText(move)}\n` : "";
    return own + this.notices(before, after.pending.length ? [] : movesMade(before, move), after);
  }

  /** What the seat sees right after the effect of each move, before the rules go on. */
  #inPassing(position, moves) {
    const { rules, stop, block } = position;
    if (!moves.length) return [];
    const slots = position.slots.slice();
    const bare = new Position(rules, block, position.slots);
    if (stop.end === "DecideTogether") rules.execute(stop.tick, slots, []);
    return moves.map((move) => {
      carryOut(rules, actionOf(position, move), rules.moverOf(bare, move.player) ?? 0, slots);
      return visibleText(position, this.seat, slots);
    });
  }
}

/** The positions that look like the actual one to a seat, by their keys. */
export class Lookalikes {
  /** `trials`: moves made to find them; `inferred`: what the moves have in common that led there. */
  constructor(seat, positions, trials = 0, inferred = null) {
    Object.assign(this, { seat, positions, trials, inferred, watcher: new Watcher(seat) });
  }

  static from(position, seat) {
    return new Lookalikes(seat, new Map([[position.key, position]]));
  }

  /** Those after the actual ply; null if they are too many. */
  after(before, move, after) {
    const noticed = new Watcher(this.seat).noticesPly(before, move, after);
    if (!noticed) return this; // such a ply may have been made or not
    const own = move.player !== null && move.player === this.seat ? move : null;
    try {
      return new Lookalikes(this.seat, this.positions, this.trials).#foundAfter(own, noticed);
    } catch (error) {
      if (error instanceof TooManyPositions) return null;
      throw error;
    }
  }

  #foundAfter(own, noticed) {
    const [found, made] = [new Map(), []];
    for (const position of this.#withUnnoticed().values()) {
      for (const [move, after] of this.#plies(position, own)) {
        if (this.watcher.noticesPly(position, move, after) !== noticed) continue;
        this.#keep(found, after);
        if (!after.pending.length) made.push(movesMade(position, move).map((one) => inferenceOf(position.stop, one)));
      }
    }
    return new Lookalikes(this.seat, found, this.trials, common(made));
  }

  /** The positions, and those to which plies lead that the seat does not notice. */
  #withUnnoticed() {
    const [found, todo] = [new Map(this.positions), [...this.positions.values()]];
    while (todo.length) {
      const position = todo.pop();
      for (const [move, after] of this.#plies(position, null)) {
        if (found.has(after.key) || this.watcher.noticesPly(position, move, after)) continue;
        todo.push(after);
        this.#keep(found, after);
      }
    }
    return found;
  }

  #keep(found, position) {
    found.set(position.key, position);
    if (found.size > position.rules.data.bounds.positions) throw new TooManyPositions();
  }

  /** The plies from a position: this move of the seat, or those of all others and of chance. */
  *#plies(position, own) {
    const { rules } = position;
    const toAct = rules.toAct(position);
    const others = () => [...toAct.filter((seat) => seat !== this.seat).flatMap((seat) => rules.moves(position, seat, true)), ...rules.outcomes(position)];
    for (const move of own === null ? others() : [own].filter(({ player }) => toAct.includes(player))) {
      this.trials += 1;
      if (this.trials > rules.data.bounds.trials) throw new TooManyPositions();
      const after = applied(position, move);
      if (after !== null) yield [move, after];
    }
  }
}

/** The position after a move; null if it is illegal there, or the rules fail. */
function applied(position, move) {
  try {
    return position.rules.apply(position, move);
  } catch (error) {
    if (error instanceof RulesError) return null;
    throw error;
  }
}

/** What moves made together have in common, one by one; null if there is none or they are not equally many. */
function common(made) {
  if (new Set(made.map((moves) => moves.length)).size !== 1) return null;
  return made[0].map((_, i) => made.map((moves) => moves[i]).reduce(joined));
}
