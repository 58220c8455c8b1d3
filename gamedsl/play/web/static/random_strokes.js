// Random outlines and straight lines: candidates for the checks. The meaning is that of gamedsl/language/boards/drawing/random_strokes.py.

import { between, crossing, distance, gap, isInside, steps } from "./float_plane.js";

const STEEPEST = 28; // degrees that a line is turned at most, if it may be turned by 45
const TRIES = 30;

const uniform = (random, low, high) => low + (high - low) * random();
const whole = (random, low, high) => low + Math.floor(random() * (high - low + 1));
const at = ([x, y], far, angle) => [x + far * Math.cos(angle), y + far * Math.sin(angle)];

/** A closed curve of irregular form around the middle, or somewhere smaller if there are strokes already. */
export function randomOutline(sheet, random) {
  const place = () => uniform(random, 10, sheet.side - 10);
  const [center, reach] = sheet.isEmpty ? [[sheet.side / 2, sheet.side / 2], sheet.side / 2 - 2] : [[place(), place()], uniform(random, 4, 40)];
  const corners = whole(random, 6, 18);
  const rough = uniform(random, 0.05, 0.45);
  const stretch = [uniform(random, 0.75, 1), uniform(random, 0.75, 1)];
  const turn = uniform(random, 0, 2 * Math.PI);
  const waves = [1, 2, 3].map(() => [whole(random, 2, 4), uniform(random, 0, 2 * Math.PI), uniform(random, 0, rough)]);
  return Array.from({ length: corners }, (_, i) => {
    const angle = turn + (2 * Math.PI * (i + uniform(random, -0.3, 0.3))) / corners;
    const wave = waves.reduce((sum, [k, p, a]) => sum + (a * (1 + Math.sin(k * angle + p))) / 2, 0) / 1.5;
    const radius = reach * (1 - Math.min(0.6, wave + uniform(random, 0, rough / 3)));
    return sheet.exact([center[0] + stretch[0] * radius * Math.cos(angle), center[1] + stretch[1] * radius * Math.sin(angle)]);
  });
}

/** A straight line through a random point, cut off where it first meets the outline on either side; empty if none is found. */
export function randomLine(sheet, random) {
  for (let i = 0; i < TRIES; i += 1) {
    const found = lineThrough(sheet, random);
    if (found && isPromising(sheet, found)) return found.map((end) => sheet.exact(end, true));
  }
  return [];
}

function lineThrough(sheet, random) {
  const { left, right, low, high } = sheet.bounds;
  const middle = [uniform(random, left, right), uniform(random, low, high)];
  if (!isInside(middle, sheet.outline)) return null;
  const angle = angleOf(sheet, random);
  if (!sheet.isAcross) {
    const far = 3 * sheet.size * uniform(random, 0.02, 0.15);
    return [at(middle, -far, angle), at(middle, far, angle)];
  }
  const ends = [-1, 1].map((way) => {
    const ray = [middle, at(middle, 3 * way * sheet.size, angle)];
    const met = sheet.outline.map((edge) => crossing(ray, edge)).filter((share) => share !== null);
    return met.length ? between(...ray, Math.min(...met)) : null;
  });
  return ends.includes(null) ? null : ends;
}

function angleOf(sheet, random) {
  const condition = sheet.stroke.conditions.find((c) => ["horizontal", "vertical"].includes(c.kind) && c.degrees !== null);
  if (!condition) return uniform(random, 0, Math.PI);
  const most = condition.degrees < 90 ? Math.min(condition.degrees, STEEPEST) : 90;
  const off = ((most * Math.PI) / 180) * uniform(random, -1, 1) * uniform(random, 0.2, 1);
  return condition.kind === "horizontal" ? off : Math.PI / 2 + off;
}

/** Whether a line keeps clear of strokes it must avoid, crosses clearly those it must cross, and is not too short. */
function isPromising(sheet, line) {
  const clearance = sheet.size / 25;
  if (sheet.isAcross && distance(...line) < sheet.size / 3) return false;
  if (sheet.named("apart").some((path) => gap(line, steps(path)) < 2 * clearance)) return false;
  for (const path of sheet.named("crosses once")) {
    const met = steps(path).map((step) => crossing(line, step)).filter((share) => share !== null);
    if (met.length !== 1) return false;
    const knot = between(...line, met[0]);
    if (gap([knot, knot], sheet.outline) < clearance) return false;
  }
  const used = [...sheet.lines.values()].flatMap((path) => [path[0], path.at(-1)]);
  return line.every((end) => used.every((other) => distance(end, other) > clearance));
}
