// Positions of a game by the rules of the Core: who acts, what is legal, and what comes after. The meaning is that of
// gamedsl/engine/play/actions.py and advance.py. Moves: {kind, player, schema, args}, or {kind, player, text} of values and
// outcomes.

import { CoreCode } from "./core_code.js";
import { fail, members } from "./core_expressions.js";
import { textOf } from "./unknown_values.js";

const MOST_BLOCKS = 1_000_000;

export class Position {
  constructor(rules, block, slots, pending = []) {
    Object.assign(this, { rules, block, slots, pending });
  }

  /** What its block says. */
  get stop() {
    return this.rules.data.blocks[this.block];
  }

  /** The same for equal positions, and for no others. */
  get key() {
    this.text ??= `${this.block}|${JSON.stringify(this.pending)}|${this.slots.map(textOf).join("|")}`;
    return this.text;
  }
}

export class CoreRules extends CoreCode {
  initial() {
    return this.advance(this.variables.flatMap(({ initial }) => initial), this.data.entry);
  }

  /** The value of an expression at a stop. */
  at(position, e, names) {
    return this.value(e, position.slots, names);
  }

  // ------------------------------------------------------------------------------------------------ who acts

  seats(position) {
    return position.stop.seats.map((seat) => this.at(position, seat));
  }

  openMovers(position) {
    const done = position.pending.map(([mover]) => mover);
    return members(this.at(position, position.stop.movers)).filter((mover) => !done.includes(mover));
  }

  toAct(position) {
    const { end, seat } = position.stop;
    if (end === "Decide" || end === "Choose") return [this.at(position, seat)];
    if (end !== "DecideTogether") return [];
    const seats = this.seats(position);
    return [...new Set(this.openMovers(position).map((mover) => seats[mover]))];
  }

  /** The player of the part that a seat acts for; null if the seat is not to act. */
  moverOf(position, player) {
    const { end, seat, mover } = position.stop;
    if (end === "Decide" || end === "Choose") {
      return this.at(position, seat) === player ? this.at(position, mover) : null;
    }
    if (end !== "DecideTogether") return null;
    const seats = this.seats(position);
    return this.openMovers(position).find((one) => seats[one] === player) ?? null;
  }

  // -------------------------------------------------------------------------------------------------- moves

  /** The legal moves of a seat. `mistakes`: those too that are legal by mistake. */
  moves(position, player, mistakes) {
    const mover = this.moverOf(position, player);
    const { end, alternatives, tick, source, texts } = position.stop;
    if (mover === null) return [];
    if (end === "Choose") return members(this.at(position, source)).map((i) => ({ kind: "choose", player, text: texts[i] }));
    const found = [];
    for (const { schema } of alternatives) {
      if (this.data.schemas[schema].mistake && !mistakes) continue;
      for (const args of this.legal(schema, position.slots, mover, tick)) found.push({ kind: "move", player, schema, args });
    }
    return position.stop.pass === null || end !== "Decide" ? found : [...found, { kind: "pass", player }];
  }

  /** The outcomes of chance that are possible. */
  outcomes(position) {
    const { end, texts } = position.stop;
    if (end !== "Chance") return [];
    return this.#possible(position.slots, position.stop).map((i) => ({ kind: "chance", player: null, text: texts[i] }));
  }

  #possible(slots, { over, weight, local, first }) {
    const names = [];
    return members(this.value(over, slots)).filter((i) => {
      names[local] = i + first;
      const found = this.value(weight, slots, names);
      return found < 0 ? fail() : found > 0;
    });
  }

  // -------------------------------------------------------------------------------------------------- doing

  /** The position after a move. An illegal one ends with a `RulesError`. */
  apply(position, move) {
    const { stop } = position;
    if (move.kind === "move") return stop.end === "Decide" ? this.#move(position, move) : this.#choice(position, move);
    const slots = position.slots.slice();
    if (move.kind === "pass") {
      this.execute(stop.tick, slots, []);
      return this.advance(slots, stop.pass);
    }
    const possible = move.kind === "choose" ? members(this.at(position, stop.source)) : this.#possible(position.slots, stop);
    const i = possible.find((one) => stop.texts[one] === move.text) ?? fail();
    this.takeValue(position.block, slots, i);
    return this.advance(slots, stop.target);
  }

  /** Lets a chosen value or an outcome of chance, by its number, be the value of its variable. */
  takeValue(block, slots, i) {
    const { variable, keys, tick, low } = this.data.blocks[block];
    const at = this.slot(this.variables[variable], keys ?? [], slots, []);
    this.execute(tick, slots, []);
    slots[at] = i + low;
  }

  /** The number of the alternative that a move belongs to. */
  alternativeOf(stop, move) {
    return stop.alternatives.findIndex(({ schema }) => schema === move.schema);
  }

  #checked(position, move) {
    const [mover, number] = [this.moverOf(position, move.player), this.alternativeOf(position.stop, move)];
    const args = [mover, ...move.args];
    if (mover === null || number < 0 || !this.fits(move.schema, position.slots, args)) fail();
    if (this.isForbidden(move.schema, position.slots, args, position.stop.tick)) fail();
    return [mover, number, move.args];
  }

  #move(position, move) {
    const [mover, number, args] = this.#checked(position, move);
    const [slots, alternative] = [position.slots.slice(), position.stop.alternatives[number]];
    this.execute(position.stop.tick, slots, []);
    this.carryOut(alternative, slots, mover, args);
    return this.advance(slots, alternative.target);
  }

  #choice(position, move) {
    const pending = [...position.pending, this.#checked(position, move)].sort((a, b) => a[0] - b[0]);
    if (this.openMovers(position).length > 1) return new Position(this, position.block, position.slots, pending);
    const slots = position.slots.slice();
    this.execute(position.stop.tick, slots, []);
    for (const [mover, number, args] of pending) this.carryOut(position.stop.alternatives[number], slots, mover, args);
    return this.advance(slots, position.stop.target);
  }

  /** Executes a move, or stores its arguments where its effect continues in a block. */
  carryOut({ schema, registers }, slots, mover, args) {
    if (registers.length) registers.forEach((variable, i) => { slots[this.variables[variable].first] = [mover, ...args][i]; });
    else this.effect(schema, slots, [mover, ...args]);
  }

  // ---------------------------------------------------------------------------------------------- going on

  /** The position at the first stop from a block on. `slots` become its values. */
  advance(slots, from) {
    let block = from;
    for (let i = 0; i < MOST_BLOCKS; i += 1) {
      this.execute(this.data.blocks[block].statements, slots, []);
      const further = this.#blockAfter(slots, this.data.blocks[block]);
      if (further === null) return new Position(this, block, slots);
      block = further;
    }
    return fail();
  }

  /** The block to go on with; null at a stop. */
  #blockAfter(slots, stop) {
    switch (stop.end) {
      case "Goto":
        return stop.target;
      case "BranchT":
        return this.value(stop.condition, slots) ? stop.yes : stop.no;
      case "Decide":
        if (this.#canMove(slots, stop, this.value(stop.mover, slots))) return null;
        return stop.stuck === null && stop.pass === null ? fail() : stop.stuck;
      case "DecideTogether": {
        const movers = members(this.value(stop.movers, slots));
        if (!movers.every((mover) => this.#canMove(slots, stop, mover))) fail();
        return movers.length ? null : stop.target;
      }
      case "Choose":
        return this.value(stop.source, slots) ? null : fail();
      case "Chance":
        return this.#possible(slots, stop).length ? null : fail();
      default:
        return null;
    }
  }

  #canMove(slots, stop, mover) {
    return stop.alternatives.some(({ schema }) => {
      if (this.data.schemas[schema].mistake) return false;
      return !this.legal(schema, slots, mover, stop.tick).next().done;
    });
  }

  /** The blocks passed from one on, up to the next branch or stop. */
  blocksPassed(from) {
    const passed = [];
    for (let block = from; !passed.includes(block); block = this.data.blocks[block].target) {
      passed.push(block);
      if (this.data.blocks[block].end !== "Goto") return passed;
    }
    return passed;
  }
}
