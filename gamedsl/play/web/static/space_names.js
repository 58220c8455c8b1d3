// The names of the spaces of a drawing, as moves and scores call them: in the space where there is room, else beside the drawing,
// with a line that leads there.

import { at, svg } from "./svg.js";

const SIZE = 15; // of the letters of a name
const LEAST = 11; // smaller ones can hardly be read
const WIDE = 0.62; // a letter, in parts of its size
const OUTSIDE = 26; // from the drawing to the names beside it
const SMALLER = 0.8; // than an owner's sign above it

/** The names of all spaces; `owners`: by space, the size of the sign that stands in its middle (0: it has none there). */
export function spaceNames({ layout, picture, scene }, owners) {
  const spaces = picture.drawing?.spaces ?? [];
  const inside = spaces.map((space) => inSpace(space, scene.places.space.names[space.index], layout, picture, owners.get(space.index) ?? 0));
  const tiny = spaces.filter((_, i) => inside[i] === null);
  return [...inside.filter(Boolean), ...(tiny.length ? beside(tiny, scene, layout, picture, owners) : [])];
}

/** The name in a space, in the middle or on the roomiest side of its owner's sign; null where there is no room. */
function inSpace(space, name, layout, picture, owner) {
  const [x, y] = layout.point(space.at);
  const outline = space.outline.map((p) => layout.point(p));
  const most = owner ? Math.min(SIZE, SMALLER * owner) : SIZE;
  const [up, aside] = [0.6 * owner + 0.65 * most, 0.8 * owner + 0.5 * name.length * WIDE * most];
  const spots = owner ? [[x, y + up], [x, y - up], [x + aside, y], [x - aside, y]] : [[x, y]];
  const sizes = spots.map((spot) => (contains(outline, spot) ? sizeAt(layout.roomAround(spot, picture), name, most) : 0));
  const size = Math.max(...sizes);
  if (size < LEAST) return null;
  const spot = spots[sizes.indexOf(size)];
  return svg("text", { class: owner ? "space-name on-owner" : "space-name", x: spot[0], y: spot[1] + size / 3, style: `font-size: ${size}px` }, name);
}

/** The size of the letters of a name, as far as it is from the nearest line. */
function sizeAt(room, name, most) {
  return Math.min(most, (2 * room) / (name.length * WIDE), 1.6 * room);
}

/** How far the names beside the drawing reach: the first and the last column. */
export function reach(layout, { drawing }) {
  const xs = drawing.strokes.flatMap(({ points }) => points.map((p) => layout.point(p)[0]));
  return [Math.min(0, Math.min(...xs) - OUTSIDE - 3 * SIZE), Math.max(layout.width, Math.max(...xs) + OUTSIDE + 3 * SIZE)];
}

/** Names left and right of the drawing, one under the other, each on the nearer side. */
function beside(spaces, scene, layout, picture, owners) {
  const xs = picture.drawing.strokes.flatMap(({ points }) => points.map((p) => layout.point(p)[0]));
  const [left, right] = [Math.min(...xs) - OUTSIDE, Math.max(...xs) + OUTSIDE];
  const sides = [left, right].map((x) => ({ x, spaces: [] }));
  for (const space of spaces) sides[layout.point(space.at)[0] < (left + right) / 2 ? 0 : 1].spaces.push(space);
  return sides.flatMap(({ x, spaces: there }) => {
    const side = x === left ? -1 : 1;
    const end = (space) => [layout.point(space.at)[0] + side * 0.8 * (owners.get(space.index) ?? 0), layout.point(space.at)[1]]; // beside a sign
    const sorted = there.map((space) => ({ name: scene.places.space.names[space.index], to: end(space) })).sort((a, b) => a.to[1] - b.to[1]);
    const ys = apart(sorted.map(({ to }) => to[1]), SIZE * 1.2);
    return sorted.map(({ name, to }, i) => svg("g", { class: "space-leader" },
      svg("path", { d: `M${at(to)} L${at([x - 4 * side, ys[i]])}` }), svg("circle", { cx: to[0], cy: to[1], r: 2.5 }),
      svg("text", { class: "space-name", x, y: ys[i] + SIZE / 3, style: `font-size: ${SIZE}px; text-anchor: ${side < 0 ? "end" : "start"}` }, name)));
  });
}

/** Ascending numbers moved so that neighbors are no closer than this. */
function apart(numbers, least) {
  const found = [];
  for (const number of numbers) found.push(Math.max(number, (found.at(-1) ?? -Infinity) + least));
  const over = found.length ? Math.max(0, (found.at(-1) - numbers.at(-1)) / 2) : 0; // half of the way back
  return found.map((number) => number - over);
}

/** Whether a point lies in a polygon. */
function contains(outline, [x, y]) {
  return outline.reduce((inside, [ax, ay], i) => {
    const [bx, by] = outline.at(i - 1);
    return ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax) ? !inside : inside;
  }, false);
}
