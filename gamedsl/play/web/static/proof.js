// Who wins a position, where that can be proved by trying moves: alpha-beta over who wins (1: the first seat, -1: the second, 0: a
// draw), one ply deeper after the other, with a table of what is proved. A bound is only ever what was seen at ends of the game; where
// chance decides, it must hold for all outcomes. For two seats, where nothing is hidden.

const [FIRST, SECOND] = [1, -1];
const UNKNOWN = [SECOND, FIRST]; // least and greatest of what a position can be worth
const EACH = 64; // positions between two looks at the clock

class Exhausted extends Error {}

export class Proof {
  constructor(rules, state) {
    Object.assign(this, { rules, state, known: new Map(), looked: 0, isCut: false });
  }

  /** 1, -1 or 0 if that is proved within the budget, else null. */
  run({ positions, milliseconds }) {
    Object.assign(this, { most: positions, until: performance.now() + milliseconds });
    let found = UNKNOWN;
    try {
      for (let depth = 1; found[0] !== found[1]; depth += 1) {
        this.isCut = false;
        found = this.#bounds(this.state, depth, ...UNKNOWN);
        if (!this.isCut) break;
      }
    } catch (error) {
      if (!(error instanceof Exhausted)) throw error;
    }
    return found[0] === found[1] ? found[0] : null;
  }

  /** The least and greatest that a position can be worth, as far as `depth` plies show; exact where that matters between `low` and
   *  `high`. */
  #bounds(state, depth, low, high) {
    const key = String.fromCharCode(...state);
    const known = this.known.get(key) ?? UNKNOWN;
    if (known[0] === known[1] || known[0] >= high || known[1] <= low) return known;
    this.#count();
    const kind = this.rules.kind(state);
    const found = kind === "end" ? this.#end(state) : kind === "player" || kind === "chance" ? this.#inner(state, kind, depth, low, high) : UNKNOWN;
    const better = [Math.max(found[0], known[0]), Math.min(found[1], known[1])];
    if (better[0] !== UNKNOWN[0] || better[1] !== UNKNOWN[1]) this.known.set(key, better);
    return better;
  }

  #count() {
    this.looked += 1;
    if (this.looked > this.most || (this.looked % EACH === 0 && performance.now() > this.until)) throw new Exhausted();
  }

  #end(state) {
    const [first, second] = this.rules.returns(state);
    const value = Math.sign(first - second);
    return [value, value];
  }

  #inner(state, kind, depth, low, high) {
    if (depth === 0) {
      this.isCut = true;
      return UNKNOWN;
    }
    const after = (action) => this.rules.act(state, action);
    const actions = this.rules.legal(state);
    if (kind === "chance") {
      const all = actions.map((action) => this.#bounds(after(action), depth - 1, ...UNKNOWN));
      return [Math.min(...all.map(([least]) => least)), Math.max(...all.map(([, most]) => most))];
    }
    return this.rules.actors(state)[0] === 0 ? this.#best(actions, after, depth, low, high) : this.#worst(actions, after, depth, low, high);
  }

  #best(actions, after, depth, low, high) {
    const found = [SECOND, SECOND];
    for (const action of actions) {
      if (found[0] >= high || found[0] === FIRST) return [found[0], FIRST]; // the others can only be better
      const [least, most] = this.#bounds(after(action), depth - 1, Math.max(low, found[0]), high);
      found[0] = Math.max(found[0], least);
      found[1] = Math.max(found[1], most);
    }
    return found;
  }

  #worst(actions, after, depth, low, high) {
    const found = [FIRST, FIRST];
    for (const action of actions) {
      if (found[1] <= low || found[1] === SECOND) return [SECOND, found[1]];
      const [least, most] = this.#bounds(after(action), depth - 1, low, Math.min(high, found[1]));
      found[0] = Math.min(found[0], least);
      found[1] = Math.min(found[1], most);
    }
    return found;
  }
}
