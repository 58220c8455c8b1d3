// What stands around the board: names of rows and columns, texts along its sides.

import { piecesOf } from "./arc.js";
import { paint } from "./colours.js";
import { UNIT } from "./layout.js";
import { svg } from "./svg.js";

/** Names at the rim where the places' names are a column and a row; else small names in the cells. */
export function rimNames(scene, layout, blank) {
  const { names, at } = scene.places[scene.place];
  const split = names.map((name) => /^(?:r(\d+)c(\d+)|([a-z]+)(\d+))$/.exec(name));
  if (scene.kind === "grid" && split.every(Boolean)) return gridNames(split, at, layout);
  if (layout.ground === "graph") return besideNodes(names, at.map((spot) => layout.point(spot)), layout, blank);
  return names.flatMap((name, i) => (blank.has(i) ? [] : [small(name, layout.point(at[i]), layout)]));
}

const PIECE = 44; // what a piece takes from its middle, in units of the board; the next three are in these, too
const LETTERS = 6; // what a name takes
const FRAME = 34; // from the edge of the picture to the inner edge of the board's frame
const LETTER = 8; // half of the width of a letter, and of its height
const ENOUGH = 30; // room for a name; more is no better
const AROUND_NODE = [[0, 58], [44, 44], [-44, 44], [44, -40], [-44, -40], [0, -54], [62, 0], [-62, 0]]; // where a name may stand, the best first

/** Names of nodes, each where it is farthest from lines, other nodes and other names: below, if that is as good as anywhere. */
function besideNodes(names, middles, layout, blank) {
  const lines = layout.links.flatMap(piecesOf);
  const written = [];
  return names.flatMap((name, i) => {
    if (blank.has(i)) return [];
    const [own, others] = [middles[i], middles.filter((_, k) => k !== i)];
    const spots = AROUND_NODE.map(([dx, dy]) => [own[0] + dx, own[1] + dy]);
    const room = ([x, y]) => Math.min(
      ENOUGH,
      inside([x, y], LETTER * name.length, layout),
      ...lines.map((line) => fromLine([x, y], line)),
      ...others.map((other) => Math.hypot(x - other[0], y - other[1]) - PIECE),
      ...written.map((other) => Math.hypot(0.6 * (x - other[0]), y - other[1]) - LETTERS),
    );
    const [x, y] = spots.reduce((best, spot) => (room(spot) > room(best) + 1 ? spot : best));
    written.push([x, y]);
    return [svg("text", { class: "place-name", x, y: y + 6 }, name)];
  });
}

/** How far a point is from a line between two others. */
function fromLine([x, y], [[x1, y1], [x2, y2]]) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const along = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - x1 - along * dx, y - y1 - along * dy);
}

/** How far a name of this half width is from the frame. */
const inside = ([x, y], half, { width, height }) => Math.min(x - half, y - LETTER, width - x - half, height - y - LETTER) - FRAME;

function gridNames(split, at, layout) {
  const rows = new Map();
  const columns = new Map();
  split.forEach((found, i) => {
    const [column, row] = found[1] ? [found[2], found[1]] : [found[3], found[4]];
    columns.set(column, at[i][0]);
    rows.set(row, at[i][1]);
  });
  const bottom = layout.turned ? layout.box.top : layout.box.bottom;
  const left = layout.turned ? layout.box.right : layout.box.left;
  const wide = Math.max(["crossings", "pits", "dots"].includes(layout.ground) ? 6 : 0, layout.beside); // the board's frame, or its sides
  const under = [...columns].map(([name, x]) => label(name, layout.point([x, bottom]), 0, 10 + wide, "under"));
  const beside = [...rows].map(([name, y]) => label(name, layout.point([left, y]), -11 - wide, 8, "beside"));
  return [...under, ...beside];
}

const label = (name, [x, y], dx, dy, kind = "") => svg("text", { class: `rim-name ${kind}`.trim(), x: x + dx, y: y + dy }, name);

function small(name, [x, y], layout) {
  const low = { hex: 49, points: 0, crossings: 46, dots: 40 }[layout.ground] ?? 44;
  if (layout.ground === "points") {
    const down = y < layout.height / 2;
    return svg("text", { class: "rim-name", x, y: down ? layout.rim - 16 : layout.height - layout.rim + 34 }, name);
  }
  const square = layout.ground === "squares" || layout.ground === "track";
  return svg("text", { class: `place-name${square ? " start" : ""}`, x: square ? x - UNIT * 0.46 : x, y: y + low }, name);
}

const [FEW, SIDE_NAME] = [2, 0.8]; // cells of a side that are marked one by one; how far the name of a longer side is from its cells

const WAYS = {
  grid: [[0, -1], [1, 0], [0, 1], [-1, 0]],
  hex: [[0.5, -0.866], [1, 0], [0.5, 0.866], [-0.5, 0.866], [-1, 0], [-0.5, -0.866]],
};

/** Coloured bars (or texts) next to the cells of a side, outside of the board. */
export function borderTexts(board) {
  const { scene, layout, picture } = board;
  const ways = WAYS[scene.kind];
  if (!ways) return [];
  const spots = scene.places[scene.place].at;
  const near = (x, y) => `${Math.round(x * 20)},${Math.round(y * 20)}`;
  const there = (cell) => !board.blank.has(cell);
  const taken = new Set(spots.filter((_, cell) => there(cell)).map(([x, y]) => near(x, y)));
  return picture.borders.map(({ cells, side, ...border }) => ({ ...border, cells: cells.filter(there), side: side.filter(there) })).flatMap((border) => {
    let outward = ways.filter(([dx, dy]) => border.side.every((c) => !taken.has(near(spots[c][0] + dx, spots[c][1] + dy))));
    if (border.side.length === 1 && outward.length > 2) outward = [awayFromMiddle(outward, spots[border.side[0]], spots)];
    if (!border.colour && border.cells.length > FEW) return outward.length ? [sideName(layout, border.cells.map((cell) => spots[cell]), outward, border)] : [];
    return border.cells.flatMap((cell) => outward.map((way) => sideMark(layout, spots[cell], way, border)));
  });
}

/** The name of a side, once, outside of its middle. */
function sideName(layout, cells, ways, { text }) {
  const mean = (points) => [0, 1].map((k) => points.reduce((sum, point) => sum + point[k], 0) / points.length);
  const [[x, y], [dx, dy]] = [mean(cells), mean(ways)];
  const far = SIDE_NAME / Math.hypot(dx, dy);
  const at = layout.point([x + dx * far, y + dy * far]);
  return svg("text", { class: "border-text", x: at[0], y: at[1] + 9 }, text);
}

function awayFromMiddle(ways, [x, y], spots) {
  const middle = [0, 1].map((k) => spots.reduce((sum, p) => sum + p[k], 0) / spots.length);
  const away = ([dx, dy]) => dx * (x - middle[0]) + dy * (y - middle[1]);
  return ways.toSorted((a, b) => away(b) - away(a))[0];
}

function sideMark(layout, [x, y], [dx, dy], border) {
  const from = layout.point([x, y]);
  const to = layout.point([x + dx, y + dy]);
  const [ux, uy] = [(to[0] - from[0]) / UNIT, (to[1] - from[1]) / UNIT];
  const middle = [from[0] + ux * 61, from[1] + uy * 61];
  const half = layout.ground === "hex" ? 29 : 50;
  if (!border.colour) return svg("text", { class: "border-text", x: middle[0], y: middle[1] + 8 }, border.text);
  const [x1, y1, x2, y2] = [middle[0] - uy * half, middle[1] + ux * half, middle[0] + uy * half, middle[1] - ux * half];
  const line = svg("line", { class: "side", x1, y1, x2, y2, style: `stroke: ${paint(border.colour)[1]}` });
  return svg("g", {}, line, svg("title", {}, border.text));
}
