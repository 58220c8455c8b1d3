// What is wrong with a stroke, at its place and with its clauses. The meaning is that of gamedsl/language/boards/drawing:
// stroke_checks.py, chord_checks.py, pair_checks.py.

import { PLACES, Rational, comparePoints, floats, isDecimal, roundedPoint, same } from "./exact.js";
import { countPieces, countSpaces, subdivide } from "./spaces.js";
import { endsOf, intersection, knots, nearestOf, snappedPaths, tidy } from "./paths.js";
import { area2, boxOf, boxed, boxesMeet, cross, distance2, inSector, inside, meeting, middle, minus, near, nearestOn, onSegment, outgoing, segments, sizeOf } from "./plane.js";

const NEAR = new Rational(1n, 1_000_000n); // a share of the figure's size: nearer things can't be told apart
const MOST = new Rational(1_000_000n); // the largest coordinate, either way
const MOST_POINTS = 200;
const BORDERS_PER_SPACE = 3;
const LEAST_POINTS = { "closed curve": 3, "straight line": 2, "open curve": 2 };
const TIMES = { 0: "nowhere", 2: "twice" };

/** All faults of a stroke, given a valid drawing so far (pairs of name and points). `plan` and `messages` are in the facts. */
export function strokeFaults(plan, messages, drawing, name, given) {
  const stroke = plan.strokes.find((one) => one.name === name);
  const points = tidy(stroke, given);
  const check = new Check(plan, messages, stroke, points, drawing);
  const early = check.order() ?? check.form();
  if (early) return [early];
  let found = check.shortSteps();
  if (!found.length) found = [...check.ownShape(), ...check.across()];
  if (!found.some((fault) => fault.code === "E0711")) found.push(...check.pairs());
  return found.length ? found : check.tooMany();
}

const place = (p) => `(${floats(p).map(six).join(", ")})`;
const conditionOf = (stroke, kind) => stroke.conditions.find((one) => one.kind === kind) ?? null;

class Check {
  constructor(plan, messages, stroke, points, drawing) {
    Object.assign(this, { plan, messages, stroke, points });
    this.drawn = snappedPaths(plan, drawing);
    this.names = new Set(drawing.map(([name]) => name));
    this.path = points.length > 1 ? snappedPaths(plan, [...drawing, [stroke.name, points]]).get(stroke.name) : points;
    this.figure = this.drawn.get(stroke.across) ?? null;
    this.clearance = NEAR.times(sizeOf(this.figure ?? this.path));
    this.clearance2 = this.clearance.times(this.clearance);
    this.boxed = boxed(this.path, this.clearance.float);
    this.ends = [this.path[0], this.path.at(-1)];
  }

  fault(code, condition, at, names = {}) {
    const filled = { ...names, ...(at ? { at: place(at) } : {}) };
    const text = this.messages[code].join(". ").replaceAll(/\{(\w+)\}/g, (_, key) => filled[key]);
    return { code, message: text, clauses: condition?.clauses.length ? condition.clauses : this.stroke.clauses, at: at ? floats(roundedPoint(at)) : null };
  }

  isNear(p, q) {
    return distance2(p, q).compare(this.clearance2) <= 0;
  }

  order() {
    const { name, across } = this.stroke;
    if (this.names.has(name)) return this.fault("E0706", null, null, { name });
    return across && !this.names.has(across) ? this.fault("E0707", null, null, { name, figure: across }) : null;
  }

  /** Invalid coordinates, or a wrong number of points for the kind of stroke. */
  form() {
    const wrong = this.points.flat().find((value) => !isDecimal(value, MOST));
    if (wrong) return this.fault("E0702", null, null, { text: six(wrong.float), places: PLACES, most: MOST.n });
    const { shape } = this.stroke;
    const [least, most] = [LEAST_POINTS[shape], shape === "straight line" ? 2 : MOST_POINTS];
    if (this.points.length >= least && this.points.length <= most) return null;
    return this.fault("E0703", null, null, { shape, wanted: least === most ? least : `${least} to ${most}`, count: this.points.length });
  }

  shortSteps() {
    if (this.path.length <= 2 && this.figure) return [];
    const short = segments(this.path).find(([a, b]) => this.isNear(a, b));
    return short ? [this.fault("E0704", null, short[0])] : [];
  }

  // ------------------------------------------------------------------------------------------- the stroke alone

  ownShape() {
    if (this.stroke.shape === "closed curve" && isFlat(this.path)) return [this.fault("E0708")];
    const found = this.selfMeeting();
    for (const condition of this.stroke.conditions) {
      if (!["horizontal", "vertical"].includes(condition.kind) || condition.degrees === null) continue;
      if (!isWithin(this.points, condition)) found.push(this.fault("E0715", condition, null, { degrees: condition.degrees, way: `the ${condition.kind}` }));
    }
    return found;
  }

  /** The first place where the path meets itself (if it is to be simple) or runs along itself (in any case). */
  selfMeeting() {
    const count = this.boxed.length;
    const closed = same(...this.ends);
    let close = null;
    for (let i = 0; i < count; i += 1) {
      for (let j = i + 1; j < count; j += 1) {
        if (!boxesMeet(this.boxed[i][1], this.boxed[j][1])) continue;
        const following = j === i + 1 || (closed && count > 2 && i === 0 && j === count - 1);
        const fault = following ? this.#turnBack(i, j) : this.#selfMeeting(i, j);
        if (!fault || (!conditionOf(this.stroke, "simple") && fault.code !== "E0719")) continue;
        if (fault.code !== "E0723") return [fault];
        close ??= fault;
      }
    }
    return close ? [close] : [];
  }

  /** Two consecutive segments that overlap beyond the point they share. */
  #turnBack(i, j) {
    const [s, t] = [this.boxed[i][0], this.boxed[j][0]];
    const [shared, before, after] = j === i + 1 ? [s[1], s[0], t[1]] : [s[0], s[1], t[0]];
    if (!this.isNear(before, nearestOn(before, t)) && !this.isNear(after, nearestOn(after, s))) return null;
    const simple = conditionOf(this.stroke, "simple");
    if (simple) return this.fault("E0710", simple, shared);
    return meeting(s, t).length === 2 ? this.fault("E0719", null, shared, { other: this.stroke.name }) : null;
  }

  #selfMeeting(i, j) {
    const [s, t] = [this.boxed[i][0], this.boxed[j][0]];
    const simple = conditionOf(this.stroke, "simple");
    const found = meeting(s, t);
    if (found.length && simple) return this.fault("E0710", simple, found[0]);
    if (found.length === 2) return this.fault("E0719", null, found[0], { other: this.stroke.name });
    return simple && near(s, t, this.clearance2) ? this.fault("E0723", simple, nearestOn(t[0], s), { other: "itself" }) : null;
  }

  // -------------------------------------------------------------------------------------------- across an outline

  across() {
    if (!this.figure) return [];
    const loose = this.ends.map((end) => [end, nearestOf(end, this.figure)]).filter(([end, nearest]) => !same(end, nearest));
    if (loose.length) return loose.map(([end, nearest]) => this.#onFigure("E0711", end, { nearest: place(nearest) }));
    if (this.isNear(...this.ends)) return [this.#onFigure("E0714", this.ends[0])];
    const met = this.#contact();
    if (met) return [met];
    const start = middle([this.path[0], this.path[1]]);
    if (!inside(start, segments(this.figure))) return [this.#onFigure("E0712", start)];
    return this.stroke.shape === "straight line" ? this.#tangents() : [];
  }

  #onFigure(code, at, names = {}) {
    return this.fault(code, null, at, { figure: this.stroke.across, ...names });
  }

  /** The first place, other than its ends, where the stroke meets the outline or comes too close to it. */
  #contact() {
    const outline = boxed(this.figure, this.clearance.float);
    for (const [i, [s, box]] of this.boxed.entries()) {
      const own = [...(i === 0 ? [this.ends[0]] : []), ...(i === this.boxed.length - 1 ? [this.ends[1]] : [])];
      for (const [e, other] of outline) {
        if (!boxesMeet(box, other)) continue;
        const common = meeting(s, e);
        const free = common.filter((p) => !own.some((q) => same(p, q)));
        const met = free.length ? free : common.slice(1);
        if (met.length) return this.#onFigure("E0712", met[0]);
        const close = this.#tooClose(s, e, own);
        if (close) return this.fault("E0723", null, close, { other: `\`${this.stroke.across}\`` });
      }
    }
    return null;
  }

  /** A point of s too near to the outline's segment e. `own`: ends of the stroke on s, which may lie on e. */
  #tooClose(s, e, own) {
    if (!own.some((p) => onSegment(p, e))) return near(s, e, this.clearance2) ? middle(s) : null;
    const pairs = [[s[0], e], [s[1], e], [e[0], s], [e[1], s]];
    return pairs.find(([p, line]) => !own.some((q) => same(p, q)) && this.isNear(p, nearestOn(p, line)))?.[0] ?? null;
  }

  /** Ends at corners of the outline where the stroke, extended, would not leave the figure. */
  #tangents() {
    const corners = area2(this.figure).sign > 0 ? this.figure : [...this.figure].reverse();
    const found = [];
    for (const [end, inner] of [[this.path[0], this.path[1]], [this.path.at(-1), this.path.at(-2)]]) {
      const onward = minus(end, inner);
      for (let i = 0; i + 1 < corners.length; i += 1) {
        const [before, corner, after] = [i ? corners[i - 1] : corners.at(-2), corners[i], corners[i + 1]];
        if (same(corner, end) && !inSector(onward, minus(before, corner), minus(after, corner))) found.push(this.#onFigure("E0713", end));
      }
    }
    return found;
  }

  // ------------------------------------------------------------------------------------------------ other strokes

  get #others() {
    return [...this.drawn].filter(([name]) => name !== this.stroke.across).map(([name, path]) => [this.plan.strokes.find((one) => one.name === name), path]);
  }

  pairs() {
    return [...this.#others.flatMap(([other, path]) => this.#withOther(other, path)), ...this.#crossingPoints(), ...this.#usedEnds()];
  }

  #withOther(other, path) {
    const conditions = conditionsOf(this.stroke, other);
    const found = contact(this.path, path);
    if (found.along) return [this.fault("E0719", conditions[0], found.along, { other: other.name })];
    const faults = conditions.map((condition) => this.#judged(condition, other, found)).filter(Boolean);
    const close = conditions.length && !faults.length ? this.#nearMiss(path) : null;
    return close ? [this.fault("E0723", conditions[0], close, { other: `\`${other.name}\`` })] : faults;
  }

  #judged(condition, other, { crossings, touches }) {
    const names = { other: other.name };
    const [met] = [...crossings, ...touches];
    if (condition.kind === "apart") return met ? this.fault("E0716", condition, met, names) : null;
    if (condition.kind === "crosses") return touches.length ? this.fault("E0718", condition, touches[0], names) : null;
    if (crossings.length === 1 && !touches.length) return null;
    if (touches.length && !crossings.length) return this.fault("E0718", condition, touches[0], names);
    return this.fault("E0717", condition, touches[0] ?? null, { ...names, count: TIMES[crossings.length] ?? `${crossings.length} times` });
  }

  /** A corner or end of one path that is too close to the other without lying on it. */
  #nearMiss(path) {
    for (const [corners, lines] of [[this.path, boxed(path, this.clearance.float)], [path, this.boxed]]) {
      for (const p of corners) {
        const box = boxOf([p, p]);
        for (const [line, reach] of lines) {
          if (!boxesMeet(box, reach)) continue;
          const far = distance2(p, nearestOn(p, line));
          if (far.sign > 0 && far.compare(this.clearance2) <= 0) return p;
        }
      }
    }
    return null;
  }

  #crossingPoints() {
    const condition = conditionOf(this.stroke, "avoids crossings");
    if (!condition) return [];
    const meets = (knot) => this.boxed.some(([s, reach]) => boxesMeet(boxOf([knot, knot]), reach) && this.isNear(knot, nearestOn(knot, s)));
    const knot = knots([...this.drawn.values()]).find(meets);
    return knot ? [this.fault("E0720", condition, knot)] : [];
  }

  #usedEnds() {
    const condition = conditionOf(this.stroke, "new ends");
    if (!condition) return [];
    return this.#others.flatMap(([other, path]) => endsOf(path).flatMap((used) => endsOf(this.path).filter((end) => this.isNear(used, end)).map((end) => this.fault("E0721", condition, end, { other: other.name }))));
  }

  // ------------------------------------------------------------------------------------------------ the whole drawing

  /** For strokes without other faults: does the sheet stay within the limit of the plan? */
  tooMany() {
    const paths = new Map([...this.drawn, [this.stroke.name, this.path]]);
    const most = this.plan.limit;
    const count = countSpaces(paths);
    if (count > most) return [this.fault("E0722", null, null, { count, what: "spaces", most })];
    const limit = BORDERS_PER_SPACE * most;
    const borders = countPieces(paths) > limit ? subdivide(paths).borders.length : 0;
    return borders > limit ? [this.fault("E0722", null, null, { count: borders, what: "borders", most: limit })] : [];
  }
}

/** A number with six digits, as Python's format `.6g` has it. */
function six(value) {
  const [digits, exponent] = value.toExponential(5).split("e");
  if (exponent >= -4 && exponent < 6) return String(Number(value.toPrecision(6)));
  return `${Number(digits)}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
}

/** Whether all points are collinear, or so nearly that they enclose no area. */
function isFlat(path) {
  const far = path.reduce((a, b) => (distance2(path[0], b).compare(distance2(path[0], a)) > 0 ? b : a));
  const limit = NEAR.times(distance2(path[0], far));
  return path.every((p) => cross(path[0], far, p).abs.compare(limit) <= 0);
}

/** Whether the angle of a line, as given, is at most so many degrees; exact for 0, 45 and 90. */
function isWithin(points, { kind, degrees, slope }) {
  const [x, y] = [0, 1].map((i) => points.at(-1)[i].minus(points[0][i]).abs);
  const [along, off] = kind === "horizontal" ? [x, y] : [y, x];
  return degrees >= 90 || off.compare(new Rational(BigInt(slope[0]), BigInt(slope[1])).times(along)) <= 0;
}

/** The conditions that speak of both strokes, whichever of the two they belong to. */
function conditionsOf(stroke, other) {
  const kinds = ["crosses", "apart", "crosses once"];
  const own = stroke.conditions.filter((c) => kinds.includes(c.kind) && (c.kind === "crosses" || c.names.includes(other.name)));
  const alike = (c) => own.some((one) => JSON.stringify(one) === JSON.stringify(c));
  return [...own, ...other.conditions.filter((c) => kinds.includes(c.kind) && c.names.includes(stroke.name) && !alike(c))];
}

/** How two paths meet: points where they cross, points where they only touch, one where they run along. */
export function contact(a, b) {
  const { points, along } = intersection(a, b);
  if (along) return { crossings: [], touches: [], along };
  const met = [...points.values()].sort((x, y) => comparePoints(x.p, y.p)).map(({ p, through, others }) => [p, crosses(outgoing([...through], p), outgoing([...others], p))]);
  return { crossings: met.filter(([, yes]) => yes).map(([p]) => p), touches: met.filter(([, yes]) => !yes).map(([p]) => p), along: null };
}

/** Whether a path that leaves a point in two directions goes from one side of another to the other side. */
function crosses(ways, others) {
  if (ways.length !== 2 || others.length !== 2) return false;
  const [first, second] = others;
  return (inSector(ways[0], first, second) && inSector(ways[1], second, first)) || (inSector(ways[1], first, second) && inSector(ways[0], second, first));
}
