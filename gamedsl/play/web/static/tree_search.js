// The search for games that hide nothing: a tree over positions (agents/forest.py). It looks at the whole position.

import { KernelSearch, anyOf, chosenOf, meanOf, ownSeed, shares, strategyOf } from "./kernel_search.js";

export class TreeSearch extends KernelSearch {
  prepare() {
    const { kernels, facts } = this;
    this.playing = { tables: this.tables(facts.rules), explore: facts.tree.explore };
    this.judging = facts.judging && { tables: this.tables(facts.judging.rules), explore: facts.judging.explore };
    this.descent = kernels.make("Descent", this.sizes);
  }

  /** Searches for `plays` iterations or `milliseconds`, after these plies; ends when the value is proved. `judges`: by the learned value
   *  instead of playouts. The best action of who is to act next, the expected returns of all seats, and whether these are proved. */
  run(plies, { plays = Infinity, milliseconds = Infinity, judges = false }, seed) {
    const began = performance.now();
    const { rules, facts } = this;
    const { states, whole } = this.walk(plies, facts.pending);
    const listed = rules.listed(states.at(-1));
    this.ready();
    const { kernels, numbers } = this;
    const { tables, explore } = judges ? this.judging : this.playing;
    this.played = tables;
    kernels.view(this.descent.explore)[0] = explore;
    try {
      const tree = this.grow(this.#planted(states[whole], seed), { plays, end: began + milliseconds, done: numbers.PROOF },
        (grown, iterations) => kernels.call("run_iterations", this.played, grown, this.descent, iterations),
        new Map([[numbers.NODES, ["blocks", "node", "value"]], [numbers.EDGES, ["edge"]], [numbers.REALS, ["reals"]]]));
      return this.#answer(tree, plies.length - whole, seed, listed);
    } finally {
      kernels.free = this.begin;
    }
  }

  /** A tree with this state as its root. */
  #planted(state, seed) {
    const { kernels, numbers } = this;
    const tree = kernels.make("Tree", this.sizes);
    new Uint8Array(kernels.view(tree.blocks).buffer, tree.blocks.at, state.length).set(state);
    const shape = kernels.view(this.played.shape);
    [shape[numbers.SEED], shape[numbers.CLOSED]] = [ownSeed(seed), 0n];
    kernels.view(this.descent.draws)[0] = ownSeed(seed);
    return tree;
  }

  close() {
    this.kernels.view(this.played.shape)[this.numbers.CLOSED] = 1n;
  }

  #answer(tree, nth, seed, listed) {
    const { kernels, numbers, rules } = this;
    const { KIND, PROVEN, VISITS, TOGETHER } = numbers;
    const [node, value] = [kernels.view(tree.node), kernels.view(tree.value)];
    const field = (i, one) => node[numbers.FIELDS * i + one];
    const isExact = field(0, PROVEN) === 1;
    const returns = Array.from(value.subarray(0, rules.players), (sum) => (isExact ? sum : sum / Math.max(1, field(0, VISITS))) * this.facts.most);
    const at = this.#chooser(tree, field, nth);
    const rows = at < 0 ? [] : field(at, KIND) === TOGETHER ? this.#secretRows(tree, field, at) : this.#rows(tree, field, at);
    const action = rows.length ? listed[chosenOf(rows, { isSecret: field(0, KIND) === TOGETHER, isExact }, seed).k] : anyOf(listed, seed);
    return { action, returns, proved: isExact };
  }

  /** The node at which the choice in question is made; -1 if the tree has not reached it. */
  #chooser(tree, field, nth) {
    const { FIRST, ACTION_COUNT } = this.numbers;
    const edge = this.kernels.view(tree.edge);
    let at = 0;
    for (let n = 0; n < nth; n += 1) {
      const first = field(at, FIRST);
      const made = first < 0 ? [] : Array.from({ length: field(at, ACTION_COUNT) }, (_, k) => edge[2 * (first + k) + 1]).filter((child) => child >= 0);
      if (!made.length) return -1;
      [at] = made;
    }
    return field(at, FIRST) >= 0 ? at : -1;
  }

  #secretRows(tree, field, at) {
    const n = field(at, this.numbers.ACTION_COUNT);
    const table = this.kernels.view(tree.reals).subarray(field(at, this.numbers.TABLE));
    const strategy = strategyOf([...table.subarray(n, 2 * n)]);
    return strategy.map((share, k) => ({ k, share, ...meanOf(table[2 * n + k] / Math.max(1, table[3 * n + k]), table[3 * n + k]) }));
  }

  #rows(tree, field, at) {
    const { SEAT, FIRST, ACTION_COUNT, VISITS, PROVEN, FAR } = this.numbers;
    const [edge, value, seat] = [this.kernels.view(tree.edge), this.kernels.view(tree.value), field(at, SEAT)];
    const rows = Array.from({ length: field(at, ACTION_COUNT) }, (_, i) => {
      const [k, child] = edge.subarray(2 * (field(at, FIRST) + i));
      if (child < 0) return { k, ...meanOf(0, 0) };
      const [visits, exact] = [field(child, VISITS), field(child, PROVEN) === 1];
      return { k, ...meanOf(value[this.rules.players * child + seat] / (exact ? 1 : Math.max(1, visits)), visits, exact, field(child, FAR) + 1) };
    }).sort((a, b) => a.k - b.k);
    const parts = shares(rows.map(({ visits }) => visits));
    return rows.map((row, i) => ({ ...row, share: parts[i] }));
  }
}
