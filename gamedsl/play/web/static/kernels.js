// Calls the kernels in a module: the machine code of the search that Python runs, too. What they work on are arrays in the
// memory of the module: `{at, type, shape}`, or objects of such in the order of their fields.

const BYTES = { u1: 1, i4: 4, i8: 8, u8: 8, f8: 8 };
const VIEWS = { u1: Uint8Array, i4: Int32Array, i8: BigInt64Array, u8: BigUint64Array, f8: Float64Array };
const MOST_WORDS = 1024; // of the arguments of a call

export class Kernels {
  /** `begin`: the first address that is free; `shapes`: of the kinds of arrays; `reach`: makes memory large enough. */
  constructor(code, shapes, begin, reach) {
    Object.assign(this, { code, shapes, reach, arguments: 16 * Math.ceil(begin / 16) });
    this.free = this.arguments + 8 * MOST_WORDS;
    this.reach(this.free);
  }

  /** An array of zeros, or of these bytes. */
  array(type, shape, bytes = null) {
    const at = this.free;
    const size = BYTES[type] * shape.reduce((a, b) => a * b, 1);
    this.free += 16 * Math.ceil(size / 16);
    this.reach(this.free);
    const memory = new Uint8Array(this.code.memory.buffer, at, size);
    if (bytes) memory.set(bytes);
    else memory.fill(0);
    return { at, type, shape };
  }

  /** Arrays of a kind. `sizes`: by the names in its shapes; `given`: those that are there already. */
  make(kind, sizes = {}, given = {}) {
    const made = ([of, lengths]) => {
      const shape = lengths.map((length) => lengthOf(length, sizes));
      return of in this.shapes ? this.make(of, { ...sizes, rows: shape[0] }) : this.array(of, shape);
    };
    return Object.fromEntries(Object.entries(this.shapes[kind]).map(([name, shape]) => [name, given[name] ?? made(shape)]));
  }

  /** What `make` makes; null, and nothing made, if the browser gives no more memory. */
  attempt(make) {
    const mark = this.free;
    try {
      return make();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.free = mark;
      return null;
    }
  }

  /** The elements of an array where they are, until memory grows. */
  view({ at, type, shape }) {
    return new VIEWS[type](this.code.memory.buffer, at, shape.reduce((a, b) => a * b, 1));
  }

  /** Calls a kernel; its result as a number. Numbers are whole unless they are an object `{real}`. */
  call(name, ...given) {
    const words = [0n];
    for (const one of given) addWords(words, one);
    new BigInt64Array(this.code.memory.buffer, this.arguments, words.length).set(words);
    this.code[name](this.arguments);
    return Number(new BigInt64Array(this.code.memory.buffer, this.arguments, 1)[0]);
  }
}

/** A length: a number, the name of a size, or such a name and how many times it is taken. */
function lengthOf(length, sizes) {
  const [size, times] = Array.isArray(length) ? length : [length, 1];
  return (sizes[size] ?? size) * times;
}

function addWords(words, one) {
  if (typeof one === "number") words.push(BigInt(one));
  else if (one.real !== undefined) words.push(new BigInt64Array(new Float64Array([one.real]).buffer)[0]);
  else if (typeof one.at === "number") words.push(...arrayWords(one));
  else for (const part of Object.values(one)) addWords(words, part);
}

function arrayWords({ at, type, shape }) {
  const bytes = BYTES[type];
  const strides = shape.map((_, i) => bytes * shape.slice(i + 1).reduce((a, b) => a * b, 1));
  return [0, 0, shape.reduce((a, b) => a * b, 1), bytes, at, ...shape, ...strides].map(BigInt);
}
