// The arc of a circle from one point to another through a third, and where lines end.

import { at, round, svg } from "./svg.js";

const BEYOND = 24; // units of the board around an arc that leads out of it

/** The circle through three points: `{middle, radius}`; null if they lie on a line. */
function circle([ax, ay], [bx, by], [cx, cy]) {
  const twice = 2 * (ax * (by - cy) + bx * (cy - ay) + cx * (ay - by));
  if (Math.abs(twice) < 1e-6) return null;
  const [a, b, c] = [ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy];
  const middle = [(a * (by - cy) + b * (cy - ay) + c * (ay - by)) / twice, (a * (cx - bx) + b * (ax - cx) + c * (bx - ax)) / twice];
  return { middle, radius: Math.hypot(ax - middle[0], ay - middle[1]) };
}

const turn = (angle) => ((angle % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI);

/** How the arc turns: from which angle, and by how much, with its sign. */
function sweep(from, through, to, { middle }) {
  const [start, on, end] = [from, through, to].map(([x, y]) => Math.atan2(y - middle[1], x - middle[0]));
  const [ahead, whole] = [turn(on - start), turn(end - start)];
  return { start, by: ahead < whole ? whole : whole - 2 * Math.PI };
}

/** The point that lies this far before the end of a line; the end, if the line is shorter. */
export function pointBefore(end, start, distance) {
  const length = Math.hypot(start[0] - end[0], start[1] - end[1]);
  return length <= distance ? end : [0, 1].map((k) => end[k] + ((start[k] - end[k]) * distance) / length);
}

/** The path after its first point; a straight line if the three points lie on one. */
export function arcTo(from, through, to) {
  const found = circle(from, through, to);
  if (!found) return `L${at(to)}`;
  const { by } = sweep(from, through, to, found);
  return `A${round(found.radius)} ${round(found.radius)} 0 ${Number(Math.abs(by) > Math.PI)} ${Number(by > 0)} ${at(to)}`;
}

/** A line from its first point to its second; an arc, if it has a third in its middle. */
export function along([from, to, bend], attributes) {
  if (bend) return svg("path", { d: path([from, to, bend]), ...attributes });
  return svg("line", { x1: from[0], y1: from[1], x2: to[0], y2: to[1], ...attributes });
}

/** The path of such a line. */
export const path = ([from, to, bend]) => `M${at(from)} ${bend ? arcTo(from, bend, to) : `L${at(to)}`}`;

/** Straight pieces of such a line. */
export function piecesOf([from, to, bend]) {
  const spots = bend ? arcPoints(from, bend, to) : [from, to];
  return spots.slice(1).map((spot, i) => [spots[i], spot]);
}

/** Points along the arc. */
function arcPoints(from, through, to, steps = 16) {
  const found = circle(from, through, to);
  if (!found) return [from, to];
  const { start, by } = sweep(from, through, to, found);
  return Array.from({ length: steps + 1 }, (_, i) => {
    const angle = start + (by * i) / steps;
    return [found.middle[0] + found.radius * Math.cos(angle), found.middle[1] + found.radius * Math.sin(angle)];
  });
}

/** A part of the board, with the arcs that lead out of it. */
export function aroundArcs([left, top, wide, high], arcs) {
  const spots = arcs.flatMap(([from, through, to]) => arcPoints(from, through, to));
  if (!spots.length) return [left, top, wide, high];
  const reach = (k, least, most) => [Math.min(least, ...spots.map((p) => p[k] - BEYOND)), Math.max(most, ...spots.map((p) => p[k] + BEYOND))];
  const [[x0, x1], [y0, y1]] = [reach(0, left, left + wide), reach(1, top, top + high)];
  return [x0, y0, x1 - x0, y1 - y0];
}
