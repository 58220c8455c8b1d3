// Effects on values that a seat may not know, one statement at a time. The meaning is that of
// gamedsl/engine/information/possible_effects.py. A world: {slots, names, hasStopped}.

import { popped, pushed } from "./core_code.js";
import { members } from "./core_expressions.js";
import { RulesError } from "./rules.js";
import { hull, isUnknown, NotKnown, plus, seenSlots, textOf, times, Unknown, unknownOf, write } from "./unknown_values.js";

/** Thrown where more statements would have to be run than the bound allows. */
export class TooManySteps extends Error {}

export class PossibleEffects {
  /** `visible`: the numbers of the slots that the seat sees. */
  constructor(rules, answers, visible) {
    const { bounds } = rules.data;
    Object.assign(this, { rules, answers, visible, bounds, left: bounds.steps });
    this.isVisible = new Set(visible);
  }

  /** All that the worlds may be after the statements; none if the rules cannot be followed in any. */
  run(statements, before) {
    let worlds = before;
    for (const s of statements) {
      const going = worlds.filter((w) => !w.hasStopped);
      if (!going.length) return worlds;
      this.left -= going.length;
      if (this.left < 0) throw new TooManySteps();
      const after = [...worlds.filter((w) => w.hasStopped), ...going.flatMap((w) => this.#step(s, w))];
      worlds = after.length > 1 ? this.#merged(after) : after;
    }
    return worlds;
  }

  /** The worlds after the effect of a kind of move. `args`: the mover and the parameters. */
  effect(schema, args, w) {
    const { me, params, effect } = this.rules.data.schemas[schema];
    const names = [];
    [me, ...params.map(({ local }) => local)].forEach((local, i) => { names[local] = args[i]; });
    return this.run(effect, [{ slots: w.slots, names, hasStopped: false }]).map(({ slots }) => ({ slots, names: w.names, hasStopped: false }));
  }

  // ----------------------------------------------------------------------------------------------- statements

  #step(s, w) {
    const [kind, a, b, c] = s;
    switch (kind) {
      case "assign":
        return this.#assign(a, b, c, w);
      case "reset":
        return [this.#reset(a, w)];
      case "let":
        return this.values(b, w).map((value) => ({ ...w, names: withName(w.names, a, value) }));
      case "if":
        return this.truths(a, w).flatMap((side) => this.#block(side ? b : c, w));
      case "for":
        return this.#loop(s, w);
      case "stop":
        return [{ ...w, hasStopped: true }];
      case "check":
        return this.truths(a, w).includes(1) ? [w] : [];
      case "push":
      case "pop":
        return this.#stack(s, w);
      case "note":
        return [this.#forgets([a], w)];
      default:
        return this.effect(a, b.map((arg) => this.value(arg, w)), w);
    }
  }

  #block(statements, w) {
    return this.run(statements, [w]).map((x) => ({ ...x, names: w.names }));
  }

  #assign(variable, keys, e, w) {
    const at = this.slot(variable, keys, w);
    const isSeen = isUnknown(at) || this.isVisible.has(at);
    return (isSeen ? this.values(e, w) : [this.value(e, w)]).map((value) => {
      const slots = seenSlots(w.slots);
      write(slots, at, value);
      return { ...w, slots };
    });
  }

  #reset(variable, w) {
    const { first, initial } = this.rules.variables[variable];
    const slots = seenSlots(w.slots);
    initial.forEach((value, i) => { slots[first + i] = value; });
    return { ...w, slots };
  }

  #loop([, local, low, e, body], w) {
    const over = this.value(e, w);
    if (isUnknown(over)) {
      const forgetful = this.#forgets(this.#written(body), w);
      return hasStop(body) ? [forgetful, { ...forgetful, hasStopped: true }] : [forgetful];
    }
    let worlds = [w];
    for (const i of members(over, low)) {
      worlds = this.run(body, worlds.map((x) => (x.hasStopped ? x : { ...x, names: withName(w.names, local, i) })));
    }
    return worlds.map((x) => ({ ...x, names: w.names }));
  }

  #stack([kind, variable, keys, e], w) {
    const [at, slots, { type, limit }] = [this.slot(variable, keys, w), seenSlots(w.slots), this.rules.variables[variable]];
    const stack = isUnknown(at) ? at : slots[at];
    const value = isUnknown(stack) || kind === "pop" ? null : this.value(e, w);
    if (isUnknown(stack)) {
      write(slots, at, unknownOf(type, this.answers));
      return [{ ...w, slots }];
    }
    try {
      const after = kind === "push" ? pushed(stack, value, limit) : popped(stack);
      slots[at] = isUnknown(value) ? unknownOf(type, this.answers) : after;
    } catch (error) {
      if (error instanceof RulesError) return [];
      throw error;
    }
    return [{ ...w, slots }];
  }

  #forgets(variables, w) {
    const slots = seenSlots(w.slots);
    for (const number of variables) {
      const variable = this.rules.variables[number];
      for (let i = 0; i < variable.slots; i += 1) slots[variable.first + i] = unknownOf(variable.type, this.answers);
    }
    return { ...w, slots };
  }

  /** The variables that statements write. */
  #written(statements) {
    return statements.flatMap(([kind, a, b, c, d]) => {
      if (kind === "effect") return this.#written(this.rules.data.schemas[a].effect);
      if (kind === "if") return this.#written([...b, ...c]);
      if (kind === "for") return this.#written(d);
      return ["assign", "reset", "push", "pop", "note"].includes(kind) ? [a] : [];
    });
  }

  slot(variable, keys, w) {
    const { first, strides } = this.rules.variables[variable];
    return keys.reduce((at, key, i) => plus(at, times(this.value(key, w), strides[i])), first);
  }

  // ---------------------------------------------------------------------------------------------- expressions

  /** The value of an expression, unknown if it has none that is known. */
  value(e, w) {
    const plain = plainValue(e, w);
    if (plain !== undefined) return plain;
    try {
      return this.#run(e, w);
    } catch (error) {
      if (error instanceof NotKnown || error instanceof RulesError) return unknownValue(e, this.answers);
      throw error;
    }
  }

  /** The values that an expression may have: few that are known, or one that is not. None if it fails. */
  values(e, w) {
    if (plainValue(e, w) !== undefined) return [this.value(e, w)];
    try {
      return [this.#run(e, w)];
    } catch (error) {
      if (error instanceof RulesError) return [];
      if (!(error instanceof NotKnown)) throw error;
    }
    return this.#tried(e, w, this.bounds.values) ?? [unknownValue(e, this.answers)];
  }

  /** The answers that a condition may have. */
  truths(e, w) {
    try {
      const value = this.#run(e, w);
      return isUnknown(value) ? [0, 1] : [value ? 1 : 0];
    } catch (error) {
      if (error instanceof RulesError) return [];
      if (!(error instanceof NotKnown)) throw error;
    }
    const found = this.#tried(e, w, 2);
    return found === null || found.some(isUnknown) ? [0, 1] : found.map((value) => (value ? 1 : 0)).sort();
  }

  #run(e, w) {
    return this.rules.value(e, w.slots, w.names);
  }

  /** The values for all answers to the unknown conditions inside of an expression; null if there are too many. */
  #tried(e, w, most) {
    const found = [];
    for (const value of this.answers.tried(() => this.#run(e, w), this.bounds.runs)) {
      if (value === undefined || isUnknown(value)) return null;
      if (!found.includes(value) && found.push(value) > most) return null;
    }
    return found;
  }

  /** The worlds without those that look like another one; one in place of all if there are too many. */
  #merged(worlds) {
    const found = new Map();
    for (const w of worlds) {
      const looks = [w.hasStopped, ...this.visible.map((i) => textOf(w.slots[i])), ...w.names.map(textOf)].join("|");
      found.set(looks, found.has(looks) ? joined(found.get(looks), w) : w);
    }
    if (found.size <= this.bounds.worlds) return [...found.values()];
    const one = new Map();
    for (const w of found.values()) one.set(w.hasStopped, one.has(w.hasStopped) ? joined(one.get(w.hasStopped), w) : w);
    return [...one.values()];
  }
}

function withName(names, local, value) {
  const found = names.slice();
  found[local] = value;
  return found;
}

/** The value of a constant or a name; undefined for other expressions. */
function plainValue(e, w) {
  if (e[0] === "const") return typeof e[1] === "string" ? BigInt(e[1]) : e[1];
  if (e[0] === "load") return w.names[e[1]];
  return e[0] === "int" && e[1][0] === "load" ? w.names[e[1][1]] : undefined;
}

/** What an expression is whose value is not known. */
export function unknownValue([kind, , low, high], answers) {
  return kind === "of" ? new Unknown(answers, low, high) : kind === "int" ? new Unknown(answers, 0, 1) : new Unknown(answers);
}

const hasStop = (statements) => statements.some(([kind, , b, c, d]) => kind === "stop" || (kind === "if" && (hasStop(b) || hasStop(c))) || (kind === "for" && hasStop(d)));

function joined(a, b) {
  const slots = seenSlots(a.slots.map((x, i) => (x === b.slots[i] ? x : hull(x, b.slots[i]))));
  const names = [];
  a.names.forEach((x, i) => { if (i in b.names) names[i] = hull(x, b.names[i]); });
  return { slots, names, hasStopped: a.hasStopped };
}
