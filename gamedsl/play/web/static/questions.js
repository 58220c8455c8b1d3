// Asks compiled rules the questions of the page: values of the rules' expressions in a state, as one seat may know them.

import { RulesError } from "./rules.js";

const HIDDEN = "hidden from the viewer"; // the message of a value that the seat may not know
const SPECTATOR = -1;

/** Thrown where an answer depends on what the seat may not know. */
export class Hidden extends Error {}

/** What can be asked about one state by one seat (null: nobody's). Values: numbers; of sets, the members in order, with the `words`
 *  of the set. */
export class View {
  /** `told`: the conditions that held where the game ended (`toldAt`): then what its results may tell is shown; null before. */
  constructor(rules, state, seat, told = null) {
    Object.assign(this, { rules, state, seat, told, data: rules.facts.questions });
  }

  /** The value of a question for these locals; null stands for one that the seat does not know. */
  value(number, locals = {}) {
    const { asked, seats, first } = this.data;
    const { type, locals: order } = asked[number];
    const given = order.flatMap((id) => (Array.isArray(locals[id]) ? locals[id].words : locals[id]));
    if (given.includes(null)) throw new Hidden();
    if (seats) given.unshift((this.seat ?? SPECTATOR) + (this.told === null ? 0 : this.data.revealing * (1 + this.told)));
    const size = type.kind === "set" ? this.data.domains[type.domain].names.length : 0;
    try {
      const words = this.rules.ask(this.state, first + number, given, Math.max(1, Math.ceil(size / 64)));
      return type.kind === "set" ? Object.assign(members(words), { words: [...words] }) : Number(words[0]);
    } catch (error) {
      if (error instanceof RulesError && error.message === HIDDEN) throw new Hidden();
      throw error;
    }
  }

  /** The type of a question's value. */
  type(number) {
    return this.data.asked[number].type;
  }

  /** All ways to bind names, outermost first. What to choose from may be hidden: then there is none, or, where nothing may be
   *  skipped, `Hidden` is thrown. */
  *bindings(binders, known = {}, skip = true) {
    if (!binders.length) {
      yield known;
      return;
    }
    const [{ local, from, over }, ...inner] = binders;
    const found = skip ? shown(() => this.value(over, known)) ?? [] : this.value(over, known);
    for (const member of found) yield* this.bindings(inner, { ...known, [local]: member + from }, skip);
  }

  // ------------------------------------------------------------------------------------------------- in words

  /** A value in words: `yes`, `12`, `b3`, `none`, `a1, a2`. */
  said(type, value) {
    switch (type.kind) {
      case "bool": return value ? "yes" : "no";
      case "int": return String(value);
      case "element": return words(this.data.domains[type.domain].names[value]);
      case "optional": return value ? this.said(type.of, value - 1 + (type.of.low ?? 0)) : "none";
      default: return this.listed(type, value).join(", ");
    }
  }

  /** The same, one text for each member of a set. */
  listed(type, value) {
    if (type.kind !== "set") return [this.said(type, value)];
    const { names } = this.data.domains[type.domain];
    return value.length ? value.map((i) => words(names[i])) : ["none"];
  }

  /** A text with the values of its locals filled in. */
  filled(text, locals) {
    const values = text.map((piece) => (typeof piece === "string" ? piece : locals[piece.local]));
    if (values.includes(null)) throw new Hidden();
    return text.map((piece, i) => (typeof piece === "string" ? piece : this.said(piece.type, values[i]))).join("");
  }
}

/** The conditions under which results may tell something, as bits: those that hold in the state in which the game ended. One that
 *  fails tells nothing. */
export function toldAt(rules, end) {
  const view = new View(rules, end, null);
  return rules.facts.questions.telling.reduce((told, number, i) => told + (holds(view, number) ? 2 ** i : 0), 0);
}

function holds(view, number) {
  try {
    return view.value(number) !== 0;
  } catch (error) {
    if (error instanceof RulesError) return false;
    throw error;
  }
}

/** What a function returns; undefined where that is hidden. */
export function shown(ask) {
  try {
    return ask();
  } catch (error) {
    if (error instanceof Hidden) return undefined;
    throw error;
  }
}

const words = (name) => name.replaceAll("_", " ");

function members(words_) {
  const found = [];
  new Uint32Array(words_.buffer).forEach((word, i) => {
    for (let rest = word; rest; rest &= rest - 1) found.push(32 * i + 31 - Math.clz32(rest & -rest));
  });
  return found;
}
