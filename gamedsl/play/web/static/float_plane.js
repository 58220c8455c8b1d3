// Plane geometry in floating point, for drawings made at random: `stroke_faults.js` judges every result exactly. A point is
// [x, y], a path a list of points.

export const distance = (p, q) => Math.hypot(p[0] - q[0], p[1] - q[1]);
export const between = (p, q, t) => [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])];
export const steps = (path) => path.slice(1).map((p, i) => [path[i], p]);
const wedge = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);

/** The point of a segment nearest to p. */
export function nearestOn(p, [a, b]) {
  const square = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2;
  const t = square ? ((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])) / square : 0;
  return between(a, b, Math.min(1, Math.max(0, t)));
}

/** Where two segments cross, as a share of the first; null if they do not. */
export function crossing([a, b], [c, d]) {
  const [p, q, r, s] = [wedge(a, b, c), wedge(a, b, d), wedge(c, d, a), wedge(c, d, b)];
  return p * q < 0 && r * s < 0 ? r / (r - s) : null;
}

function apart(s, t) {
  if (crossing(s, t) !== null) return 0;
  return Math.min(...s.map((p) => distance(p, nearestOn(p, t))), ...t.map((p) => distance(p, nearestOn(p, s))));
}

/** The distance of a segment (or of a point: a segment of two equal ones) from some segments. */
export const gap = (segment, others) => others.reduce((least, other) => Math.min(least, apart(segment, other)), Infinity);

/** The point of some segments nearest to p. */
export function nearest(p, segments) {
  return segments.map((s) => nearestOn(p, s)).reduce((best, q) => (distance(p, q) < distance(p, best) ? q : best));
}

/** Whether p lies inside a closed path. */
export function isInside(p, segments) {
  let found = false;
  for (const [a, b] of segments) {
    if (a[1] > p[1] !== b[1] > p[1] && p[0] < a[0] + ((p[1] - a[1]) / (b[1] - a[1])) * (b[0] - a[0])) found = !found;
  }
  return found;
}

/** The point of a path at a share of its length. */
export function along(segments, share) {
  let rest = share * segments.reduce((sum, [a, b]) => sum + distance(a, b), 0);
  for (const [a, b] of segments) {
    const length = distance(a, b);
    if (rest <= length && length > 0) return between(a, b, rest / length);
    rest -= length;
  }
  return segments.at(-1)[1];
}

export function bounds(path) {
  const [xs, ys] = [path.map((p) => p[0]), path.map((p) => p[1])];
  return { left: Math.min(...xs), right: Math.max(...xs), low: Math.min(...ys), high: Math.max(...ys) };
}
