// Plane geometry in exact numbers. The meaning is that of gamedsl/language/boards/drawing/geometry.py. A segment is a pair of points, a
// path a list of points; a closed one ends in its first point.

import { HALF, ONE, ZERO, comparePoints, distinct, greatest, least, same } from "./exact.js";

export const minus = (a, b) => [a[0].minus(b[0]), a[1].minus(b[1])];
export const dot = (a, b) => a[0].times(b[0]).plus(a[1].times(b[1]));
/** The cross product of two directions. */
export const wedge = (a, b) => a[0].times(b[1]).minus(a[1].times(b[0]));
/** Twice the signed area of a triangle. */
export const cross = (o, a, b) => wedge(minus(a, o), minus(b, o));
const side = (o, a, b) => cross(o, a, b).sign;

export function distance2(a, b) {
  const d = minus(a, b);
  return dot(d, d);
}

export function segments(path) {
  return path.slice(1).map((p, i) => [path[i], p]);
}

const pointAt = (s, t) => [s[0][0].plus(t.times(s[1][0].minus(s[0][0]))), s[0][1].plus(t.times(s[1][1].minus(s[0][1])))];
export const middle = (s) => [s[0][0].plus(s[1][0]).times(HALF), s[0][1].plus(s[1][1]).times(HALF)];

/** The point of a segment nearest to p. */
export function nearestOn(p, s) {
  const d = minus(s[1], s[0]);
  const length2 = dot(d, d);
  if (length2.sign === 0) return s[0];
  const t = dot(minus(p, s[0]), d).over(length2);
  return t.sign <= 0 ? s[0] : t.compare(ONE) >= 0 ? s[1] : pointAt(s, t);
}

export function onSegment(p, [a, b]) {
  const between = (i) => least(a[i], b[i]).compare(p[i]) <= 0 && p[i].compare(greatest(a[i], b[i])) <= 0;
  return cross(a, b, p).sign === 0 && between(0) && between(1);
}

/** The common points of two segments: none, one, or the two ends of a common stretch. */
export function meeting(s, t) {
  const [a, b, c, d] = [side(...s, t[0]), side(...s, t[1]), side(...t, s[0]), side(...t, s[1])];
  if (a === 0 && b === 0) return distinct([...t.filter((p) => onSegment(p, s)), ...s.filter((p) => onSegment(p, t))]).sort(comparePoints);
  if (a * b > 0 || c * d > 0) return [];
  for (const [value, point] of [[a, t[0]], [b, t[1]], [c, s[0]], [d, s[1]]]) if (value === 0) return [point];
  const [along, across] = [minus(s[1], s[0]), minus(t[1], t[0])];
  return [pointAt(s, wedge(minus(t[0], s[0]), across).over(wedge(along, across)))];
}

// ------------------------------------------------------------------------------------------------------- boxes

/** A bounding box of a segment, slightly enlarged against rounding. */
export function boxOf([a, b], margin = 0) {
  const [xa, ya, xb, yb] = [a[0].float, a[1].float, b[0].float, b[1].float];
  const pad = margin + 1e-12 * (1 + Math.max(...[xa, ya, xb, yb].map(Math.abs)));
  return [Math.min(xa, xb) - pad, Math.min(ya, yb) - pad, Math.max(xa, xb) + pad, Math.max(ya, yb) + pad];
}

export const boxesMeet = (a, b) => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
/** The segments of a path, each with a box that reaches a little beyond. */
export const boxed = (path, margin = 0) => segments(path).map((s) => [s, boxOf(s, margin)]);

// ------------------------------------------------------------------------------------------------------- regions

/** Twice the signed area inside a closed path. */
export const area2 = (path) => segments(path).reduce((sum, [a, b]) => sum.plus(wedge(a, b)), ZERO);

/** The greater of width and height. */
export function sizeOf(path) {
  const spread = (i) => path.map((p) => p[i]).reduce(greatest).minus(path.map((p) => p[i]).reduce(least));
  return greatest(spread(0), spread(1));
}

/** Whether p lies inside a region with these boundary segments (none of them through p). */
export function inside(p, edges) {
  let found = false;
  for (const [a, b] of edges) {
    if (a[1].compare(p[1]) > 0 !== b[1].compare(p[1]) > 0) {
      const upward = b[1].compare(a[1]) > 0;
      if (cross(a, b, p).sign > 0 === upward) found = !found;
    }
  }
  return found;
}

// ---------------------------------------------------------------------------------------------------- directions

/** The directions in which some segments through the point p leave it. */
export const outgoing = (pieces, p) => pieces.flatMap((piece) => piece.filter((end) => !same(end, p)).map((end) => minus(end, p)));

const halfTurn = (d) => (d[1].sign > 0 || (d[1].sign === 0 && d[0].sign > 0) ? 0 : 1);

/** Orders directions by their angle. */
export const turning = (a, b) => halfTurn(a) - halfTurn(b) || -wedge(a, b).sign;

/** Whether d points strictly inside the angle that turns counterclockwise from first to second (two directions). */
export function inSector(d, first, second) {
  if (wedge(first, second).sign > 0) return wedge(first, d).sign > 0 && wedge(d, second).sign > 0;
  return !(wedge(second, d).sign >= 0 && wedge(d, first).sign >= 0);
}

/** Whether the distance of two segments is at most the square root of a limit. */
export function near(s, t, limit2) {
  if (meeting(s, t).length) return true;
  return [[s[0], t], [s[1], t], [t[0], s], [t[1], s]].some(([p, e]) => distance2(p, nearestOn(p, e)).compare(limit2) <= 0);
}
