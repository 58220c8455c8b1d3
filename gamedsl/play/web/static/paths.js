// Strokes as paths: closed curves are closed, ends close to an outline are snapped onto it. The meaning is that of
// gamedsl/language/boards/drawing/snap_path.py and gamedsl/engine/picture/freehand.py.

import { Rational, comparePoints, keyOf, roundedPoint, same } from "./exact.js";
import { boxOf, boxed, boxesMeet, distance2, inside, meeting, middle, nearestOn, onSegment, segments, sizeOf } from "./plane.js";

// Shares of the greater of the figure's width and height.
const SNAP = new Rational(1n, 10_000n); // an end so near to the outline is moved onto it
const REACH = new Rational(1n, 20n); // an end so near is meant to lie on it

/** The points; a closed curve does not repeat its first point at the end. */
export function tidy(stroke, points) {
  let found = points;
  while (stroke.shape === "closed curve" && found.length > 1 && same(found[0], found.at(-1))) found = found.slice(0, -1);
  return found;
}

/** The path of a stroke, snapped to the paths of earlier ones (by name). */
function snapPath(stroke, given, drawn) {
  const points = tidy(stroke, given);
  if (stroke.shape === "closed curve") return [...points, points[0]];
  const figure = drawn.get(stroke.across);
  if (!figure || points.length < 2) return points;
  return [snapped(points[0], figure), ...points.slice(1, -1), snapped(points.at(-1), figure)];
}

/** The paths of all strokes of a drawing by name, in their order. `drawing`: pairs of name and points. */
export function snappedPaths(plan, drawing) {
  const found = new Map();
  for (const [name, points] of drawing) {
    const stroke = plan.strokes.find((one) => one.name === name);
    if (stroke && points.length > 1) found.set(name, snapPath(stroke, points, found));
  }
  return found;
}

function within(p, q, figure, share) {
  const limit = share.times(sizeOf(figure));
  return distance2(p, q).compare(limit.times(limit)) <= 0;
}

function snapped(p, figure) {
  const nearest = nearestOf(p, figure);
  return within(p, nearest, figure, SNAP) ? nearest : p;
}

/** The point of a path nearest to p; the first if there are several. */
export function nearestOf(p, path) {
  let [best, least] = [null, null];
  for (const s of segments(path)) {
    const q = nearestOn(p, s);
    const far = distance2(p, q);
    if (least === null || far.compare(least) < 0) [best, least] = [q, far];
  }
  return best;
}

/** The points from where they first meet the outline, if the first one is outside. */
function cut(points, outline) {
  const edges = segments(outline);
  if (edges.some((edge) => onSegment(points[0], edge)) || inside(points[0], edges)) return points;
  for (const [i, step] of segments(points).entries()) {
    const met = edges.flatMap((edge) => meeting(step, edge));
    const first = met.reduce((best, p) => (best === null || distance2(step[0], p).compare(distance2(step[0], best)) < 0 ? p : best), null);
    if (first) return [roundedPoint(first), ...points.slice(i + 1)];
  }
  return points;
}

/** The points as a person means them: what overshoots the outline is cut off there, and ends near the outline snap onto it. */
export function ontoOutline(stroke, points, drawn) {
  const outline = drawn.get(stroke.across);
  if (!outline || points.length < 2) return points;
  const end = (p) => {
    const found = nearestOf(p, outline);
    return same(p, found) || !within(p, found, outline, REACH) ? p : roundedPoint(found);
  };
  const found = cut(cut(points, outline).toReversed(), outline).toReversed();
  return [end(found[0]), ...found.slice(1, -1), end(found.at(-1))];
}

/** Where two paths meet: `points`, each with the segments of either that go through it, and a point of an overlap. */
export function intersection(a, b) {
  const found = { points: new Map(), along: null };
  const others = boxed(b);
  for (const s of segments(a)) {
    const box = boxOf(s);
    for (const [t, other] of others) {
      const points = boxesMeet(box, other) ? meeting(s, t) : [];
      for (const p of points) addMeeting(found.points, p, s, t);
      if (points.length === 2) found.along = middle(points);
    }
  }
  return found;
}

function addMeeting(points, p, s, t) {
  const key = keyOf(p);
  if (!points.has(key)) points.set(key, { p, through: new Set(), others: new Set() });
  points.get(key).through.add(s);
  points.get(key).others.add(t);
}

/** All points where two of these paths meet. */
export function knots(paths) {
  const found = new Map();
  paths.forEach((path, i) => paths.slice(0, i).forEach((other) => intersection(path, other).points.forEach(({ p }, key) => found.set(key, p))));
  return [...found.values()].sort(comparePoints);
}

/** The two ends of an open path, none of a closed one. */
export const endsOf = (path) => (same(path[0], path.at(-1)) ? [] : [path[0], path.at(-1)]);
