// The log of a game inside of the page: what every seat is told of its plies.

import { Announcements, HIDDEN } from "./announcements.js";
import { isWhole } from "./consistent_moves.js";
import { actionText } from "./local_turn.js";

export class LocalLog {
  constructor(rules) {
    const { core } = rules.facts;
    Object.assign(this, { rules, plies: [], announcements: core === null ? null : new Announcements(core) });
  }

  /** Adds a ply. `action` is null for a drawing, `seat` for chance. */
  add(action, seat) {
    this.plies.push({ action, seat });
    this.announcements?.add({ ...this.#move(action, seat), action });
  }

  /** What a seat is told after the ply with this number, from 1: {seat, text, action, values} each. `action` is null if it is not
   *  known completely; then `values` are those of its parameters that are known, as {kind, values} with null for others. */
  at(number, viewer) {
    if (this.announcements === null) return this.#ownOnly(this.plies[number - 1], viewer);
    return this.announcements.at(number, viewer).map((one) => this.#told(one));
  }

  /** Is it at hand what a seat is told after a ply? */
  isAtHand(number, viewer) {
    return this.announcements === null || this.announcements.isAtHand(number, viewer);
  }

  /** What a seat is told after a ply, as another log finds it out. */
  announced(number, viewer) {
    return this.announcements.at(number, viewer);
  }

  /** Takes what another log has found out. */
  take(number, viewer, announced) {
    this.announcements.take(number, viewer, announced);
  }

  /** The same once the game is over: with what can be concluded from what its results may tell, where that is more, and with the plies
   *  that the seat notices only by it. `held`: the conditions that held at its end, as bits. */
  afterEnd(number, viewer, held) {
    const lines = this.at(number, viewer);
    if (!lines.length) return this.announcements.noticedAfterEnd(number, viewer, held).map((one) => this.#told(one));
    if (this.announcements === null || !lines.some((line) => this.#lacksMoreThanSecrets(line))) return lines;
    const more = this.announcements.afterEnd(number, viewer, held).map((one) => this.#told(one));
    return lines.map((line, i) => (saysMore(more[i], line) ? more[i] : line));
  }

  /** Does a line leave out anything but values that only the mover is told? */
  #lacksMoreThanSecrets({ action, parts }) {
    if (action !== null || parts === null) return action === null;
    const { params } = this.rules.facts.turns.schemas[this.rules.facts.turns.kinds[parts.kind].schema];
    return parts.values.some((value, i) => value === null && !params[i].secret);
  }

  /** Where announcements cannot be determined: one's own plies. */
  #ownOnly({ action, seat }, viewer) {
    const isOwn = seat !== null && seat === viewer;
    return [isOwn && action !== null ? this.#whole(action, seat) : { seat, text: isOwn ? "" : HIDDEN, action: null, parts: null }];
  }

  #whole(action, seat) {
    return { seat, text: actionText(this.rules, action), action, parts: this.rules.parts(action) };
  }

  #told(one) {
    const { player, known, move } = one;
    const action = this.#actionOf(move);
    if (isWhole(known)) return this.#whole(action, player);
    const { kind } = this.rules.parts(action);
    const names = this.rules.facts.game.kinds[kind].parameters.map((parameter) => parameter.names);
    const values = known.kind === "move" ? known.args.map((a, i) => (a === null ? null : a - this.#least(known.schema, i))) : [];
    return { seat: player, text: this.announcements.text(one, "", names), action: null, parts: known.kind === "move" ? { kind, values } : null };
  }

  #least(schema, i) {
    return this.rules.facts.turns.schemas[schema].params[i].from;
  }

  /** An action as the rules of the Core have it. */
  #move(action, player) {
    const { kind: number, values } = this.rules.parts(action);
    const { kind, parameters } = this.rules.facts.game.kinds[number];
    const { schema } = this.rules.facts.turns.kinds[number];
    if (kind === "move") return { kind, player, schema, args: values.map((value, i) => value + this.#least(schema, i)) };
    return kind === "pass" ? { kind, player } : { kind, player, text: parameters[0].names[values[0]] };
  }

  /** The number of an action; the inverse of `#move`. */
  #actionOf({ kind, schema, args, text }) {
    const { kinds } = this.rules.facts.game;
    const number = kinds.findIndex((one, i) => one.kind === kind && (kind === "move" ? this.rules.facts.turns.kinds[i].schema === schema : kind === "pass" || one.parameters[0].names.includes(text)));
    const { first, parameters } = kinds[number];
    const indices = kind === "move" ? args.map((a, i) => a - this.#least(schema, i)) : kind === "pass" ? [] : [parameters[0].names.indexOf(text)];
    return first + indices.reduce((at, index, i) => at * parameters[i].names.length + index, 0);
  }
}

function saysMore(one, other) {
  const [values, others] = [one, other].map(({ text, parts }) => (text === HIDDEN ? -1 : (parts?.values ?? []).filter((value) => value !== null).length));
  return other.action === null && (one.action !== null || values > others);
}
