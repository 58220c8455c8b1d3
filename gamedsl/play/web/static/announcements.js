// What a seat is told of the plies of a game that hides something. The meaning is that of
// gamedsl/engine/information/announcements.py: a served table shows the same.

import { carryOut, inferenceOf, isWhole, NOTHING, Observer } from "./consistent_moves.js";
import { CoreRules } from "./core_rules.js";
import { slotsToldByResult } from "./observation.js";
import { textOf } from "./unknown_values.js";
import { actionOf, Lookalikes, movesMade, Watcher } from "./lookalikes.js";

export const HIDDEN = "(hidden)";

/** The plies of one game, and what every seat is told of them. */
export class Announcements {
  /** `core`: as `core_data` gives it. */
  constructor(core) {
    this.rules = new CoreRules(core);
    this.steps = [{ position: this.rules.initial(), move: null, told: new Map() }];
    this.lookalikes = new Map(); // per seat, with the number of the step up to which they are known
  }

  /** Adds a ply: {kind, player, schema, args} or {kind, player, text}. */
  add(move) {
    const { position } = this.steps.at(-1);
    this.steps.push({ position: this.rules.apply(position, move), move, told: new Map() });
  }

  /** What a seat is told after the ply with this number, from 1: announcements {player, move, known}. `known`: what it can infer of
   *  the move, null where that is not told. */
  at(number, seat) {
    const { told } = this.steps[number];
    if (!told.has(seat)) told.set(seat, this.#announced(number, seat));
    return told.get(seat);
  }

  /** Is it known what a seat is told after a ply, or found at once, as it is the seat's own? */
  isAtHand(number, seat) {
    const { told, move } = this.steps[number];
    return told.has(seat) || (move.player === seat && this.steps[number - 1].position.stop.end !== "DecideTogether");
  }

  take(number, seat, told) {
    this.steps[number].told.set(seat, told);
  }

  #announced(number, seat) {
    const [before, { position: after, move }] = [this.steps[number - 1].position, this.steps[number]];
    if (after.pending.length) return [];
    const moves = movesMade(before, move);
    const { position: stop } = this.steps[number - moves.length];
    const own = moves.map(({ player }) => player !== null && player === seat);
    if (!own.some(Boolean) && !new Watcher(seat).notices(stop, moves, after)) return [];
    let known = this.#quickly(stop, moves, seat);
    if (!known.every(isWhole)) known = this.#exactly(number, seat) ?? known;
    return moves.map((one, i) => ({ player: one.player, move: one, known: own[i] ? inferenceOf(stop.stop, one) : this.#withoutSecrets(known[i]) }));
  }

  /** What a seat can infer at least of the ply with this number, once the game is over and its results may tell something. `held`: the
   *  conditions that held at its end, as bits. One announcement for each move. */
  afterEnd(number, seat, held) {
    const moves = movesMade(this.steps[number - 1].position, this.steps[number].move);
    const { position: stop } = this.steps[number - moves.length];
    const known = this.#quickly(stop, moves, seat, slotsToldByResult(this.rules, held));
    return moves.map((one, i) => ({ player: one.player, move: one, known: this.#withoutSecrets(known[i]) }));
  }

  /** The same for a ply of which the seat was told nothing; none if what the results may tell does not show that it was made. */
  noticedAfterEnd(number, seat, held) {
    const [before, { position: after, move }] = [this.steps[number - 1].position, this.steps[number]];
    if (after.pending.length) return [];
    const { position: stop } = this.steps[number - movesMade(before, move).length];
    const told = slotsToldByResult(this.rules, held);
    return told.every((i) => textOf(stop.slots[i]) === textOf(after.slots[i])) ? [] : this.afterEnd(number, seat, held);
  }

  /** What a seat can infer at least, of every move. `told`: the numbers of further slots that it knows. */
  #quickly(stop, moves, seat, told = []) {
    const slots = stop.slots.slice();
    if (stop.stop.end === "DecideTogether") this.rules.execute(stop.stop.tick, slots, []);
    return moves.map((move) => {
      const [mover, action] = [this.rules.moverOf(stop, move.player) ?? 0, actionOf(stop, move)];
      const isOwn = move.player !== null && move.player === seat;
      const found = isOwn ? inferenceOf(stop.stop, move) : new Observer(stop, slots.slice(), mover, seat, told).infer(action);
      carryOut(this.rules, action, mover, slots);
      return found;
    });
  }

  /** What a seat can infer from all that it has observed; null if that cannot be found out within the bounds. */
  #exactly(number, seat) {
    let [at, known] = this.lookalikes.get(seat) ?? [0, Lookalikes.from(this.steps[0].position, seat)];
    if (at > number) [at, known] = [0, Lookalikes.from(this.steps[0].position, seat)];
    for (; at < number && known !== null; at += 1) {
      known = known.after(this.steps[at].position, this.steps[at + 1].move, this.steps[at + 1].position);
    }
    this.lookalikes.set(seat, [number, known]);
    return known === null ? null : known.inferred;
  }

  #withoutSecrets(known) {
    if (known.kind !== "move") return known;
    const { params } = this.rules.data.schemas[known.schema];
    return { ...known, args: known.args.map((a, i) => (params[i].secret ? null : a)) };
  }

  /** The words for what is known of a move. `whole`: those for all of it; `names`: of the values of its parameters. */
  text({ known, move }, whole, names) {
    if (isWhole(known)) return whole;
    if (known.kind === NOTHING.kind) return HIDDEN;
    const { template, params, name } = known.kind === "move" ? this.rules.data.schemas[known.schema] : { name: known.schema, params: [] };
    if (!known.args.some((a) => a !== null)) return `${name} ${HIDDEN}`;
    const said = known.args.map((a, i) => (a === null ? "?" : names[i][a - params[i].low]));
    return template.map((piece) => (typeof piece === "string" ? piece : said[piece])).join("").trim();
  }
}
