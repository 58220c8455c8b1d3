// How scores come about: what a number beside the board counts, and what plies added to it. The meaning is that of
// gamedsl/engine/picture/explained.py and gamedsl/engine/information/gains.py.

import { Search, chain } from "./local_endings.js";
import { moverOf, stopOf } from "./local_turn.js";
import { Hidden, View } from "./questions.js";
import { RulesError } from "./rules.js";

const MOST_NAMED = 12;

// ------------------------------------------------------------------------------------------------- what is counted

/** What the number of a line beside the board consists of: its text (empty: nothing is told), the places that count, and the
 *  lines and borders among them. `drawn`: `part`, `places`, and the `drawing` or null. */
export function explained(view, { what, score }, locals, gains, drawn) {
  if (!score) return NOTHING;
  try {
    let { items, clauses } = byPlies(view, score, locals, gains, drawn);
    if (!items.length) ({ items, clauses } = { items: [...itemsOf(view, score.tallies, locals, drawn)], clauses: score.clauses });
    if (!items.length || sum(items.map(({ worth }) => worth)) !== view.value(what, locals)) return NOTHING;
    const owner = score.owners.length === 1 ? locals[score.owners[0]] : null;
    const scored = items.filter(({ line }) => line.length).map(({ line }) => ({ places: line, owner }));
    return { because: told(items, clauses), places: unique(items.flatMap((item) => item.places)), scored };
  } catch (error) {
    return nothing(error, NOTHING);
  }
}

const NOTHING = { because: "", places: [], scored: [] };

/** A value in place of what the rules do not tell; other errors are thrown on. */
function nothing(error, value) {
  if (error instanceof Hidden || error instanceof RulesError) return value;
  throw error;
}

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const unique = (places) => [...new Map(places.map((place) => [String(place), place])).values()];

function told(items, clauses) {
  const named = items.slice(0, MOST_NAMED).map(({ name, worth }) => `${name} (${worth})`).join(" + ");
  const more = items.length > MOST_NAMED ? ` and ${items.length - MOST_NAMED} more` : "";
  return `= ${named}${more}${clauses.length ? ` [${clauses.join(", ")}]` : ""}`;
}

/** What plies added to a variable, and the clauses by which. */
function byPlies(view, { variable, slot }, locals, gains, drawn) {
  const [items, clauses] = [[], new Set()];
  if (variable === null) return { items, clauses: [] };
  const number = view.value(slot, locals);
  for (const gain of gains.filter((one) => one.variable === variable && one.slot === number)) {
    let found = [];
    try {
      if (gain.at) found = [...itemsOf(gain.at, gain.tallies, gain.known, drawn)];
    } catch (error) {
      found = nothing(error, []);
    }
    const isWhole = found.length && sum(found.map(({ worth }) => worth)) === gain.amount;
    items.push(...(isWhole ? found : [{ name: gain.text, worth: gain.amount, places: [], line: [] }]));
    gain.clauses.forEach((clause) => clauses.add(clause));
  }
  return { items, clauses: [...clauses] };
}

/** What a number counts, but for what has no name. */
function* itemsOf(view, tallies, locals, drawn) {
  for (const tally of tallies) {
    for (const known of view.bindings(tally.binders, locals, false)) {
      const worth = view.value(tally.condition, known) ? view.value(tally.worth, known) : 0;
      if (worth) yield itemOf(view, tally, known, worth, drawn);
    }
  }
}

function itemOf(view, tally, known, worth, drawn) {
  const { part, drawing } = drawn;
  const value = known[tally.local];
  const places = placesOf(view, tally, known, drawn);
  const border = tally.kind === "border" && drawing?.borders[value];
  const isNamed = tally.type.kind === "element" && (tally.kind === "line" || tally.named || !places.length || tally.on === places[0][0]);
  const name = border ? border.spaces.map((i) => `s${i + 1}`).join("-") : isNamed ? view.said(tally.type, value) : places.map(([on, i]) => part.places[on][i]).join("-");
  const line = tally.kind === "border" ? places : tally.kind === "line" || tally.named ? chain(view.rules.facts, part, places).map((i) => [part.place, i]) : [];
  return { name, worth, places, line };
}

/** Where something that counts is: on a place, on the places of a set, or on those that make it count. */
function placesOf(view, tally, known, { places }) {
  const value = known[tally.local];
  if (tally.kind === "line" && tally.on in places) return tally.members[value].map((i) => [tally.on, i]);
  if (tally.kind === "border" ? Object.keys(places).length : tally.kind === "element" && tally.on in places) return [[tally.on, value]];
  if (!tally.standing?.length || !Object.keys(places).length) return [];
  const search = new Search(view.rules, view.state, view.seat);
  return search.smallest(tally.condition, known, tally.standing.flatMap((variable) => search.standing(variable)));
}

// ------------------------------------------------------------------------------------------------ what plies added

/** What plies have added to the scores, after one more. `step`: the states `before` and `after` it, the parts that it `entered` (as
 *  bits), all parts that have `ended` so far and how many of them by it (`newly`), and what is `told` of the plies that became
 *  known together: `{seat, text, parts}` each, with `parts` as far as they are known. */
export function gainsAfter(rules, viewer, gains, step) {
  const { variables } = rules.facts.scores;
  if (!variables.length || !step.told.length) return gains;
  const kept = gains.filter(({ variable }) => !isNew(step, variables.find(({ index }) => index === variable)));
  const ply = { ...step, ...step.told.at(-1), ...called(rules, step) };
  return [...kept, ...gainsOf(rules, viewer, ply, variables.filter((variable) => !isNew(step, variable)))];
}

const isNew = ({ entered }, { part }) => (entered >> part) & 1;

/** What to call a ply that adds to a score, and what players of the part who have chosen together have chosen. */
function called(rules, { before, ended, newly, told }) {
  const parts = ended.map(({ block }) => rules.facts.endings[block].part);
  const over = parts.filter(Boolean);
  if (parts.slice(parts.length - newly).some(Boolean)) return { text: `game ${over.filter((part) => part === over.at(-1)).length}`, texts: {} };
  const { seats } = stopOf(rules, before);
  if (seats === undefined) return { texts: {} };
  const view = new View(rules, before, null);
  const numbers = seats.map((seat) => view.value(seat));
  const texts = numbers.map((seat) => (numbers.filter((one) => one === seat).length === 1 ? told.find((one) => one.seat === seat)?.text : undefined));
  return { texts };
}

/** What a ply added to some scores. */
function gainsOf(rules, viewer, ply, variables) {
  const [before, after] = [ply.before, ply.after].map((state) => new View(rules, state, viewer));
  const { part } = stopOf(rules, ply.before);
  let counted = null;
  return variables.flatMap((variable) => (
    Array.from({ length: variable.size }, (_, slot) => slot).flatMap((slot) => {
      const [old, now] = [before, after].map((view) => valueOf(view, variable, slot));
      if (old === null || now === null || old === now) return [];
      counted ??= countedBy(rules, viewer, ply);
      const own = counted.filter((gain) => gain.variable === variable.index && gain.slot === slot);
      if (own.length && sum(own.map(({ amount }) => amount)) === now - old) return own;
      const text = (variable.part === part && ply.texts[slot]) || ply.text;
      return [{ variable: variable.index, slot, amount: now - old, text, tallies: [], at: null, known: {}, clauses: [] }];
    })));
}

function valueOf(view, { value, key }, slot) {
  try {
    return view.value(value, { [key]: slot });
  } catch (error) {
    return nothing(error, null);
  }
}

/** What the effect of a move adds, each time in the position in which it is counted; nothing where it depends on what is hidden, or
 *  does what is not repeated here. */
function countedBy(rules, viewer, { before, seat, parts, text }) {
  const { effects, ticks } = rules.facts.scores;
  const schema = parts === null ? null : rules.facts.turns.kinds[parts.kind].schema;
  if (schema === null || seat === null || !(schema in effects) || parts.values.includes(null)) return [];
  const { me, params } = rules.facts.turns.schemas[schema];
  const follower = new Follower(rules, viewer, before, text);
  try {
    const known = { [me]: moverOf(new View(rules, before, viewer), stopOf(rules, before), seat) };
    params.forEach(({ local, from }, i) => { known[local] = parts.values[i] + from; });
    follower.follow(ticks[rules.block(before)] ?? [], {});
    return follower.follow(effects[schema], known);
  } catch (error) {
    return error instanceof NotFollowed ? [] : nothing(error, []);
  }
}

class NotFollowed extends Error {}

/** Repeats the effect of a move statement by statement, and notes what is added to scores. */
class Follower {
  constructor(rules, viewer, before, text) {
    Object.assign(this, { rules, viewer, text, state: before.slice(), lets: {} });
  }

  get view() {
    return new View(this.rules, this.state.slice(), this.viewer);
  }

  #value(question, known) {
    return new View(this.rules, this.state, this.viewer).value(question, known);
  }

  follow(statements, known) {
    return statements.flatMap((s) => {
      switch (s.do) {
        case "let":
          this.lets[s.local] = this.view;
          known[s.local] = this.#value(s.value, known);
          return [];
        case "if":
          return this.follow(this.#value(s.value, known) ? s.then : s.otherwise, known);
        case "for":
          return this.#value(s.over, known).flatMap((i) => this.follow(s.body, { ...known, [s.local]: i + s.from }));
        case "effect":
          return this.follow(this.rules.facts.scores.effects[s.schema], Object.fromEntries(s.names.map((name, i) => [name, this.#value(s.values[i], known)])));
        case "assign":
          return this.#assign(s, known);
        case "reset":
          this.rules.facts.scores.stored[s.variable].first.forEach((value, slot) => this.#store(s.variable, slot, value));
          return [];
        default:
          throw new NotFollowed();
      }
    });
  }

  #assign({ variable, keys, value, added }, known) {
    const slot = keys.reduce((at, key) => at * key.size + this.#value(key.value, known), 0);
    const amount = added ? this.#value(added.amount, known) : 0;
    const at = added && (added.let === null ? this.view : this.lets[added.let]);
    const found = amount ? [{ variable, slot, amount, text: this.text, tallies: added.tallies, at, known: { ...known }, clauses: added.clauses }] : [];
    this.#store(variable, slot, this.#value(value, known));
    return found;
  }

  /** Writes a value: a number, the members of a set, or a set in hexadecimal digits. */
  #store(variable, slot, value) {
    const [offset, stride] = this.rules.facts.slots[variable];
    const bits = Array.isArray(value) ? value.reduce((all, i) => all | (1n << BigInt(i)), 0n) : BigInt(value) - BigInt(typeof value === "string" ? 0 : this.rules.facts.scores.stored[variable].low);
    for (let i = 0; i < stride; i += 1) this.state[offset + slot * stride + i] = Number((bits >> BigInt(8 * i)) & 255n);
  }
}
