// The rules of the Core, run on the values of a state: expressions, statements, moves that fit. The meaning is that of
// gamedsl/engine/translate/statements.py and program.py; the form of the data is in gamedsl/play/web/offline/core_data.py.

import { fail, functionOf, members, Noted, positionOf } from "./core_expressions.js";
import { isUnknown, lost, plus, read, times, truth, Unknown, write } from "./unknown_values.js";

export class CoreCode {
  /** `data`: as `core_data` gives it. */
  constructor(data) {
    this.data = data;
    this.functions = new Map();
    this.tables = data.tables.map((table) => table.map(valueOf));
    this.variables = data.variables.map((v) => ({
      ...v,
      initial: v.initial.map((value) => (v.type === "stack" ? [] : v.type === "history" ? new Noted() : valueOf(value))),
      strides: v.keys.map((_, i) => v.keys.slice(i + 1).reduce((a, b) => a * b, 1)),
    }));
  }

  /** An expression as a function of a state's values and the names in scope. */
  function(e) {
    if (!this.functions.has(e)) this.functions.set(e, functionOf(e, this));
    return this.functions.get(e);
  }

  /** The value of an expression. `names`: of locals by their numbers; they are left as they are. */
  value(e, slots, names = []) {
    return this.function(e)(slots, names.slice());
  }

  call(number, slots, args) {
    const [params, body] = this.data.functions[number];
    return this.function(body)(slots, named(params, args));
  }

  slot({ first, strides }, keys, slots, names) {
    return keys.reduce((at, key, i) => plus(at, times(this.function(key)(slots, names), strides[i])), first);
  }

  // ----------------------------------------------------------------------------------------------- statements

  /** The effect of a kind of move. `args`: the mover and the parameters. */
  effect(number, slots, args) {
    const { me, params, effect } = this.data.schemas[number];
    this.execute(effect, slots, named([me, ...params.map(({ local }) => local)], args));
  }

  /** Executes statements on the values of a state, which change; whether they have ended the effect. */
  execute(statements, slots, names) {
    return statements.some((s) => this.#step(s, slots, names));
  }

  #step(s, slots, names) {
    const value = (e) => this.function(e)(slots, names);
    const [kind, a, b, c] = s;
    switch (kind) {
      case "assign": {
        const found = value(c);
        write(slots, this.slot(this.variables[a], b, slots, names), found);
        return false;
      }
      case "reset": {
        const { first, initial } = this.variables[a];
        initial.forEach((one, i) => { slots[first + i] = one; });
        return false;
      }
      case "let":
        names[a] = value(b);
        return false;
      case "if":
        return this.execute(truth(value(a)) ? b : c, slots, names);
      case "for":
        return members(value(c), b).some((i) => {
          names[a] = i;
          return this.execute(s[4], slots, names);
        });
      case "stop":
        return true;
      case "check":
        return truth(value(a)) ? false : fail();
      case "push":
      case "pop": {
        const at = this.slot(this.variables[a], b, slots, names);
        const stack = read(slots, at);
        write(slots, at, kind === "push" ? pushed(stack, value(c), this.variables[a].limit) : popped(stack));
        return false;
      }
      case "note": {
        const { first } = this.variables[a];
        const [before, position] = [slots[first], b.map(value)];
        slots[first] = isUnknown(before) ? new Unknown(before.answers) : before.plus(positionOf(position));
        return false;
      }
      default:
        this.effect(a, slots, b.map(value));
        return false;
    }
  }

  // ---------------------------------------------------------------------------------------------------- moves

  /** The arguments for which the guards of a kind of move hold. */
  *attempts(number, slots, mover) {
    const { me, plan } = this.data.schemas[number];
    yield* this.#bound(number, slots, named([me], [mover]), plan, 0, new Map());
  }

  *#bound(number, slots, names, plan, at, known) {
    const { params } = this.data.schemas[number];
    if (at === plan.length) {
      yield params.map(({ local }) => names[local]);
      return;
    }
    const step = plan[at];
    if (step.over !== undefined) {
      const { local, low } = params[step.bind];
      for (const i of members(this.function(step.over)(slots, names), low)) {
        names[local] = i;
        yield* this.#bound(number, slots, names, plan, at + 1, known);
      }
      return;
    }
    if (!step.once || !known.has(at)) known.set(at, truth(this.function(step.test)(slots, names)));
    if (known.get(at)) yield* this.#bound(number, slots, names, plan, at + 1, known);
  }

  /** The attempts after which no rule forbids the position. `tick`: what happens before a move. */
  *legal(number, slots, mover, tick) {
    for (const args of this.attempts(number, slots, mover)) {
      if (!this.isForbidden(number, slots, [mover, ...args], tick)) yield args;
    }
  }

  isForbidden(number, slots, args, tick) {
    const { me, params, forbids } = this.data.schemas[number];
    if (!forbids.length) return false;
    const after = slots.slice();
    this.execute(tick, after, []);
    this.effect(number, after, args);
    return forbids.some((e) => truth(this.function(e)(after, named([me, ...params.map(({ local }) => local)], args))));
  }

  /** Do the arguments of a move (the mover first) lie in their ranges, and do all guards hold? */
  fits(number, slots, args) {
    const { me, params, guards } = this.data.schemas[number];
    const names = named([me, ...params.map(({ local }) => local)], args);
    const isInRange = ({ local, over, limits: [least, most], low }) => {
      const value = names[local];
      return least <= value && value <= most && ((this.function(over)(slots, names) >> BigInt(value - low)) & 1n) === 1n;
    };
    return params.every(isInRange) && guards.every(({ condition }) => truth(this.function(condition)(slots, names)));
  }
}

const valueOf = (value) => (typeof value === "string" ? BigInt(value) : value);

function named(locals, values) {
  const names = [];
  locals.forEach((local, i) => { names[local] = values[i]; });
  return names;
}

/** A stack with a value on top. */
export function pushed(stack, value, limit) {
  if (isUnknown(stack)) lost();
  return stack.length < limit ? [...stack, value] : fail();
}

export function popped(stack) {
  if (isUnknown(stack)) return truth(stack) ? lost() : fail();
  return stack.length ? stack.slice(0, -1) : fail();
}
