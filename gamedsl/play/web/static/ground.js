// The ground of a board: what lies under the pieces. One drawer per kind of ground; `drawGround` chooses.

import { along } from "./arc.js";
import { UNIT } from "./layout.js";
import { points, svg } from "./svg.js";

const DRAWERS = { squares, pits, crossings, dots, hex: hexagons, graph, track, points: longPoints, drawing: sheet };

/** The elements of the ground. `blank`: numbers of cells that the look leaves out. */
export function drawGround(layout, picture, blank) {
  const draw = DRAWERS[layout.ground];
  return draw ? draw(layout, picture, blank) : [];
}

function cells(layout, blank) {
  const { place, places } = layout.scene;
  return places[place].at.map((spot, index) => ({ index, at: layout.point(spot), spot })).filter((cell) => !blank.has(cell.index));
}

function board(layout, kind) {
  const inset = layout.rim - 10;
  const size = { x: inset, y: inset, width: layout.width - 2 * inset, height: layout.height - 2 * inset, rx: 10 };
  return svg("rect", { class: `board ${kind}`, ...size });
}

function squares(layout, _picture, blank) {
  const checkered = layout.scene.checkered;
  const all = cells(layout, blank).map(({ at, spot }) => {
    const dark = checkered && (Math.floor(spot[0]) + Math.floor(spot[1])) % 2 !== 0;
    const kind = checkered ? (dark ? "cell dark" : "cell light") : "cell";
    return svg("rect", { class: kind, x: at[0] - UNIT / 2, y: at[1] - UNIT / 2, width: UNIT, height: UNIT });
  });
  return [...frame(layout, blank), ...all];
}

/** A frame around all cells, whatever outline they have together. */
function frame(layout, blank) {
  const outline = (at) => `M${layout.outline(at).map((corner) => corner.join(" ")).join("L")}Z`;
  const d = cells(layout, blank).map(({ at }) => outline(at)).join("");
  return [svg("path", { class: "frame-edge", d }), svg("path", { class: "frame", d })];
}

function pits(layout, _picture, blank) {
  const holes = cells(layout, blank).map(({ at }) => svg("circle", { class: "pit", cx: at[0], cy: at[1], r: UNIT * 0.44 }));
  return [board(layout, "wood"), ...holes];
}

function crossings(layout, _picture, blank) {
  const lines = links(layout, "grid-line");
  return [board(layout, "wood"), ...lines, ...stars(layout, blank)];
}

/** The small dots by which people find their way on a large board: nine of them, or the middle one. */
function stars(layout, blank) {
  const all = cells(layout, blank);
  const size = Math.max(...all.map((c) => Math.floor(c.spot[0]))) + 1;
  const square = all.length === size * size;
  if (!square || size < 7 || size % 2 === 0) return [];
  const edge = size < 13 ? 2 : 3;
  const marks = size < 9 ? [(size - 1) / 2] : [edge, (size - 1) / 2, size - 1 - edge];
  const found = all.filter((c) => marks.includes(Math.floor(c.spot[0])) && marks.includes(Math.floor(c.spot[1])));
  const kept = size < 13 ? found.filter((c) => isCorner(c, edge, size) || isMiddle(c, size)) : found;
  return kept.map(({ at }) => svg("circle", { class: "star", cx: at[0], cy: at[1], r: 8 }));
}

const isCorner = (cell, edge, size) => cell.spot.every((v) => [edge, size - 1 - edge].includes(Math.floor(v)));
const isMiddle = (cell, size) => cell.spot.every((v) => Math.floor(v) === (size - 1) / 2);

function dots(layout, _picture, blank) {
  return [board(layout, "paper"), ...cells(layout, blank).map(({ at }) => svg("circle", { class: "dot", cx: at[0], cy: at[1], r: 9 }))];
}

function hexagons(layout, _picture, blank) {
  const all = cells(layout, blank).map(({ index, at }) => svg("polygon", { class: `cell hex shade${shade(layout, index)}`, points: points(layout.outline(at)) }));
  return [...frame(layout, blank), ...all];
}

/** Neighbouring hexagons get different shades of three. */
function shade(layout, index) {
  const [x, y] = layout.scene.places[layout.scene.place].at[index];
  const row = Math.round(y / (Math.sqrt(3) / 2));
  const column = Math.round(x - row / 2);
  return (((column - row) % 3) + 3) % 3;
}

function graph(layout, _picture, blank) {
  const nodes = cells(layout, blank).map(({ at }) => svg("circle", { class: "node", cx: at[0], cy: at[1], r: 20 }));
  const isPencilled = Boolean(layout.scene.places.edge); // pieces that lie along the lines are lines themselves
  return [board(layout, isPencilled ? "paper" : "wood"), ...links(layout, "link"), ...nodes];
}

function links(layout, kind) {
  return layout.links.map((line) => along(line, { class: kind }));
}

function track(layout, _picture, blank) {
  const fields = cells(layout, blank).map(({ index, at }) =>
    svg("rect", {
      class: `cell field ${index % 2 ? "odd" : "even"}`, x: at[0] - UNIT * 0.48, y: at[1] - UNIT * 0.48, width: UNIT * 0.96, height: UNIT * 0.96, rx: 12,
    }),
  );
  return [...frame(layout, blank), ...fields];
}

/** Long triangles on which pieces pile up from the edge of the board. */
function longPoints(layout, _picture, blank) {
  const triangles = cells(layout, blank).map(({ index, at }) => {
    const { base, tip } = column(layout, at);
    const corners = [[at[0] - UNIT * 0.46, base], [at[0] + UNIT * 0.46, base], [at[0], tip]];
    return svg("polygon", { class: `long-point ${index % 2 ? "odd" : "even"}`, points: points(corners) });
  });
  return [board(layout, "wood"), ...triangles];
}

/** Where a pile begins and which way it grows. */
export function column(layout, at) {
  const down = at[1] < layout.height / 2;
  const half = (UNIT * layout.stretch) / 2;
  return { base: at[1] + (down ? -half : half), tip: at[1] + (down ? half : -half) * 0.8, way: down ? 1 : -1 };
}

function sheet(layout, picture) {
  const paper = svg("rect", { class: "sheet", x: 4, y: 4, width: layout.width - 8, height: layout.height - 8, rx: 8 });
  const spaces = (picture.drawing?.spaces ?? []).map((space) =>
    svg("polygon", { class: "space", points: points(space.outline.map((p) => layout.point(p))) }),
  );
  const strokes = (picture.drawing?.strokes ?? []).map((stroke) =>
    svg(stroke.closed ? "polygon" : "polyline", { class: "stroke", points: points(stroke.points.map((p) => layout.point(p))) }),
  );
  return [paper, ...spaces, ...strokes];
}
