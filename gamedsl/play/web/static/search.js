// Monte-Carlo tree search over compiled rules (UCT, Kocsis and Szepesvári 2006), with proofs (MCTS-Solver, Winands et al.
// 2008): a position whose value is known is not tried again, and a proved win is played. For any number of seats; where
// chance decides, its outcomes are drawn. Not for games that hide something: it looks at the whole position.

const EXPLORATION = 0.5; // for returns between the worst and the best: that of agents/forest.py, where they lie between -1 and 1

class Node {
  constructor(rules, state) {
    this.state = state;
    this.kind = rules.kind(state);
    this.visits = 0;
    this.sums = new Array(rules.players).fill(0);
    this.exact = this.kind === "end" ? rules.returns(state) : null;
    this.seat = this.kind === "player" ? rules.actors(state)[0] : -1;
    this.actions = this.kind === "player" ? rules.legal(state) : [];
    this.children = new Map(); // by action; by the state's text where chance decides
  }
}

export class Search {
  /** `best` and `worst` of the facts bound what a seat can have. */
  constructor(rules, state, seed = 1) {
    Object.assign(this, { rules, seed, drawn: 0 });
    this.mark = rules.used;
    this.random = generator(seed);
    this.root = new Node(rules, state);
    if (this.root.kind !== "player") throw new Error("nobody chooses alone here");
  }

  /** Searches for `plays` plays or `milliseconds`, whichever ends first. Stops when the value is proved. */
  run({ plays = Infinity, milliseconds = Infinity }) {
    const end = performance.now() + milliseconds;
    for (let i = 0; i < plays && this.root.exact === null; i += 1) {
      if (i % 16 === 15 && performance.now() > end) break;
      this.#play();
    }
    return this.answer();
  }

  /** The best action, its expected returns per seat, whether they are proved, and all actions with their visits. */
  answer() {
    const { root } = this;
    const listed = [...root.children].map(([action, child]) => ({
      action, visits: child.visits, exact: child.exact !== null, returns: means(child),
    }));
    const value = (one) => one.returns[root.seat];
    const proved = root.exact === null ? [] : listed.filter((one) => one.exact && value(one) === root.exact[root.seat]);
    const losses = (one) => one.exact && value(one) <= this.rules.facts.worst[root.seat];
    const order = (a, b) => Number(losses(a)) - Number(losses(b)) || b.visits - a.visits || value(b) - value(a);
    const [chosen] = proved.length ? proved : listed.sort(order);
    return { action: chosen.action, returns: root.exact ?? chosen.returns, proved: root.exact !== null, actions: listed };
  }

  /** Forgets the tree. */
  close() {
    this.rules.used = this.mark;
  }

  #play() {
    const path = [this.root];
    let node = this.root;
    while (node.exact === null) {
      const [next, isNew] = this.#descend(node);
      if (next === null) break;
      path.push(next);
      node = next;
      if (isNew) break;
    }
    const found = node.exact ?? this.#playout(node);
    if (found === null) return;
    for (const one of path.reverse()) {
      one.visits += 1;
      found.forEach((value, seat) => { one.sums[seat] += value; });
      this.#prove(one);
    }
  }

  #playout(node) {
    this.drawn += 1;
    return this.rules.playout(node.state, this.seed, this.drawn);
  }

  /** The next node of a play, and whether it is new. */
  #descend(node) {
    if (node.kind === "chance") return this.#outcome(node);
    if (node.kind !== "player") return [null, false];
    const untried = node.actions.length - node.children.size;
    if (untried > 0) return [this.#expand(node, untried), true];
    return [this.#select(node), false];
  }

  #expand(node, untried) {
    if (node.children.size === 0) shuffle(node.actions, this.random);
    const action = node.actions[node.actions.length - untried];
    const child = new Node(this.rules, this.rules.act(node.state, action));
    node.children.set(action, child);
    return child;
  }

  #outcome(node) {
    this.drawn += 1;
    const state = this.rules.chance(node.state, this.seed, this.drawn);
    const key = state.join();
    const known = node.children.get(key);
    if (known) return [known, false];
    const child = new Node(this.rules, state);
    node.children.set(key, child);
    return [child, true];
  }

  #select(node) {
    const { best, worst } = this.rules.facts;
    const spread = Math.max(1e-9, best[node.seat] - worst[node.seat]);
    const log = Math.log(node.visits + 1);
    let [chosen, most] = [null, -Infinity];
    for (const child of node.children.values()) {
      if (child.exact !== null) continue;
      const mean = (child.sums[node.seat] / Math.max(1, child.visits) - worst[node.seat]) / spread;
      const bound = mean + EXPLORATION * Math.sqrt(log / Math.max(1, child.visits));
      if (bound > most) [chosen, most] = [child, bound];
    }
    return chosen;
  }

  /** A node's value is known if one child is the best that can be, or if all are known. */
  #prove(node) {
    if (node.exact !== null || node.kind !== "player") return;
    let [found, all] = [null, node.children.size === node.actions.length];
    for (const { exact } of node.children.values()) {
      if (exact === null) all = false;
      else if (found === null || exact[node.seat] > found[node.seat]) found = exact;
    }
    if (found !== null && (all || found[node.seat] >= this.rules.facts.best[node.seat])) node.exact = found;
  }
}

function means(node) {
  return node.exact ?? node.sums.map((sum) => sum / Math.max(1, node.visits));
}

/** Numbers in [0, 1) that depend on the seed alone (mulberry32). */
export function generator(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function shuffle(items, random) {
  for (let i = items.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [items[i], items[j]] = [items[j], items[i]];
  }
}
