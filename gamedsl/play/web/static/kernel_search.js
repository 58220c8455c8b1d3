// What the searches of the page have in common. Their work is done by kernels in the module of the rules, the machine code that
// Python runs, too: the same seed gives the same move. Here arrays are made and kernels called.

import { Kernels } from "./kernels.js";

const PIECE = 64; // iterations between looks at the clock
const GAMMA = 0x9e3779b97f4a7c15n;

export class KernelSearch {
  constructor(rules) {
    Object.assign(this, { rules, facts: rules.facts.search });
    Object.assign(this, { sizes: this.facts.sizes, numbers: this.facts.numbers });
    rules.longest = this.facts.plies;
    this.begun = null;
  }

  /** Makes what all searches need, where the memory of the rules ends; again if that has grown, as it may when they play a line. */
  ready() {
    if (this.begun === this.rules.end) return;
    this.begun = this.rules.end;
    this.kernels = new Kernels(this.rules.code, this.facts.shapes, this.begun, (end) => this.rules.reach(end));
    this.prepare();
    this.begin = this.kernels.free;
  }

  /** The arrays of tables of the rules, by name. */
  tables(given) {
    const { kernels, rules } = this;
    const found = Object.fromEntries(Object.entries(given).map(([name, [type, shape, text]]) => [name, kernels.array(type, shape, bytesOf(text))]));
    kernels.view(found.entry)[0] = BigInt(rules.context);
    return found;
  }

  /** The states before these plies (actions, and records of drawings) and after each, and the number of the last one at which nobody
   *  has chosen while others have not. `pending`: the first byte of open choices, and how many they are. */
  walk(plies, [from, length]) {
    const { rules } = this;
    const states = [rules.initial()];
    for (const ply of plies) states.push(rules.take(states.at(-1), ply));
    return { states, whole: states.findLastIndex((state) => state.subarray(from, from + 8 * length).every((byte) => byte === 0)) };
  }

  bytes({ at, shape, type }) {
    const { byteLength } = this.kernels.view({ at, shape, type });
    return new Uint8Array(this.rules.code.memory.buffer, at, byteLength).slice();
  }

  /** Runs so many iterations, or until this time, or until the status `done`; the tree, which may have grown. `iterate`: runs some
   *  of them in a tree; `lacking`: the names of the arrays that are too small, by what the tree lacks. */
  grow(tree, { plays, end, done = 0 }, iterate, lacking) {
    const { kernels, numbers } = this;
    for (;;) {
      const left = plays - Number(kernels.view(tree.used)[numbers.DONE]);
      if (left <= 0) return tree;
      const status = iterate(tree, Math.min(PIECE, left));
      if (status === numbers.FULL) tree = this.#wider(tree, lacking);
      else if (status < 0) throw new Error("the rules cannot be followed here");
      else if (done && status === done) return tree;
      if (performance.now() > end) return tree;
    }
  }

  /** The tree with twice the room where it lacks some, as far as memory allows. */
  #wider(tree, lacking) {
    const { kernels, numbers } = this;
    const lack = Number(kernels.view(tree.used)[numbers.LACK]);
    const names = lacking.get(lack);
    const size = (arrays) => arrays.reduce((sum, array) => sum + kernels.view(array).byteLength, 0);
    const wider = (array) => {
      const made = kernels.array(array.type, [2 * array.shape[0], ...array.shape.slice(1)]);
      kernels.view(made).set(kernels.view(array));
      return made;
    };
    const fits = size(Object.values(tree)) + size(names.map((name) => tree[name])) <= this.facts.tree.memory;
    const found = fits && kernels.attempt(() => Object.fromEntries(Object.entries(tree).map(([name, array]) => [name, names.includes(name) ? wider(array) : array])));
    if (!found) {
      this.close(tree); // it grows no more
      return tree;
    }
    if (names.includes("table")) kernels.call("fill_table", found);
    return found;
  }
}

/** The action to play, of `{k, share, value, visits, exact, plies}` in the order of `k`. `isSecret`: it is drawn by the shares; `isExact`:
 *  the value of the position is proved. The meaning is that of `Findings` (agents/search_findings.py). */
export function chosenOf(rows, { isSecret, isExact }, seed) {
  if (isSecret) return drawn(rows, seed);
  if (isExact) return greatest(rows, ({ exact, value, plies, visits }) => [Number(exact), value, value > 0 ? -plies : plies, visits]);
  const tried = rows.filter(({ share }) => share > 0);
  const known = tried.length ? tried : rows;
  const hoped = Math.max(-2, ...known.filter(({ exact }) => !exact).map(({ value }) => value));
  const fit = known.filter(({ exact, value }) => !exact || value >= hoped);
  return greatest(fit.length ? fit : known, ({ share, value }) => [share, value]);
}

/** The first of those with the greatest key. */
function greatest(rows, key) {
  const isLess = (a, b) => {
    const i = a.findIndex((x, at) => x !== b[at]);
    return i >= 0 && a[i] < b[i];
  };
  return rows.reduce((best, row) => (isLess(key(best), key(row)) ? row : best));
}

function drawn(rows, seed) {
  let left = unitOf(seed);
  for (const row of rows) {
    left -= row.share;
    if (left < 0) return row;
  }
  return greatest(rows, ({ share }) => [share]);
}

/** The action that a seed draws where a search has found nothing. */
export const anyOf = (listed, seed) => listed[Math.floor(unitOf(seed) * listed.length)];

/** What is known of an action whose results have this mean: the value as Python merges it from several trees. */
export const meanOf = (mean, visits, exact = false, plies = 0) => ({ value: exact ? mean : visits ? (mean * visits) / visits : 0, visits, exact, plies: exact ? plies : 0 });

/** Weights as shares of their sum. */
export function shares(weights, least = 0) {
  const total = Math.max(least, weights.reduce((a, b) => a + b, 0));
  return weights.map((weight) => (total ? weight / total : 1 / weights.length));
}

/** The strategy of a choice in secret, from the sums of what was played: divided twice, as Python does it for a tree and for several. */
export const strategyOf = (sums) => shares(shares(sums, 1e-300));

/** The seed of a tree. */
export const ownSeed = (seed) => BigInt.asUintN(63, BigInt(seed) * GAMMA);

/** The number in [0, 1) that belongs to a seed (the finalizer of SplitMix64). */
function unitOf(seed) {
  const word = (z) => BigInt.asUintN(64, z);
  let z = word(BigInt(seed) + GAMMA);
  z = word((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = word((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return Number((z ^ (z >> 31n)) >> 11n) / 2 ** 53;
}

const bytesOf = (text) => (text ? Uint8Array.from(atob(text), (c) => c.charCodeAt(0)) : null);
