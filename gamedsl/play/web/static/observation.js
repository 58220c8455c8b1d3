// What a seat sees of a position, by the rules of the Core. The meaning is that of gamedsl/engine/information/observation.py.
// A seat of null is a spectator.

import { members } from "./core_expressions.js";
import { seenSlots, textOf, unknownOf } from "./unknown_values.js";

/** Per slot of a variable: may the seat know it? `slots`: the values of a position at this stop. */
function knownSlots(position, number, seat, slots) {
  const { rules, block } = position;
  const variable = rules.variables[number];
  const { slots: size, owned, viewers } = variable;
  if (!rules.data.hidden[block].includes(number)) return Array(size).fill(true);
  const found = owned && seat !== null ? owners(position, variable).map((owner) => owner === seat) : Array(size).fill(false);
  if (viewers === null) return found;
  const shown = viewed(position, variable, seat, slots);
  return found.map((isKnown, i) => isKnown || shown[i]);
}

/** Per slot: is the seat among those to whom it is revealed? A spectator is if everybody is. */
function viewed(position, variable, seat, slots) {
  const { rules } = position;
  const { players, seats } = rules.data.parts[variable.part];
  const { first, slots: groups } = rules.variables[variable.viewers];
  const everybody = (1n << BigInt(players)) - 1n;
  const mine = seats.reduce((all, e, i) => (rules.at(position, e) === seat ? all | (1n << BigInt(i)) : all), 0n);
  const each = variable.slots / groups;
  return Array.from({ length: variable.slots }, (_, i) => {
    const to = slots[first + Math.floor(i / each)];
    return seat === null ? to === everybody : (to & mine) !== 0n;
  });
}

/** Per slot the program's player to whom it belongs. */
function owners(position, variable) {
  const { rules } = position;
  const all = rules.data.parts[variable.part].seats.map((e) => rules.at(position, e));
  return ownersInPart(rules, variable).map((one) => (one === null ? null : all[one]));
}

/** The same, as players of the part: the first key that is a player says whose a slot is. */
function ownersInPart(rules, { part, owner, keys, slots }) {
  const { players } = rules.data.parts[part];
  const stride = owner === null ? 1 : slots / keys.slice(0, owner + 1).reduce((a, b) => a * b, 1);
  return Array.from({ length: slots }, (_, i) => (owner === null ? null : Math.floor(i / stride) % players));
}

/** The numbers of the slots that the result of a game may tell everybody. `held`: the conditions that held at its end, as bits. */
export function slotsToldByResult(rules, held) {
  return rules.variables.flatMap((variable) => {
    const isTold = (whose) => variable.told.some(({ condition, owner }) => (condition === null || (held >> condition) & 1) && (owner === null || owner === whose));
    return ownersInPart(rules, variable).flatMap((whose, i) => (isTold(whose) ? [variable.first + i] : []));
  });
}

/** The numbers of the slots that the seat sees in a position. `slots`: its values, if they differ from the stop's. */
export function visibleSlots(position, seat, slots = position.slots) {
  return position.rules.variables.flatMap((variable, number) => {
    if (variable.temp) return [];
    return knownSlots(position, number, seat, slots).flatMap((isKnown, i) => (isKnown ? [variable.first + i] : []));
  });
}

/** The values that the seat sees, as a text. */
export function visibleText(position, seat, slots = position.slots) {
  return visibleSlots(position, seat, slots).map((i) => `${i}=${textOf(slots[i])}`).join("|");
}

/** The values of a position, with those unknown that the seat may not know. */
export function hiddenFrom(position, seat, slots, answers) {
  const seen = seenSlots(slots);
  position.rules.variables.forEach(({ first, type }, number) => {
    knownSlots(position, number, seat, slots).forEach((isKnown, i) => {
      if (!isKnown) seen[first + i] = unknownOf(type, answers);
    });
  });
  return seen;
}

/** Who must act. At a simultaneous choice everybody else counts as still choosing. */
function seatsToAct(position, seat) {
  const { rules, stop } = position;
  const toAct = rules.toAct(position);
  if (stop.end !== "DecideTogether") return toAct;
  const seats = rules.seats(position);
  const everybody = new Set(members(rules.at(position, stop.movers)).map((mover) => seats[mover]));
  return [...everybody].filter((one) => one !== seat || toAct.includes(one));
}

/** A move as a text, the same for equal moves. */
export const moveText = (move) => `${move.kind} ${move.player} ${move.schema} ${move.args ?? move.text}`;

/** Where the game stands for a seat, as a text. */
export function placeText(position, seat) {
  const { rules, stop } = position;
  const acting = seatsToAct(position, seat);
  const mine = seat !== null && acting.includes(seat) ? rules.moves(position, seat, false).map(moveText).sort() : [];
  const end = stop.end === "End" ? [...stop.payoff, stop.winners, ...stop.scores].map((e) => String(rules.at(position, e))) : [];
  return [stop.kind, stop.phase, stop.part, acting, mine.join(";"), end].join("|");
}
