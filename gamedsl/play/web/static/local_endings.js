// How the parts of a play ended, and what decided. The meaning is that of gamedsl/engine/picture/part_ends.py, supports.py and
// decided.py.

import { Hidden, View, shown } from "./questions.js";
import { RulesError } from "./rules.js";

const MOST_TESTS = 20_000; // evaluations for one condition
const NEIGHBORS = { grid: 2.05, hex: 1.3, track: 1.05 }; // squares of distances between neighboring cells
const LEAST_CHAIN = 2;

/** The end whose last board is shown until the next ply; null if there is none. `ended`: the ends that the last ply brought. */
export function lastBoard(facts, stop, ended) {
  const hasBoard = (part) => facts.looks[part].kind !== "none";
  const ends = ended.filter(({ block }) => facts.endings[block].part && hasBoard(facts.endings[block].part));
  const here = facts.looks[stop.part].shows;
  const newest = ends.at(-1);
  return newest && (!hasBoard(here) || here === facts.endings[newest.block].part) ? newest : null;
}

/** A sentence for each end, and what follows. `all`: these ends and those before. */
export function endsTold(view, ended, all, stop, end) {
  const { endings, looks } = view.rules.facts;
  const number = (one) => all.filter(({ block }) => endings[block].part === endings[one.block].part).indexOf(one) + 1;
  const told = ended.filter(({ block }) => endings[block].part).map((one) => {
    const { part, title, repeated, kind, reason } = endings[one.block];
    const head = repeated && number(one) && looks[part].kind !== "none" ? `Game ${number(one)}${kind}` : title;
    return `${head}: ${result(view, one)}${reason}`;
  });
  const following = end && view.rules.kind(view.state) !== "end" ? next(view.rules.facts, stop, end, number(end)) : "";
  return following ? [...told, following] : told;
}

function next({ endings, looks }, stop, end, number) {
  if (stop.part === endings[end.block].part) return number ? `Next: game ${number + 1}, on a new board` : "Next: a new board";
  const name = stop.part ? looks[stop.part].title : spaced(stop.phase);
  return name ? `Next: ${name}` : "";
}

const spaced = (name) => name.replaceAll("_", " ").trim();

function result(view, end) {
  const { winners, among } = view.rules.facts.endings[end.block];
  const last = new View(view.rules, end.state, view.seat);
  const names = last.value(winners).map((i) => named(last, end, among[i]));
  return names.length ? `${names.join(" and ")} ${names.length === 1 ? "wins" : "win"}` : "nobody wins";
}

/** A winner by the name that the player has in the part, and by that around it. */
function named(last, end, name) {
  const { endings, looks, game } = last.rules.facts;
  const { roles, players } = looks[endings[end.block].part];
  const own = players.find((_, i) => game.players[shown(() => last.value(roles[i]))]?.name === name);
  return own && own !== name ? `${spaced(own)} (${spaced(name)})` : spaced(name);
}

// ------------------------------------------------------------------------------------------- what decided

/** Marks the places that decided a part; returns lines through them. */
export function markDecided(view, end, part, result) {
  const supports = end ? supportsOf(view, end) : [];
  for (const place of supports.flat()) result.spot(...place).decides = true;
  const chains = supports.map((support) => chain(view.rules.facts, part, support)).filter((cells) => cells.length);
  return chains.map((cells) => ({ cells, last: true, owner: null, style: "heavy" }));
}

const known = new WeakMap(); // supports by the state before an end, and by who looks

function supportsOf(view, end) {
  const seats = known.get(end.state) ?? known.set(end.state, new Map()).get(end.state);
  if (!seats.has(view.seat)) seats.set(view.seat, found(view, end));
  return seats.get(view.seat);
}

function found(view, end) {
  const { endings } = view.rules.facts;
  const { cases, winners } = endings[end.block];
  if (!cases.length) return [];
  const won = winners === null ? view.value(view.rules.facts.turns.blocks[end.block].winners) : new View(view.rules, end.state, view.seat).value(winners);
  if (!won.length) return [];
  return supportsIn(new Search(view.rules, end.state, view.seat), cases);
}

/** The supports of a condition, which holds in one of these cases. */
function supportsIn(search, cases) {
  const supports = new Map();
  try {
    for (const one of cases) {
      const standing = one.standing.flatMap((variable) => search.standing(variable));
      for (const locals of search.view.bindings(one.binders, {}, false)) {
        if (!search.holds(one.holds, locals)) continue;
        const support = search.smallest(one.holds, locals, standing);
        if (support.length) supports.set(String(support), support);
      }
    }
  } catch (error) {
    if (!(error instanceof Hidden || error instanceof RulesError)) throw error;
  }
  return least([...supports.values()]);
}

/** Marks the threats that the guards of the rules define. The meaning is that of gamedsl/engine/picture/threats.py. */
export function markThreats(view, stop, result) {
  for (const { holds, cases, owned } of stop.threats ?? []) {
    const mover = shown(() => (view.value(holds) ? view.value(stop.mover) : undefined));
    if (mover === undefined) continue;
    const search = new Search(view.rules, view.state, view.seat);
    const own = new Set(cases.flatMap(({ standing }) => standing).filter(({ variable, kind }) => kind === "member" && owned.includes(variable)).flatMap((one) => search.standing({ ...one, only: mover })).map(({ place }) => String(place)));
    for (const place of supportsIn(search, cases).flat()) result.spot(...place).threat = own.has(String(place)) ? "at" : "from";
  }
}

/** Those that contain no other. */
function least(supports) {
  const sets = supports.map((support) => new Set(support.map(String)));
  const contains = (a, b) => a.size > b.size && [...b].every((place) => a.has(place));
  return supports.filter((_, i) => !sets.some((other) => contains(sets[i], other)));
}

/** Evaluates conditions in positions that differ from a state in what stands on the board. */
export class Search {
  constructor(rules, state, seat) {
    Object.assign(this, { rules, full: state, state: state.slice(), left: MOST_TESTS, view: new View(rules, state, seat) });
  }

  holds(question, locals) {
    this.left -= 1;
    if (this.left < 0) return false;
    try {
      return new View(this.rules, this.state, this.view.seat).value(question, locals) !== 0;
    } catch (error) {
      if (error instanceof RulesError) return false;
      throw error;
    }
  }

  /** What a variable (or `only` one of its slots) says of what stands where: each thing with its kind, its bytes in a state, and its place. */
  standing({ variable, slots, kind, on, size, only }) {
    const [offset, stride] = this.rules.facts.slots[variable];
    return Array.from({ length: slots }, (_, slot) => {
      if (only !== undefined && slot !== only) return [];
      const at = offset + slot * stride;
      const value = number(this.full, at, stride);
      const thing = { kind, at, stride, size };
      switch (kind) {
        case "member": return Array.from({ length: size }, (_, i) => i).filter((i) => this.full[at + (i >> 3)] >> (i & 7) & 1).map((i) => ({ ...thing, place: [on, i] }));
        case "named": return [{ ...thing, place: [on, value] }];
        case "optional": return value ? [{ ...thing, place: [on, value - 1] }] : [];
        default: return value ? [{ ...thing, place: [on, slot % size] }] : [];
      }
    }).flat();
  }

  /** What is left when everything is taken away that is not needed. */
  smallest(question, locals, standing) {
    const needed = new Set(standing.filter((one) => this.#isNeeded(one, question, locals)));
    const slots = new Set([...needed].map(({ at }) => at));
    const doesHarm = standing.some((one) => !needed.has(one) && this.#doesHarm(one, question, locals));
    const kept = doesHarm ? standing.filter(({ at }) => slots.has(at)) : [...needed];
    this.state = this.full.slice();
    const places = new Map(kept.map(({ place }) => [String(place), place]));
    const isAll = places.size > 1 && places.size === new Set(standing.map(({ place }) => String(place))).size;
    if (isAll || this.left < 0) return [];
    return [...places.values()].sort(([a, i], [b, j]) => (a < b ? -1 : a > b ? 1 : i - j));
  }

  #isNeeded(one, question, locals) {
    const before = this.state.slice(one.at, one.at + one.stride);
    const others = one.kind === "named" ? Array.from({ length: one.size }, (_, i) => i) : [0];
    for (const value of others) {
      if (one.kind === "member") this.state[one.at + (one.place[1] >> 3)] &= ~(1 << (one.place[1] & 7));
      else write(this.state, one.at, one.stride, value);
      if (!this.holds(question, locals)) {
        this.state.set(before, one.at);
        return true;
      }
    }
    if (one.kind === "named") this.state.set(before, one.at);
    return false;
  }

  /** Does the condition fail when this comes back alone? */
  #doesHarm(one, question, locals) {
    const before = this.state.slice(one.at, one.at + one.stride);
    if (one.kind === "member") this.state[one.at + (one.place[1] >> 3)] |= 1 << (one.place[1] & 7);
    else this.state.set(this.full.slice(one.at, one.at + one.stride), one.at);
    const fails = !this.holds(question, locals);
    this.state.set(before, one.at);
    return fails;
  }
}

function number(state, at, bytes) {
  let found = 0;
  for (let i = Math.min(bytes, 4) - 1; i >= 0; i -= 1) found = found * 256 + state[at + i];
  return found;
}

function write(state, at, bytes, value) {
  for (let i = 0, rest = value; i < bytes; i += 1, rest = Math.floor(rest / 256)) state[at + i] = rest % 256;
}

/** The cells of a support in the order in which each is next to the one before; empty where they do not lie like that. */
export function chain(facts, part, support) {
  const near = NEIGHBORS[part.kind];
  const { at } = facts.game.scenes.find((scene) => scene.part === part.scene)?.places[part.place] ?? {};
  if (!near || !at || support.length < LEAST_CHAIN || support.some(([domain]) => domain !== part.place)) return [];
  const cells = support.map(([, i]) => i);
  const joined = new Map(cells.map((a) => [a, cells.filter((b) => a !== b && (at[a][0] - at[b][0]) ** 2 + (at[a][1] - at[b][1]) ** 2 <= near)]));
  if ([...joined.values()].some((others) => others.length > 2)) return [];
  const ends = cells.filter((i) => joined.get(i).length < 2);
  const order = [ends.length ? ends[0] : cells[0]];
  for (let following = joined.get(order[0]); following.length; following = joined.get(order.at(-1)).filter((i) => !order.includes(i))) order.push(following[0]);
  if (order.length < cells.length) return [];
  return ends.length ? order : [...order, order[0]];
}
