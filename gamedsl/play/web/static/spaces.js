// A finished drawing as a board: its spaces, borders and crossings. The meaning is that of gamedsl/language/boards/drawing:
// overlay.py, interior_point.py, arrangement.py.

import { HALF, comparePoints, floats, keyOf } from "./exact.js";
import { Net, split } from "./net.js";
import { area2, inside, segments } from "./plane.js";

const MOST_LEVELS = 30;
const MOST_PLACES = 12;

/** The subdivision of the plane by paths (by name), which may meet in single points only: `spaces` in order of their inner
 *  points (by y, then x), `borders` in order of their spaces. */
export function subdivide(paths) {
  const net = new Net(paths);
  const area = new Map(net.rings.map((ring) => [ring[0], area2(net.ringPath(ring))]));
  const faces = net.rings.filter((ring) => area.get(ring[0]).sign > 0);
  const outers = net.rings.filter((ring) => area.get(ring[0]).sign <= 0);
  const holes = holesOf(net, faces, outers, area);
  const spaces = faces.map((face) => spaceOf(net, face, holes.get(face[0]) ?? []));
  const order = faces.map((_, i) => i).sort((i, j) => spaces[i].inner[1].compare(spaces[j].inner[1]) || spaces[i].inner[0].compare(spaces[j].inner[0]));
  const number = new Map();
  order.forEach((i, place) => {
    for (const half of [faces[i], ...(holes.get(faces[i][0]) ?? [])].flat()) number.set(half, place);
  });
  return { spaces: order.map((i) => spaces[i]), borders: bordersOf(net, number) };
}

/** How many spaces `subdivide` would find, by Euler's formula. */
export function countSpaces(paths) {
  const net = new Net(paths);
  return net.pieces.length - net.nodeCount + new Set(net.groups).size;
}

export const countPieces = (paths) => split(paths).length;

function bordersOf(net, number) {
  const found = [];
  net.pieces.forEach(({ path, stroke }, i) => {
    const [left, right] = [number.get(2 * i), number.get(2 * i + 1)];
    if (left !== undefined && right !== undefined && left !== right) found.push({ spaces: [Math.min(left, right), Math.max(left, right)], path, stroke });
  });
  return found.sort(byBorder);
}

function byBorder(a, b) {
  const first = ({ path }) => [path[0], path.at(-1)].sort(comparePoints)[0];
  return a.spaces[0] - b.spaces[0] || a.spaces[1] - b.spaces[1] || comparePoints(first(a), first(b)) || byPoints(a.path, b.path);
}

function byPoints(a, b) {
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const order = comparePoints(a[i], b[i]);
    if (order) return order;
  }
  return a.length - b.length;
}

/** Per face (its first half-edge) the outsides of what lies in it without touching its outline. */
function holesOf(net, faces, outers, area) {
  const group = net.groups;
  const found = new Map();
  if (new Set(group).size === 1) return found;
  const edges = new Map(faces.map((face) => [face[0], segments(net.ringPath(face))]));
  for (const outer of outers) {
    const [p] = net.walk(outer[0]);
    const around = faces.map((f) => f[0]).filter((f) => group[f >> 1] !== group[outer[0] >> 1] && inside(p, edges.get(f)));
    if (!around.length) continue;
    const least = around.reduce((a, b) => (area.get(b).compare(area.get(a)) < 0 ? b : a));
    found.set(least, [...(found.get(least) ?? []), outer]);
  }
  return found;
}

function spaceOf(net, face, holes) {
  const outline = net.ringPath(face);
  const edges = [outline, ...holes.map((hole) => net.ringPath(hole))].flatMap(segments);
  return { inner: innerPoint(edges), outline };
}

// ---------------------------------------------------------------------------------------------- a point inside

/** A point inside the region with these boundary segments, far from all of them, with short coordinates. */
function innerPoint(edges) {
  const flat = edges.map(([a, b]) => [...floats(a), ...floats(b)]);
  const short = (value) => Number(value.toFixed(9));
  let [best, most] = [null, 0];
  for (const y of levels(edges)) {
    for (const p of middles(edges, y)) {
      const found = clearance(flat, ...floats(p));
      if (best === null || short(found) > short(most)) [best, most] = [p, found];
    }
  }
  return shortened(most, best);
}

/** Heights half-way between neighbouring corners, those of the widest gaps. */
function levels(edges) {
  const heights = [...new Map(edges.flat().map((p) => [keyOf([p[1], p[1]]), p[1]])).values()].sort((a, b) => a.compare(b));
  const gaps = heights.slice(1).map((high, i) => [heights[i], high]);
  gaps.sort((a, b) => b[1].minus(b[0]).compare(a[1].minus(a[0])) || a[0].compare(b[0]));
  return gaps.slice(0, MOST_LEVELS).map(([low, high]) => low.plus(high).times(HALF)).sort((a, b) => a.compare(b));
}

/** The middles of the region's stretches on a level line. */
function middles(edges, y) {
  const crossed = edges.filter(([a, b]) => a[1].compare(y) > 0 !== b[1].compare(y) > 0);
  const xs = crossed.map(([a, b]) => a[0].plus(y.minus(a[1]).over(b[1].minus(a[1])).times(b[0].minus(a[0])))).sort((a, b) => a.compare(b));
  const found = [];
  for (let i = 0; i + 1 < xs.length; i += 2) if (xs[i].compare(xs[i + 1]) < 0) found.push([xs[i].plus(xs[i + 1]).times(HALF), y]);
  return found;
}

/** The distance to the nearest boundary segment. */
function clearance(flat, x, y) {
  let least = Infinity;
  for (const [xa, ya, xb, yb] of flat) {
    const [dx, dy] = [xb - xa, yb - ya];
    const length2 = dx * dx + dy * dy;
    const t = length2 ? Math.min(Math.max(((x - xa) * dx + (y - ya) * dy) / length2, 0), 1) : 0;
    least = Math.min(least, Math.hypot(xa + t * dx - x, ya + t * dy - y));
  }
  return least;
}

/** The point, rounded to as few decimals as its clearance allows. */
function shortened(far, p) {
  for (let places = 0; places < MOST_PLACES; places += 1) {
    const rounded = p.map((value) => value.rounded(places));
    if (rounded.every((value, i) => value.minus(p[i]).abs.float < far / 8)) return rounded;
  }
  return p;
}
