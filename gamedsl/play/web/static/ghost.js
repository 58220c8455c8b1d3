// A preview: what a move would put on the board, drawn as a ghost, and what it would take from it, crossed out.

import { Board, key } from "./board.js";
import { svg } from "./svg.js";

const LAYERS = ["line", "trail", "piece", "over", "edge"]; // of a board, on which things lie

/** Draws on a board what differs in the picture after a move; `null` takes the preview away. */
export function drawGhost(board, after) {
  board.element.querySelector(".layer-ghost")?.remove();
  if (after === null) return;
  const { put, taken } = changes(board.picture, after);
  const ghost = new Board(board.scene, put, board.layout.turned, board.ground, board.inUse);
  const gone = taken.map(([domain, index]) => board.shape(domain, index, { class: "ghost-gone" })).filter(Boolean);
  const layer = svg("g", { class: "layer-ghost", "aria-hidden": "true" }, ...gone, ...LAYERS.map((name) => ghost.layers[name]));
  board.layers.touch.before(layer);
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
  const isBlank = glyphs.length > 0 && glyphs.every((glyph) => glyph.text !== "" && !glyph.text.trim());
  const known = (before?.glyphs ?? []).map(look);
  const added = isBlank ? glyphs : glyphs.filter((glyph) => !known.includes(look(glyph)));
  const drawn = stroke && !before?.stroke ? { stroke } : {};
  return added.length || drawn.stroke ? { at, ...(added.length ? { glyphs: added } : {}), ...drawn } : null;
}

function lost(spot, after) {
  const left = (after?.glyphs ?? []).map(look);
  const gone = (spot.glyphs ?? []).filter((glyph) => !glyph.scar && (glyph.text + (glyph.number ?? "")).trim() && !left.includes(look(glyph)));
  return gone.length > 0 || Boolean(spot.stroke && !after?.stroke);
}

const look = ({ text, number, colour, piece, owner, shape }) => JSON.stringify([text, number, colour, piece, owner, shape]);
