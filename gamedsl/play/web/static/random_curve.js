// Random open curves: walks that keep clear of themselves and cross earlier strokes about as often as wanted. The meaning is
// that of gamedsl/language/boards/drawing/random_curve.py.

import { along, between, crossing, distance, gap, isInside, nearest, steps } from "./float_plane.js";

const LONGEST = 90; // corners
const CHOICES = 14; // candidates for the next corner
const EXITS = 8;
const RETREATS = 6;
const HAIR = 1e-3; // share of a step from the outline that may lie outside, by rounding

/** A curve that crosses earlier strokes `target` times, or somewhat more or less: its `points`, and how often it does
 *  (`crossed`). No points if the walk gets stuck. */
export function randomCurve(sheet, target, random) {
  const walk = new Walk(sheet, target, random);
  if (!walk.begin()) return { points: [], crossed: 0 };
  for (let stuck = 0; walk.crossed < target && walk.places.length < LONGEST && stuck < RETREATS;) {
    if (walk.goOn()) continue;
    stuck += 1;
    walk.goBack(2 + stuck);
  }
  if (!walk.leave()) return { points: [], crossed: 0 };
  const last = walk.places.length - 1;
  return { points: walk.places.map((p, i) => sheet.exact(p, sheet.isAcross && (i === 0 || i === last))), crossed: walk.crossed };
}

/** The corners so far. `clearance`: the least distance to the walk itself, the outline and crossings. */
class Walk {
  constructor(sheet, target, random) {
    Object.assign(this, { sheet, target, random, places: [], crossed: 0 });
    this.clearance = sheet.size / (target < 12 ? 60 : 90);
    this.lines = [...sheet.lines.values()].map(steps);
    this.knots = knotsOf([...sheet.lines.values()]).map((p) => [p, p]);
  }

  /** The first end on the outline and a corner inside it. */
  begin() {
    for (let i = 0; i < EXITS; i += 1) {
      const start = this.sheet.isAcross ? this.#onOutline() : this.#innerPlace();
      if (!this.sheet.isAcross) return this.#start([start]);
      if (!this.#isGoodEnd(start)) continue;
      for (let k = 0; k < EXITS; k += 1) {
        const inward = this.#at(start, this.clearance * (2 + 4 * this.random()), 2 * Math.PI * this.random());
        if (this.#isGoodStep(start, inward, "first")) return this.#start([start, inward]);
      }
    }
    return false;
  }

  #start(places) {
    this.places = places;
    this.crossed = places.length > 1 ? this.#crossings(...places) : 0;
    return true;
  }

  /** Adds a corner: the candidate that leads best to the wanted number of crossings. */
  goOn() {
    const here = this.places.at(-1);
    const before = this.places.at(-2) ?? here;
    const ahead = Math.atan2(here[1] - before[1], here[0] - before[0]);
    let best = null;
    for (let i = 0; i < CHOICES; i += 1) {
      const turn = this.random() < 0.8 ? 1.1 * this.#gauss() : Math.PI * (2 * this.random() - 1);
      const far = this.sheet.size * (0.04 + 0.28 * this.random());
      const there = this.#at(here, far, ahead + turn);
      if (!this.#isGoodStep(here, there)) continue;
      const gain = this.#crossings(here, there);
      if (this.crossed + gain > this.target) continue;
      const value = 2 * this.random() + gain - (this.target > 10 ? (4 * far) / this.sheet.size : 0);
      if (best === null || value > best.value) best = { value, there, gain };
    }
    if (best === null) return false;
    this.places.push(best.there);
    this.crossed += best.gain;
    return true;
  }

  /** Drops the last corners, but never the first two places. */
  goBack(count) {
    for (let i = 0; i < count && this.places.length > 2; i += 1) {
      const end = this.places.pop();
      this.crossed -= this.#crossings(this.places.at(-1), end);
    }
  }

  /** The last end, on the outline if the curve goes across one; earlier corners are given up if need be. */
  leave() {
    if (!this.sheet.isAcross) return this.places.length > 1;
    for (; this.places.length > 1; this.goBack(1)) {
      const here = this.places.at(-1);
      const ends = [nearest(here, this.sheet.outline), ...Array.from({ length: EXITS }, () => this.#onOutline())];
      const end = ends.find((one) => this.#isGoodEnd(one) && this.#isGoodStep(here, one, "last"));
      if (end) {
        this.crossed += this.#crossings(here, end);
        this.places.push(end);
        return true;
      }
      if (this.places.length === 2) return false;
    }
    return false;
  }

  // ----------------------------------------------------------------------------------------------- what is good

  /** May the walk go straight from one place to another? `which`: "first" leaves the outline, "last" ends on it. */
  #isGoodStep(here, there, which = "") {
    const step = [here, there];
    if (distance(here, there) < this.clearance || !this.#isWithin(step, which) || gap(step, this.knots) < this.clearance) return false;
    if (which !== "last" && this.lines.some((line) => gap([there, there], line) < 0.6 * this.clearance)) return false;
    const middle = between(here, there, 0.5);
    const room = Math.min(this.clearance, distance(here, there) / 4);
    return gap([middle, middle], this.sheet.outline) >= room && this.#keepsOffItself(step);
  }

  #isWithin([here, there], which) {
    const inner = [which === "first" ? between(here, there, HAIR) : here, which === "last" ? between(there, here, HAIR) : there];
    if (!isInside(inner[0], this.sheet.outline)) return false;
    const far = gap(inner, this.sheet.outline);
    return which ? far > 0 : far >= this.clearance;
  }

  #keepsOffItself([here, there]) {
    const past = steps(this.places);
    if (!past.length) return true;
    if (past.length > 1 && gap([here, there], past.slice(0, -1)) < this.clearance) return false;
    if (gap([there, there], past) < this.clearance) return false;
    const soon = between(here, there, Math.min(1, (2 * this.clearance) / distance(here, there)));
    return gap([soon, soon], past) >= this.clearance; // nor may it run back close to the step before it
  }

  #isGoodEnd(end) {
    if (this.places.length && distance(this.places[0], end) < this.clearance) return false;
    return gap([end, end], [...this.knots, ...this.lines.flat()]) >= this.clearance;
  }

  /** How many of the earlier strokes a step crosses. */
  #crossings(here, there) {
    return this.lines.filter((line) => line.some((s) => crossing([here, there], s) !== null)).length;
  }

  // --------------------------------------------------------------------------------------------------- places

  #onOutline() {
    return along(this.sheet.outline, this.random());
  }

  #innerPlace() {
    const { left, right, low, high } = this.sheet.bounds;
    for (;;) {
      const place = [left + (right - left) * this.random(), low + (high - low) * this.random()];
      if (isInside(place, this.sheet.outline)) return place;
    }
  }

  #at([x, y], far, angle) {
    return [x + far * Math.cos(angle), y + far * Math.sin(angle)].map((value) => Number(value.toFixed(this.sheet.places)));
  }

  #gauss() {
    return Math.sqrt(-2 * Math.log(1 - this.random())) * Math.cos(2 * Math.PI * this.random());
  }
}

/** Points where paths end or meet each other. */
function knotsOf(paths) {
  const found = paths.flatMap((path) => [path[0], path.at(-1)]);
  paths.forEach((path, i) => paths.slice(0, i).forEach((other) => {
    for (const step of steps(path)) for (const s of steps(other)) {
      const share = crossing(step, s);
      if (share !== null) found.push(between(...step, share));
    }
  }));
  return found;
}
