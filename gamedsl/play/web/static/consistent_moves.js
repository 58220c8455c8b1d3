// What a seat can infer of a ply from two positions as it sees them: that in which all actions agree that are consistent with
// what it saw. The meaning is that of gamedsl/engine/information/consistent_moves.py.
// Action: {kind, block, schema, args, number} (`args`: of a move; `number`: of an alternative, a value or an outcome).
// Inference: {kind, schema, args}; `kind` null: nothing is known; an argument null: it is not known.

import { members } from "./core_expressions.js";
import { hiddenFrom, visibleSlots } from "./observation.js";
import { PossibleEffects, TooManySteps, unknownValue } from "./possible_effects.js";
import { RulesError } from "./rules.js";
import { Answers, isUnknown, mayBe, NotKnown, plus, seenSlots, Unknown, unknownOf, write } from "./unknown_values.js";

export const NOTHING = { kind: null, schema: null, args: [] };

export const isWhole = ({ kind, args }) => kind !== null && !args.includes(null);

/** What two inferences have in common. */
export function joined(one, other) {
  if (one === null) return other;
  if (one.kind !== other.kind || one.schema !== other.schema || one.args.length !== other.args.length) return NOTHING;
  return { ...one, args: one.args.map((a, i) => (a === other.args[i] ? a : null)) };
}

/** What is known of a move that is known. `stop`: where it was made. */
export function inferenceOf(stop, { kind, schema, args, text }) {
  if (kind === "move") return { kind, schema, args };
  return { kind, schema: kind === "chance" ? stop.what : kind, args: kind === "pass" ? [] : [text] };
}

/** Executes an action on the values of a state; with the statements that belong to the ply too. */
export function carryOut(rules, action, mover, slots) {
  const stop = rules.data.blocks[action.block];
  switch (stop.end) {
    case "Decide":
    case "DecideTogether": {
      if (stop.end === "Decide") rules.execute(stop.tick, slots, []);
      if (action.kind !== "move") return;
      const alternative = stop.alternatives[action.number];
      rules.carryOut(alternative, slots, mover, action.args);
      if (alternative.registers.length) goOn(rules, slots, alternative.target);
      return;
    }
    case "Choose":
    case "Chance":
      rules.takeValue(action.block, slots, action.number);
      goOn(rules, slots, stop.target);
  }
}

function goOn(rules, slots, from) {
  for (const block of rules.blocksPassed(from)) rules.execute(rules.data.blocks[block].statements, slots, []);
}

/** A seat that observes a ply from a position with these values (simultaneous choices are executed one by one). `told`: the numbers
 *  of further slots that it knows, since the game is over. */
export class Observer {
  constructor(position, slots, mover, seat, told = []) {
    Object.assign(this, { position, rules: position.rules, slots, mover, seat, told, bounds: position.rules.data.bounds });
    this.answers = new Answers(this.bounds.answers);
    this.view = hiddenFrom(position, seat, slots, this.answers);
    for (const i of told) this.view[i] = slots[i];
  }

  /** What the seat can infer of the action taken. */
  infer(action) {
    const after = this.slots.slice();
    carryOut(this.rules, action, this.mover, after);
    const seen = visibleSlots(this.position, this.seat, after);
    const visible = this.told.length ? [...new Set([...seen, ...this.told])].sort((a, b) => a - b) : seen;
    this.effects = new PossibleEffects(this.rules, this.answers, visible);
    this.after = visible.map((i) => [i, after[i]]);
    try {
      let found = null;
      for (const isEnough of [true, false]) { // one action of each kind, then all
        found = this.#common(isEnough);
        if (found === null || found.kind === null) break;
      }
      return found ?? NOTHING;
    } catch (error) {
      if (error instanceof TooManySteps) return NOTHING;
      throw error;
    }
  }

  #common(isEnough) {
    const { phase, part, look } = this.position.stop;
    let found = null;
    for (const [block, stop] of this.rules.data.blocks.entries()) {
      if (stop.phase !== phase || stop.part !== part || stop.look !== look) continue;
      found = this.#weakened(found, block, stop, isEnough);
      if (found !== null && found.kind === null) break;
    }
    return found;
  }

  /** The inference weakened by the consistent actions of a stop. */
  #weakened(before, block, stop, isEnough) {
    let found = before;
    switch (stop.end) {
      case "Decide":
      case "DecideTogether": {
        const begun = this.#worlds(block);
        const ticked = stop.end === "DecideTogether" ? begun : begun.flatMap((w) => this.effects.run(stop.tick, [w]));
        for (const alternative of stop.alternatives) found = new Alternative(this, alternative, ticked, isEnough).weakened(found);
        const mayPass = stop.end === "Decide" && stop.pass !== null;
        return mayPass && this.fit(ticked) ? joined(found, { kind: "pass", schema: "pass", args: [] }) : found;
      }
      case "Choose":
        stop.texts.forEach((text, i) => { found = this.#withValue(found, "choose", "choose", block, i, text); });
        return found;
      case "Chance": {
        const chosen = this.value(stop.over, []);
        const all = isUnknown(chosen) ? stop.texts.keys() : members(chosen);
        for (const i of all) found = this.#withValue(found, "chance", stop.what, block, i, stop.texts[i]);
        return found;
      }
      default:
        return found;
    }
  }

  #withValue(found, kind, schema, block, i, text) {
    const weaker = joined(found, { kind, schema, args: [text] });
    return isEqual(weaker, found) || !this.fit(this.#afterValue(block, i)) ? found : weaker;
  }

  // --------------------------------------------------------------------------------------------------- trials

  /** The position as the seat sees it, once for each of the values that unknown helpers may have which the ply reads. */
  #worlds(block) {
    let worlds = [{ slots: seenSlots(this.view), names: [], hasStopped: false }];
    for (const [slot, low, high] of this.rules.data.blocks[block].helpers) {
      const count = high - low + 1;
      if (!isUnknown(this.view[slot]) || worlds.length * count > this.bounds.worlds) continue;
      worlds = worlds.flatMap((w) => Array.from({ length: count }, (_, k) => withSlot(w, slot, low + k)));
    }
    return worlds;
  }

  #afterValue(block, i) {
    const { end, variable, keys, tick, low, target } = this.rules.data.blocks[block];
    return this.#worlds(block).flatMap((begun) => {
      const at = this.effects.slot(variable, end === "Choose" ? keys : [], begun);
      const worlds = end === "Choose" ? this.effects.run(tick, [begun]) : [begun];
      worlds.forEach((w) => write(w.slots, at, i + low));
      return this.goOn(target, worlds);
    });
  }

  goOn(target, before) {
    const statements = (block) => this.rules.data.blocks[block].statements;
    return this.rules.blocksPassed(target).reduce((worlds, block) => this.effects.run(statements(block), worlds), before);
  }

  /** Is the actual position one of these worlds, as far as the seat sees? */
  fit(worlds) {
    return worlds.some((w) => this.after.every(([i, value]) => mayBe(w.slots[i], value)));
  }

  /** The value of an expression before the ply, as far as the seat can tell. */
  value(e, names) {
    try {
      return this.rules.value(e, this.view, names);
    } catch (error) {
      if (error instanceof NotKnown || error instanceof RulesError) return unknownValue(e, this.answers);
      throw error;
    }
  }
}

/** The moves of one kind. Arguments are bound one after the other; those that are not yet bound are unknown. */
class Alternative {
  /** `isEnough`: one consistent move. */
  constructor(observer, alternative, before, isEnough) {
    const { rules, answers, mover } = observer;
    Object.assign(this, { seen: observer, rules, alternative, before, isEnough, found: null, trials: 0, most: null });
    this.schema = rules.data.schemas[alternative.schema];
    this.own = this.schema.params.map(({ local }) => local);
    this.unbound = [];
    for (const { local, limits } of this.schema.params) this.unbound[local] = unknownOf(limits, answers);
    this.unbound[this.schema.me] = mover;
  }

  /** The inference weakened by the consistent moves of this kind. */
  weakened(found) {
    this.found = found;
    const order = [...this.own.keys()];
    if (!this.#weakens(this.unbound, order) || !this.#isPossible(this.unbound, null)) return found;
    if (order.length > 1) {
      this.most = this.seen.bounds.first_trials;
      try {
        this.#bind(this.unbound, order, order.map((i) => this.#range(i, this.unbound)));
        return this.found;
      } catch (error) {
        if (!(error instanceof TryAnotherOrder)) throw error;
      }
    }
    Object.assign(this, { found, most: null });
    let ranges = order.map((i) => this.#range(i, this.unbound));
    if (order.length > 1) ranges = ranges.map((values, i) => values.filter((value) => this.#canBe(i, value)));
    order.sort((a, b) => ranges[a].length - ranges[b].length);
    this.#bind(this.unbound, order, ranges);
    return this.found;
  }

  #canBe(i, value) {
    return this.#isPossible(withValue(this.unbound, this.own[i], value), this.own[i]);
  }

  /** Binds the parameters in this order to all values of their ranges, and weakens `found` by what is consistent. Whether that
   *  is enough. */
  #bind(names, order, ranges) {
    if (!order.length) {
      const args = this.own.map((local) => names[local]);
      this.found = joined(this.found, { kind: "move", schema: this.alternative.schema, args });
      return this.isEnough;
    }
    const [first, ...rest] = order;
    const local = this.own[first];
    const allowed = new Set(this.#range(first, names));
    for (const value of ranges[first]) {
      const bound = withValue(names, local, value);
      if (!allowed.has(value) || !this.#weakens(bound, rest) || !this.#isPossible(bound, local)) continue;
      if (this.#bind(bound, rest, ranges)) return true;
    }
    return false;
  }

  /** Would a consistent move with these arguments say anything new? */
  #weakens(names, free) {
    const { found } = this;
    if (found === null) return true;
    if (found.kind !== "move" || found.schema !== this.alternative.schema) return found.kind !== null;
    return found.args.some((a, i) => a !== null && (free.includes(i) || names[this.own[i]] !== a));
  }

  #range(i, names) {
    const { over, limits: [least, most], low } = this.schema.params[i];
    const found = this.seen.value(over, names);
    if (isUnknown(found)) return Array.from({ length: most - least + 1 }, (_, k) => least + k);
    return members(found, low);
  }

  /** May a move with these arguments be legal, and lead to what the seat saw? `fresh`: the name bound last. */
  #isPossible(names, fresh) {
    for (const { condition, reads } of this.schema.guards) {
      const isDue = reads.every((local) => !isUnknown(names[local])) && (fresh === null ? !reads.length : reads.includes(fresh));
      if (!isDue) continue;
      const value = this.seen.value(condition, names);
      if (!isUnknown(value) && !value) return false;
    }
    this.trials += 1;
    if (this.most !== null && this.trials > this.most) throw new TryAnotherOrder();
    return this.seen.fit(this.before.flatMap((w) => this.#after(names, w)));
  }

  #after(names, w) {
    const { registers, schema, target } = this.alternative;
    const args = [this.schema.me, ...this.own].map((local) => names[local]);
    if (!registers.length) return this.seen.effects.effect(schema, args, w);
    const slots = seenSlots(w.slots);
    registers.forEach((variable, i) => { slots[this.rules.variables[variable].first] = args[i]; });
    return this.seen.goOn(target, [{ ...w, slots }]);
  }
}

/** The parameters in the order of the rules leave too many possibilities. */
class TryAnotherOrder extends Error {}

function withSlot(w, slot, value) {
  const slots = seenSlots(w.slots);
  slots[slot] = value;
  return { ...w, slots };
}

function withValue(names, local, value) {
  const found = names.slice();
  found[local] = value;
  return found;
}

const isEqual = (one, other) => other !== null && one.kind === other.kind && one.schema === other.schema && String(one.args) === String(other.args);
