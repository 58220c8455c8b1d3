// Values that a seat may not know; whatever is computed from one is unknown. The meaning is that of
// gamedsl/engine/information/unknown_values.py. Numbers are numbers, sets are BigInts, stacks are arrays.

import { RulesError } from "./rules.js";

/** Thrown where a result depends on something that the seat may not know. */
export class NotKnown extends Error {}
const NOT_KNOWN = new NotKnown();

export function lost() {
  throw NOT_KNOWN;
}

/** The truth values that unknown values take: none, but inside of `tried`. In one run a value takes one only. */
export class Answers {
  constructor(most) {
    Object.assign(this, { most, given: null, asked: new Map() });
  }

  truth(value) {
    if (this.asked.has(value)) return this.asked.get(value);
    const used = this.asked.size;
    if (this.given === null || used >= this.most) lost();
    if (used === this.given.length) this.given.push(true);
    this.asked.set(value, this.given[used]);
    return this.given[used];
  }

  /** The results of a run for all truth values of its unknown conditions, without runs that end in a rules error. Undefined comes
   *  last if some results are missing. */
  *tried(run, most) {
    const given = [];
    for (let i = 0; i < most; i += 1) {
      const { results, used } = this.#triedOnce(run, given);
      yield* results;
      if (results.length && results[0] === undefined) return;
      given.length = used;
      while (given.length && !given.at(-1)) given.pop();
      if (!given.length) return;
      given[given.length - 1] = false;
    }
    yield undefined;
  }

  #triedOnce(run, given) {
    this.given = given;
    try {
      return { results: [run()], used: this.asked.size };
    } catch (error) {
      if (error instanceof RulesError) return { results: [], used: this.asked.size };
      if (error instanceof NotKnown) return { results: [undefined], used: 0 };
      throw error;
    } finally {
      Object.assign(this, { given: null, asked: new Map() });
    }
  }
}

/** At most an interval that contains the value is known (null: not even that). */
export class Unknown {
  constructor(answers, low = null, high = null) {
    this.answers = answers;
    this.low = low;
    this.high = high;
  }
}

export const isUnknown = (value) => value instanceof Unknown;

export function truth(value) {
  return isUnknown(value) ? value.answers.truth(value) : Boolean(value);
}

/** The result of an operation; unknown if one of its operands is. */
export function lifted(a, b, operation) {
  if (isUnknown(a)) return new Unknown(a.answers);
  return isUnknown(b) ? new Unknown(b.answers) : operation(a, b);
}

const lowOf = (value) => (isUnknown(value) ? value.low : typeof value === "object" ? null : value);
const highOf = (value) => (isUnknown(value) ? value.high : typeof value === "object" ? null : value);

export function plus(a, b) {
  if (!isUnknown(a) && !isUnknown(b)) return a + b;
  const { answers } = isUnknown(a) ? a : b;
  const ends = [lowOf(a), lowOf(b), highOf(a), highOf(b)];
  return ends.includes(null) ? new Unknown(answers) : new Unknown(answers, ends[0] + ends[1], ends[2] + ends[3]);
}

export function minus(a) {
  if (!isUnknown(a)) return -a;
  return a.low === null || a.high === null ? new Unknown(a.answers) : new Unknown(a.answers, -a.high, -a.low);
}

export function times(a, b) {
  if (!isUnknown(a) && !isUnknown(b)) return a * b;
  const [one, other] = isUnknown(a) ? [a, b] : [b, a];
  if (one.low === null || one.high === null || isUnknown(other)) return new Unknown(one.answers);
  const [p, q] = [one.low * other, one.high * other];
  return new Unknown(one.answers, p < q ? p : q, p < q ? q : p);
}

/** An unknown value of a type: a word, or the least and the greatest number. */
export function unknownOf(type, answers) {
  return typeof type === "string" ? new Unknown(answers) : new Unknown(answers, type[0], type[1]);
}

/** The entry of a list at an unknown index: one of all. */
export function entryOf(list, answers) {
  const order = (a, b, isFirst) => (truth(lifted(a, b, isFirst)) ? a : b);
  const least = list.reduce((low, value) => order(value, low, (a, b) => a < b));
  const greatest = list.reduce((high, value) => order(value, high, (a, b) => a > b));
  return new Unknown(answers, least, greatest);
}

export function isSame(a, b) {
  return a === b || textOf(a) === textOf(b);
}

/** A value as a text, the same for equal values of one type. */
export function textOf(value) {
  return isUnknown(value) ? "?" : Array.isArray(value) ? `[${value.map(textOf)}]` : String(value);
}

/** May a value that is known or not be this one? */
export function mayBe(a, value) {
  if (!isUnknown(a)) return isSame(a, value);
  return a.low === null || a.high === null || typeof value === "object" || (a.low <= value && value <= a.high);
}

/** What may be one value or the other. */
export function hull(a, b) {
  if (!isUnknown(a) && !isUnknown(b) && isSame(a, b)) return a;
  const answers = isUnknown(a) ? a.answers : isUnknown(b) ? b.answers : new Answers(0);
  const [low, otherLow, high, otherHigh] = [lowOf(a), lowOf(b), highOf(a), highOf(b)];
  if ([low, otherLow, high, otherHigh].includes(null)) return new Unknown(answers);
  return new Unknown(answers, low < otherLow ? low : otherLow, high > otherHigh ? high : otherHigh);
}

/** The values of a state as a seat knows them: an unknown index has an unknown value. */
export function seenSlots(values) {
  return Object.assign([...values], { isSeen: true });
}

export function read(slots, at) {
  if (!isUnknown(at)) return slots[at];
  return slots.isSeen ? new Unknown(at.answers) : lost();
}

/** An assignment to an unknown slot makes every slot that it may be unknown. */
export function write(slots, at, value) {
  if (!isUnknown(at)) {
    slots[at] = value;
    return;
  }
  if (!slots.isSeen) lost();
  const first = at.low === null ? 0 : Math.max(0, at.low);
  const last = at.high === null ? slots.length - 1 : Math.min(slots.length - 1, at.high);
  for (let i = first; i <= last; i += 1) slots[i] = new Unknown(at.answers);
}
