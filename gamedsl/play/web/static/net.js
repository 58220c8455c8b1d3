// Paths laid over each other -> the net of pieces between their meeting points. The meaning is that of
// gamedsl/language/boards/drawing/half_edges.py: half-edge 2i goes along piece i, 2i + 1 back.

import { distinct, keyOf, same } from "./exact.js";
import { boxOf, boxesMeet, distance2, meeting, minus, segments, turning } from "./plane.js";

export class Net {
  /** `paths`: by name; they may meet in single points only. */
  constructor(paths) {
    this.pieces = split(paths);
    const numbers = new Map();
    const number = (p) => {
      const key = keyOf(p);
      if (!numbers.has(key)) numbers.set(key, numbers.size);
      return numbers.get(key);
    };
    this.nodes = this.pieces.map(({ path }) => [number(path[0]), number(path.at(-1))]);
    this.nodeCount = numbers.size;
  }

  /** The points of a half-edge in its direction. */
  walk(half) {
    const { path } = this.pieces[half >> 1];
    return half % 2 ? [...path].reverse() : path;
  }

  /** The closed path of consecutive half-edges. */
  ringPath(ring) {
    const points = ring.flatMap((half) => this.walk(half).slice(0, -1));
    return [...points, points[0]];
  }

  /** All face boundaries: closed walks with one face on their left. */
  get rings() {
    this.found ??= this.#rings();
    return this.found;
  }

  #rings() {
    const clockwise = this.#clockwise();
    const [found, seen] = [[], new Set()];
    for (let start = 0; start < 2 * this.pieces.length; start += 1) {
      const ring = [];
      for (let half = start; !seen.has(half); half = clockwise[half ^ 1]) {
        seen.add(half);
        ring.push(half);
      }
      if (ring.length) found.push(ring);
    }
    return found;
  }

  /** Per half-edge the next one clockwise that leaves the same meeting point. */
  #clockwise() {
    const around = Array.from({ length: this.nodeCount }, () => []);
    for (let half = 0; half < 2 * this.pieces.length; half += 1) around[this.nodes[half >> 1][half % 2]].push(half);
    const found = [];
    for (const halves of around) {
      const heading = new Map(halves.map((half) => [half, this.#heading(half)]));
      halves.sort((a, b) => turning(heading.get(a), heading.get(b)));
      halves.forEach((half, k) => { found[half] = halves.at(k - 1); });
    }
    return found;
  }

  #heading(half) {
    const [a, b] = this.walk(half);
    return minus(b, a);
  }

  /** A number per piece; connected pieces have the same one. */
  get groups() {
    const leader = Array.from({ length: this.nodeCount }, (_, i) => i);
    const find = (node) => {
      while (leader[node] !== node) node = leader[node] = leader[leader[node]];
      return node;
    };
    for (const [first, last] of this.nodes) leader[find(first)] = find(last);
    return this.nodes.map(([first]) => find(first));
  }
}

/** All paths, cut where they meet each other or themselves: `stroke` and `path`. */
export function split(paths) {
  const cuts = cutsOf(paths);
  return [...paths].flatMap(([stroke, path]) => cutPath(path, cuts.get(stroke)).map((piece) => ({ stroke, path: piece })));
}

/** Per path and segment the points where something else meets it. */
function cutsOf(paths) {
  const found = new Map([...paths].map(([name, path]) => [name, path.slice(1).map(() => [])]));
  const all = [...paths].flatMap(([name, path]) => segments(path).map((s, i) => ({ name, i, s, box: boxOf(s) })));
  all.sort((a, b) => a.box[0] - b.box[0]);
  let active = [];
  for (const one of all) {
    active = active.filter((other) => other.box[2] >= one.box[0]);
    for (const other of active) {
      if (!boxesMeet(one.box, other.box) || (one.name === other.name && follow(paths.get(one.name), one.i, other.i))) continue;
      const points = meeting(one.s, other.s);
      found.get(one.name)[one.i].push(...points);
      found.get(other.name)[other.i].push(...points);
    }
    active.push(one);
  }
  return found;
}

/** Whether two segments of a path are consecutive. */
const follow = (path, i, j) => Math.abs(i - j) === 1 || (same(path[0], path.at(-1)) && Math.abs(i - j) === path.length - 2);

function cutPath(path, cuts) {
  const nodes = new Set(cuts.flat().map(keyOf));
  let points = [path[0]];
  segments(path).forEach(([a, b], i) => {
    const here = distinct(cuts[i]).filter((p) => !same(p, a) && !same(p, b));
    points.push(...here.sort((p, q) => distance2(a, p).compare(distance2(a, q))), b);
  });
  if (same(points[0], points.at(-1)) && nodes.size) {
    const first = points.findIndex((p) => nodes.has(keyOf(p)));
    points = [...points.slice(first, -1), ...points.slice(0, first + 1)];
  }
  const found = [];
  let start = 0;
  for (let i = 1; i < points.length; i += 1) {
    if (nodes.has(keyOf(points[i])) || i === points.length - 1) {
      found.push(points.slice(start, i + 1));
      start = i;
    }
  }
  return found;
}
