// The search for games that hide something: a tree over what players know, from positions that fit what the searching seat
// has noticed. The work is done by kernels, the machine code that Python runs, too (agents/information_search.py and
// agents/beliefs/particle_filter.py): the same seed gives the same move. Here arrays are made and kernels called.

import { KernelSearch, anyOf, chosenOf, meanOf, ownSeed, shares, strategyOf } from "./kernel_search.js";

const RATE = 100; // steps of the rules a millisecond, before it is known
const DRAWING = 0.5; // the share of the time in which positions are drawn
const KEPT = 4; // beliefs kept for later moves

export class InformationSearch extends KernelSearch {
  prepare() {
    const { rules, kernels, facts, sizes } = this;
    this.kept = [];
    [this.played, this.observed] = [facts.played, facts.observed].map((one) => this.tables(one));
    this.buffers = kernels.make("Buffers", sizes);
    kernels.view(this.buffers.at).set(["codes", "spare", "actors"].map((name) => BigInt(this.buffers[name].at)));
    this.scratch = kernels.make("Scratch");
    this.descent = kernels.make("Descent", sizes);
    kernels.view(this.descent.most)[0] = facts.most;
    const begun = new Uint8Array(8 * sizes.words);
    begun.set(rules.initial());
    this.initial = kernels.array("i8", [sizes.words], begun);
    this.firstMark = rules.used;
    const mark = kernels.free;
    const { varied, explore } = facts.tree;
    const status = kernels.call("measure_widths", this.played, this.#newTree(), this.descent, this.initial, varied, { real: explore });
    kernels.free = mark;
    if (status < 0) throw new Error("the rules cannot be followed here");
  }

  /** Searches for `plays` iterations or `milliseconds`, for the seat that is to act after these actions. */
  run(actions, { plays = Infinity, milliseconds = Infinity }, seed) {
    const began = performance.now();
    const { moves, seat, listed } = this.#line(actions);
    this.ready();
    const { rules, kernels } = this;
    try {
      const known = this.#observe(moves, seat);
      rules.used = this.firstMark;
      const belief = this.#belief(known, began + DRAWING * milliseconds);
      if (belief === null) return { action: anyOf(listed, seed), returns: null, proved: false };
      const tree = this.#grow(belief, seat, seed, plays, began + milliseconds);
      return this.#answer(tree, seat, seed, listed);
    } finally {
      kernels.free = this.begin;
    }
  }

  // ------------------------------------------------------------------------------------------------- what is known

  /** The actions by their numbers in the order of the rules, without choices of a stop at which others have not chosen yet;
   *  the seat that is to act, and its actions. */
  #line(actions) {
    const { rules } = this;
    const begin = rules.used;
    const { states, whole } = this.walk(actions, this.facts.pending);
    const moves = actions.slice(0, whole).map((action, i) => rules.listed(states[i]).indexOf(action));
    const found = { moves, seat: rules.actors(states.at(-1))[0], listed: rules.listed(states.at(-1)) };
    rules.used = begin;
    return found;
  }

  /** What a seat notices of these moves, as hashes, and how many of them come before each of its choices and at the end. */
  #observe(moves, seat) {
    const { kernels, rules, facts } = this;
    rules.used = this.firstMark;
    const state = kernels.array("i8", [this.sizes.words], this.bytes(this.initial));
    const last = this.#firstView(seat);
    const [seen, move, own] = [kernels.array("u8", [facts.observations]), kernels.array("i8", [1]), kernels.array("i8", [1])];
    const [events, choices] = [[], []];
    for (const k of moves) {
      kernels.view(move)[0] = BigInt(k);
      const count = kernels.call("play_ply", this.observed, this.buffers, state, move, seat, last, seen, own);
      if (count < 0) throw new Error("the rules cannot be followed here");
      if (kernels.view(own)[0]) choices.push(events.length);
      events.push(...kernels.view(seen).subarray(0, count));
    }
    return { seat, events: BigUint64Array.from(events), choices: [...choices, events.length] };
  }

  #firstView(seat) {
    const last = this.kernels.array("u8", [2]);
    this.kernels.call("first_view", this.observed, this.buffers, this.initial, seat, last);
    return last;
  }

  // ------------------------------------------------------------------------------------------------- what is believed

  /** Positions in which a seat may believe to be, each with the logarithm of its probability; null if none was found. What
   *  was believed at earlier choices is continued. */
  #belief(known, deadline) {
    const same = (one) => one.seat === known.seat && known.choices.includes(one.events.length) && one.events.every((event, i) => event === known.events[i]);
    let found = this.kept.filter(same).sort((a, b) => b.events.length - a.events.length)[0] ?? null;
    if (found && this.rules.facts.memory.notes && !this.#replayed(known, found)) return null;
    found ??= { particles: this.#beginning(known.seat), isExact: true, explained: -1 };
    const todo = known.choices.filter((explained) => explained > found.explained);
    for (const [i, explained] of todo.entries()) {
      const now = performance.now();
      found = this.#step(known, explained, found, now + (deadline - now) / (todo.length - i));
      if (found === null) return null;
      this.kept = [{ ...found, seat: known.seat, events: known.events.slice(0, explained) }, ...this.kept].slice(0, KEPT);
    }
    return found;
  }

  #longest(explained) {
    const [silent, atFirst] = this.facts.longest;
    return silent * Math.max(0, explained) + atFirst;
  }

  #start(seat, longest) {
    const start = this.kernels.make("Particles", { ...this.sizes, rows: 1, longest });
    this.kernels.view(start.states).set(this.kernels.view(this.initial));
    this.kernels.view(start.lasts).set(this.kernels.view(this.#firstView(seat)));
    return start;
  }

  #beginning(seat) {
    const mark = this.kernels.free;
    const found = this.#taken(this.#start(seat, this.#longest(0)), 1);
    this.kernels.free = mark;
    return found;
  }

  /** A copy of the first rows of particles, outside of the memory of the module. */
  #taken(particles, rows) {
    return Object.entries(particles).map(([name, { at, type, shape }]) => {
      const first = { at, type, shape: [rows, ...shape.slice(1)] };
      return [name, { ...first, bytes: this.bytes(first) }];
    });
  }

  #placed(particles) {
    return Object.fromEntries(particles.map(([name, { type, shape, bytes }]) => [name, this.kernels.array(type, shape, bytes)]));
  }

  #evidence(known, explained) {
    const { kernels } = this;
    const bounds = kernels.array("i8", [2]);
    kernels.view(bounds).set([BigInt(known.seat), BigInt(explained)]);
    return { observed: kernels.array("u8", [known.events.length], new Uint8Array(known.events.buffer)), bounds };
  }

  #room(known, explained, given, isExact) {
    const { kernels, numbers } = this;
    const longest = this.#longest(explained);
    const room = kernels.make("Room", { ...this.sizes, longest }, { start: this.#start(known.seat, longest), ...given });
    kernels.view(room.at)[numbers.IS_EXACT] = BigInt(isExact);
    kernels.view(room.at)[numbers.FIRST_MARK] = BigInt(this.firstMark);
    return room;
  }

  /** Continues a belief to the next choice of the seat. */
  #step(known, explained, before, until) {
    const { kernels, facts } = this;
    const { EXACT, NOTHING_FITS, ROWS } = this.numbers;
    const mark = kernels.free;
    const room = this.#room(known, explained, { before: this.#placed(before.particles) }, before.isExact);
    const rows = before.isExact ? facts.exact : 1;
    const layer = () => kernels.make("Layer", { ...this.sizes, rows, longest: this.#longest(explained) });
    const layers = [layer(), layer(), layer()];
    const earlier = Number(new BigInt64Array(before.particles.find(([name]) => name === "counts")[1].bytes.buffer)[1]);
    const evidence = [this.#evidence(known, explained), this.#evidence(known, earlier)];
    const limits = kernels.array("i8", [2]);
    const steps = kernels.view(this.scratch.steps);
    steps[0] = 0n;
    const began = performance.now();
    let phase = 0;
    while (phase < EXACT) {
      const done = Number(kernels.view(this.scratch.steps)[0]);
      const took = performance.now() - began;
      const left = (until - performance.now()) * (took > 5 && done ? done / took : RATE);
      kernels.view(limits).set([BigInt(facts.arena / 2), BigInt(Math.floor(done + Math.max(0, Math.min(facts.phases[phase], left))))]);
      phase = kernels.call("take_phase", this.observed, this.buffers, evidence, room, layers, limits, this.scratch);
    }
    const isExact = phase === EXACT;
    const particles = isExact ? this.#taken(layers[2].particles, Number(kernels.view(room.at)[ROWS])) : this.#taken(room.chosen, room.chosen.states.shape[0]);
    kernels.free = mark;
    return phase === NOTHING_FITS ? null : { particles, isExact, explained };
  }

  /** Notes the positions of a belief again; false if one does not fit. */
  #replayed(known, found) {
    const { kernels } = this;
    const mark = kernels.free;
    const chosen = this.#placed(found.particles);
    const room = this.#room(known, found.explained, { before: chosen, chosen }, found.isExact);
    const fits = kernels.call("replay_all", this.observed, this.buffers, this.#evidence(known, found.explained), room, this.scratch);
    found.particles = this.#taken(chosen, chosen.states.shape[0]);
    kernels.free = mark;
    return fits !== 0;
  }

  // ------------------------------------------------------------------------------------------------- the tree

  #newTree() {
    return this.kernels.make("Tree", { ...this.sizes, nodes: this.facts.tree.nodes });
  }

  #grow(belief, seat, seed, plays, end) {
    const { kernels, numbers } = this;
    const particles = this.#placed(belief.particles);
    const [rows] = particles.states.shape;
    const starts = kernels.make("Starts", { ...this.sizes, rows }, { states: particles.states });
    kernels.call("add_shares", particles, starts.until);
    kernels.call("prepare_starts", this.played, this.buffers, starts, seat);
    const tree = this.#newTree();
    kernels.view(tree.shape).set([ownSeed(seed), 0n, BigInt(seat)]);
    kernels.view(this.descent.draws)[0] = ownSeed(seed);
    return this.grow(tree, { plays, end },
      (grown, iterations) => kernels.call("run_iterations", this.played, this.buffers, grown, starts, this.descent, iterations),
      new Map([[numbers.NODES, ["keys", "node", "table"]], [numbers.EDGES, ["edge", "events"]]]));
  }

  close(tree) {
    this.kernels.view(tree.shape)[this.numbers.CLOSED] = 1n;
  }

  /** The action to play: the one tried most, or one drawn by the strategy of a choice that is made at once with others. */
  #answer(tree, seat, seed, listed) {
    const { kernels } = this;
    const { FIRST, ACTION_COUNT, SEAT, TOGETHER, TRIES, SUM, STRATEGY, NODES, DONE } = this.numbers;
    const [node, edge, used] = [kernels.view(tree.node), kernels.view(tree.edge), kernels.view(tree.used)];
    const field = (i, one) => Number(node[tree.node.shape[1] * i + one]);
    let root = 0;
    while (root < Number(used[NODES]) && field(root, SEAT) !== seat) root += 1;
    const isSecret = field(root, TOGETHER) !== 0;
    const found = Array.from({ length: field(root, ACTION_COUNT) }, (_, k) => {
      const [visits, sum, strategy] = [TRIES, SUM, STRATEGY].map((one) => edge[tree.edge.shape[1] * (field(root, FIRST) + k) + one]);
      return { k, strategy, ...meanOf(sum / Math.max(1, visits), visits) };
    });
    const parts = isSecret ? strategyOf(found.map((one) => one.strategy)) : shares(found.map((one) => one.visits));
    const done = Math.max(1, Number(used[DONE]));
    const returns = Array.from(kernels.view(tree.totals), (total) => (total / done) * this.facts.most);
    const chosen = chosenOf(found.map((one, i) => ({ ...one, share: parts[i] })), { isSecret, isExact: false }, seed);
    return { action: listed[chosen.k], returns, proved: false };
  }
}
