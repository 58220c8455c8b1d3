// A preview: what a move would put on the board, drawn as a ghost, and what it would take from it, crossed out.

import { Board, isBlank, key } from "./board.js";
import { UNIT } from "./layout.js";
import { svg } from "./svg.js";

const LAYERS = ["line", "trail", "piece", "over", "edge"]; // of a board, on which things lie

/** Draws on a board what differs in the picture after a move; `null` takes the preview away. */
export function drawGhost(board, after) {
  board.element.querySelector(".layer-ghost")?.remove();
  if (after === null) return;
  const { put, taken } = changes(board.picture, after);
  const ghost = new Board(board.scene, put, board.layout.turned, board.ground, null);
  const gone = taken.map(([domain, index]) => board.shape(domain, index, { class: "ghost-gone" })).filter(Boolean);
  const layer = svg("g", { class: "layer-ghost", "aria-hidden": "true" }, ...gone, ...LAYERS.map((name) => ghost.layers[name]));
  board.layers.touch.before(layer);
}

/** A small picture of what a move would put on a board; null if that is nothing. */
export function miniature(board, after) {
  const { put } = changes(board.picture, after);
  const middles = put.spots.filter((spot) => !isBlank(spot)).map(({ at: [domain, index] }) => board.layout.middle(domain, index, board.picture)).filter(Boolean);
  if (!middles.length) return null;
  const ghost = new Board(board.scene, put, board.layout.turned, board.ground, null);
  const [left, top, right, bottom] = [Math.min, Math.max].flatMap((end) => [0, 1].map((k) => end(...middles.map((middle) => middle[k]))));
  const [wide, high] = [right - left + UNIT, bottom - top + UNIT];
  return svg("svg", { class: "miniature", viewBox: `${left - UNIT / 2} ${top - UNIT / 2} ${wide} ${high}`, style: `width: ${size(wide)}em; height: ${size(high)}em`, "aria-hidden": "true" }, ...LAYERS.map((name) => ghost.layers[name]));
}

const size = (length) => 0.8 + 0.8 * Math.min(5, length / UNIT); // letters on a piece of one cell are 9 pixels high

/** The places from which something went between two pictures of a board, by rules rather than by the move's own places. */
export function removed(before, after) {
  const touched = new Set(after.spots.filter((spot) => spot.last).map((spot) => key(...spot.at)));
  return changes(before, after).taken.filter((place) => !touched.has(key(...place)));
}

/** `put`: a picture of nothing but what is new; `taken`: the places from which something goes. */
function changes(before, after) {
  const spots = new Map(before.spots.map((spot) => [key(...spot.at), spot]));
  const later = new Map(after.spots.map((spot) => [key(...spot.at), spot]));
  const put = after.spots.map((spot) => fresh(spots.get(key(...spot.at)), spot)).filter(Boolean);
  const taken = before.spots.filter((spot) => lost(spot, later.get(key(...spot.at)))).map((spot) => spot.at);
  const isNew = (list) => (one) => !list.some((other) => JSON.stringify(other) === JSON.stringify(one));
  const bare = { ...after, tints: before.tints, enlarged: [], scored: [], borders: [], past: [], drawing: before.drawing };
  return { put: { ...bare, spots: put, lines: after.lines.filter(isNew(before.lines)), trails: after.trails.filter(isNew(before.trails)) }, taken };
}

/** The part of a spot that is new; blank cells remain, as they shape the board. */
function fresh(before, { at, glyphs = [], stroke }) {
  const known = (before?.glyphs ?? []).map(look);
  const added = isBlank({ glyphs }) ? glyphs : glyphs.filter((glyph) => !known.includes(look(glyph)));
  const drawn = stroke && !before?.stroke ? { stroke } : {};
  return added.length || drawn.stroke ? { at, ...(added.length ? { glyphs: added } : {}), ...drawn } : null;
}

function lost(spot, after) {
  const left = (after?.glyphs ?? []).map(look);
  const gone = (spot.glyphs ?? []).filter((glyph) => !glyph.scar && (glyph.text + (glyph.number ?? "")).trim() && !left.includes(look(glyph)));
  return gone.length > 0 || Boolean(spot.stroke && !after?.stroke);
}

const look = ({ text, number, colour, piece, owner, shape }) => JSON.stringify([text, number, colour, piece, owner, shape]);
