// Expressions of the Core as functions of a state's values and of the names in scope; values may be unknown. The meaning is that
// of gamedsl/engine/translate/expressions.py and look_ahead.py; the form of the data is in gamedsl/play/web/offline/core_nodes.py.

import { RulesError } from "./rules.js";
import { entryOf, isUnknown, lifted, lost, minus, plus, read, textOf, times, truth, Unknown } from "./unknown_values.js";

export const fail = () => {
  throw new RulesError("the rules cannot be followed here");
};

/** The members of a set, ascending, `low` standing for its first bit. */
export function members(set, low = 0) {
  if (isUnknown(set)) return truth(set) ? lost() : [];
  const found = [];
  for (let word = set, at = low; word; word >>= 32n, at += 32) {
    for (let rest = Number(word & 0xffffffffn); rest; ) {
      const bit = 31 - Math.clz32(rest & -rest);
      found.push(at + bit);
      rest = (rest & ~(1 << bit)) >>> 0;
    }
  }
  return found;
}

/** How often positions were noted. */
export class Noted {
  constructor(counts = new Map()) {
    this.counts = counts;
  }

  plus(position) {
    return new Noted(new Map(this.counts).set(position, (this.counts.get(position) ?? 0) + 1));
  }

  toString() {
    this.text ??= [...this.counts].map(([position, n]) => `${position}*${n}`).sort().join(";");
    return this.text;
  }
}

export function positionOf(values) {
  return values.some(isUnknown) ? lost() : values.map(textOf).join();
}

const number = (condition) => (condition ? 1 : 0);
const bit = (i) => 1n << BigInt(i);
const both = (test) => (e, code) => {
  const [left, right] = [code.function(e[1]), code.function(e[2])];
  return (s, n) => lifted(left(s, n), right(s, n), test);
};
const of = (operation) => (e, code) => {
  const operand = code.function(e[1]);
  return (s, n) => operation(operand(s, n), e[2]);
};

/** The slot of a variable for these keys. */
function slotOf(variable, keys, code) {
  const { first, strides } = code.variables[variable];
  const found = keys.map((key) => code.function(key));
  return (s, n) => found.reduce((at, key, i) => plus(at, times(key(s, n), strides[i])), first);
}

function chosen(isFirst) {
  return (a, b) => (truth(lifted(b, a, isFirst)) ? b : a);
}
const least = chosen((b, a) => b < a);
const greatest = chosen((b, a) => b > a);

function image(set, table) {
  return members(set).reduce((found, i) => found | table[i], 0n);
}

const KINDS = {
  const: (e) => {
    const value = typeof e[1] === "string" ? BigInt(e[1]) : e[1];
    return () => value;
  },
  load: (e) => (s, n) => n[e[1]],
  get: (e, code) => {
    const at = slotOf(e[1], e[2], code);
    return (s, n) => read(s, at(s, n));
  },
  lookup: (e, code) => {
    const [table, keys] = [code.tables[e[1]], e[3].map((key) => code.function(key))];
    const strides = e[2].map((_, i) => e[2].slice(i + 1).reduce((a, b) => a * b, 1));
    return (s, n) => {
      const at = keys.reduce((index, key, i) => plus(index, times(key(s, n), strides[i])), 0);
      if (!isUnknown(at)) return table[at];
      return code.data.entries ? entryOf(table, at.answers) : lost();
    };
  },
  of: (e, code) => code.function(e[1]),
  int: of((x) => (isUnknown(x) ? number(truth(x)) : x)),
  not: of((x) => number(!truth(x))),
  neg: of(minus),
  wrap: of((x, more) => (more ? plus(x, more) : x)),
  unwrap: of((x, more) => (truth(x) ? plus(x, more) : fail())),
  is_none: of((x) => lifted(x, 0, (a) => number(a === 0))),
  is_empty: of((x) => lifted(x, 0n, (a) => number(a === 0n))),
  count: of((x) => lifted(x, 0, (a) => members(a).length)),
  single: of((x, low) => lifted(x, 0, (a) => bit(a - low))),
  complement: (e, code) => {
    const [operand, full] = [code.function(e[1]), BigInt(e[2])];
    return (s, n) => lifted(operand(s, n), full, (a) => full & ~a);
  },
  first: of((x, low) => (truth(x) ? members(x, low)[0] : fail())),
  and: (e, code) => {
    const [left, right] = [code.function(e[1]), code.function(e[2])];
    return (s, n) => {
      const value = left(s, n);
      return truth(value) ? right(s, n) : value;
    };
  },
  or: (e, code) => {
    const [left, right] = [code.function(e[1]), code.function(e[2])];
    return (s, n) => {
      const value = left(s, n);
      return truth(value) ? value : right(s, n);
    };
  },
  eq: both((a, b) => number(a === b)),
  ne: both((a, b) => number(a !== b)),
  lt: both((a, b) => number(a < b)),
  le: both((a, b) => number(a <= b)),
  in: (e, code) => {
    const [element, set] = [code.function(e[1]), code.function(e[2])];
    return (s, n) => {
      const all = set(s, n);
      return lifted(all, element(s, n), (a, b) => Number((a >> BigInt(b - e[3])) & 1n));
    };
  },
  within: both((a, b) => number((a & ~b) === 0n)),
  disjoint: both((a, b) => number((a & b) === 0n)),
  union: both((a, b) => a | b),
  meet: both((a, b) => a & b),
  minus: both((a, b) => a & ~b),
  add: arithmetic(plus),
  sub: arithmetic((a, b) => plus(a, minus(b))),
  mul: arithmetic(times),
  div: arithmetic((a, b) => (truth(b) ? lifted(a, b, (x, y) => Math.floor(x / y)) : fail())),
  mod: arithmetic((a, b) => (truth(b) ? lifted(a, b, (x, y) => x - y * Math.floor(x / y)) : fail())),
  min: arithmetic(least),
  max: arithmetic(greatest),
  fail: () => fail,
  fit: (e, code) => {
    const [operand, low, high] = [code.function(e[1]), ...[e[2], e[3]].map((end) => (typeof end === "string" ? BigInt(end) : end))];
    return (s, n) => {
      const value = operand(s, n);
      if (!isUnknown(value)) return low <= value && value <= high ? value : fail();
      return truth(new Unknown(value.answers)) && truth(new Unknown(value.answers)) ? value : fail();
    };
  },
  cond: (e, code) => {
    const [condition, then, otherwise] = e.slice(1).map((x) => code.function(x));
    return (s, n) => (truth(condition(s, n)) ? then(s, n) : otherwise(s, n));
  },
  let: (e, code) => {
    const [local, value, body] = [e[1], code.function(e[2]), code.function(e[3])];
    return (s, n) => bound(n, local, value(s, n), () => body(s, n));
  },
  loop,
  call: (e, code) => {
    const args = e[2].map((arg) => code.function(arg));
    return (s, n) => code.call(e[1], s, args.map((arg) => arg(s, n)));
  },
  stack: stackOp,
  noted: (e, code) => {
    const [{ first }, position] = [code.variables[e[1]], e[2].map((x) => code.function(x))];
    return (s, n) => {
      const values = position.map((x) => x(s, n));
      return isUnknown(s[first]) ? new Unknown(s[first].answers) : s[first].counts.get(positionOf(values)) ?? 0;
    };
  },
  flood: (e, code) => {
    const [start, within, table] = [code.function(e[1]), code.function(e[2]), code.tables[e[3]]];
    return (s, n) => {
      const [from, allowed] = [start(s, n), within(s, n)];
      let found = lifted(from, allowed, (a, b) => a & b);
      for (let edge = found; truth(edge); found |= edge) edge = image(edge, table) & allowed & ~found;
      return found;
    };
  },
  closure,
  after: (e, code) => {
    const [args, body] = [e[2].map((arg) => code.function(arg)), code.function(e[5])];
    return (s, n) => {
      const [values, after] = [args.map((arg) => arg(s, n)), s.slice()];
      code.execute(e[3], after, []);
      if (e[1] !== null) code.effect(e[1], after, values);
      code.execute(e[4], after, []);
      return body(after, n);
    };
  },
  moves: someMove,
};

function arithmetic(operation) {
  return (e, code) => {
    const [left, right] = [code.function(e[1]), code.function(e[2])];
    return (s, n) => operation(left(s, n), right(s, n));
  };
}

/** What a function returns while a name has a value. */
function bound(names, local, value, body) {
  const before = names[local];
  names[local] = value;
  const found = body();
  names[local] = before;
  return found;
}

function loop([, kind, local, low, over, only, each], code) {
  const [set, body] = [code.function(over), code.function(each)];
  const condition = only === null ? () => true : code.function(only);
  const put = LOOPS[kind];
  return (s, n) => {
    const state = { value: put.start, isOver: false };
    const all = members(set(s, n), low);
    bound(n, local, undefined, () => {
      for (const i of all) {
        n[local] = i;
        if (truth(condition(s, n))) put.each(state, body(s, n), i - low);
        if (state.isOver) return;
      }
    });
    if (state.value === undefined) fail();
    return put.end ? put.end(state.value) : state.value;
  };
}

const stops = (state, value) => Object.assign(state, { value, isOver: true });
const gather = (state, x) => Object.assign(state, { value: [...(state.value ?? []), x] });
const LOOPS = {
  some: { start: 0, each: (state, x) => truth(x) && stops(state, 1) },
  every: { start: 1, each: (state, x) => truth(x) || stops(state, 0) },
  count: { start: 0, each: (state, x) => { state.value += number(truth(x)); } },
  sum: { start: 0, each: (state, x) => { state.value = plus(state.value, x); } },
  max: { start: undefined, each: gather, end: (all) => all.reduce(greatest) },
  min: { start: undefined, each: gather, end: (all) => all.reduce(least) },
  union: { start: 0n, each: (state, x) => { state.value = lifted(state.value, x, (a, b) => a | b); } },
  filter: { start: 0n, each: (state, x, i) => { if (truth(x)) state.value |= bit(i); } },
};

function closure([, from, local, low, next], code) {
  const [start, step] = [code.function(from), code.function(next)];
  return (s, n) => {
    let found = start(s, n);
    for (let todo = found; truth(todo); ) {
      const [i] = members(todo);
      const reached = bound(n, local, i + low, () => step(s, n));
      const fresh = lifted(reached, found, (a, b) => a & ~b);
      todo = lifted(fresh, todo, (a, b) => (b ^ bit(i)) | a);
      found = lifted(found, fresh, (a, b) => a | b);
    }
    return found;
  };
}

function stackOp([, op, variable, keys, at], code) {
  const [slot, level] = [slotOf(variable, keys, code), at === null ? null : code.function(at)];
  return (s, n) => {
    const stack = read(s, slot(s, n));
    if (op === "height") return isUnknown(stack) ? lost() : stack.length;
    if (op === "top") return truth(isUnknown(stack) ? stack : stack.length) ? (isUnknown(stack) ? lost() : stack.at(-1)) : fail();
    const wanted = level(s, n);
    if (!truth(lifted(wanted, 0, (a) => 1 <= a))) fail();
    if (isUnknown(stack)) lost();
    if (!truth(lifted(wanted, 0, (a) => a <= stack.length))) fail();
    return isUnknown(wanted) ? entryOf(stack, wanted.answers) : stack[wanted - 1];
  };
}

function someMove([, kind, by, branches, isLegal, tick], code) {
  const [mover, bodies] = [code.function(by), branches.map((branch) => code.function(branch[3]))];
  return (s, n) => {
    let total = 0;
    const who = mover(s, n);
    for (const [i, [schema, me, params]] of branches.entries()) {
      n[me] = who;
      for (const args of isLegal ? code.legal(schema, s, who, tick) : code.attempts(schema, s, who)) {
        params.forEach((local, k) => { n[local] = args[k]; });
        const answer = truth(bodies[i](s, n));
        if (kind === "some" && answer) return 1;
        if (kind === "every" && !answer) return 0;
        total += number(answer);
      }
    }
    return kind === "count" ? total : number(kind === "every");
  };
}

/** An expression as a function of a state's values and the names in scope. */
export function functionOf(e, code) {
  return KINDS[e[0]](e, code);
}
