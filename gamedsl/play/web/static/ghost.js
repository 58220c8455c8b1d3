// A preview: what a move would put on the board, drawn as a ghost, and what it would take from it, crossed out.

import { Board, isBlank, key } from "./board.js";
import { UNIT } from "./layout.js";
import { svg } from "./svg.js";

const MOST_SURROUNDED = 6; // pictures of a part of a board,
const WIDEST = 6 * UNIT; // which is so wide or high at most
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
  const middles = middlesOf(board, put);
  return middles.length ? small(boxAround(middles, UNIT / 2), ...onlyPut(board, put)) : null;
}

/** A small picture of things as they look on a board, without the board. */
export function apart(board, spots) {
  const put = { ...board.picture, tints: [], enlarged: [], scored: [], borders: [], trails: [], lines: [], past: [], spots };
  return small(boxAround(middlesOf(board, put), UNIT / 2), ...onlyPut(board, put));
}

/** Would all of some moves put the same on a board, if perhaps at other places? */
export function lookAlike(board, afters) {
  const looks = afters.map((after) => {
    if (!after) return "";
    const { put } = changes(board.picture, after);
    const [left, top] = boxAround(middlesOf(board, put), 0);
    return JSON.stringify(put.spots.filter((spot) => !isBlank(spot)).map(({ at: [domain, index], glyphs = [], stroke }) => {
      const [x, y] = board.layout.middle(domain, index, board.picture) ?? [];
      return [x - left, y - top, glyphs.map(look), stroke];
    }));
  });
  return new Set(looks).size === 1;
}

/** Small pictures of what each of some moves would put on a board, all of the same part of it; none if that part is large. */
export function inSurroundings(board, afters) {
  const puts = afters.filter(Boolean).map((after) => changes(board.picture, after).put);
  if (!puts.some((put) => middlesOf(board, put).length)) return [];
  const box = boxAround(puts.flatMap((put) => middlesOf(board, put)), UNIT);
  if (puts.length > MOST_SURROUNDED || Math.max(box[2], box[3]) > WIDEST) return [];
  const under = svg("g", { class: `board-svg on-${board.ground}` }, ...["ground", "tint", ...LAYERS].map((name) => board.layers[name].cloneNode(true)));
  under.querySelectorAll(":scope > .layer-ground text").forEach((name) => name.remove()); // too small to be read
  return puts.map((put) => small(box, under.cloneNode(true), svg("g", { class: "would-be" }, ...onlyPut(board, put))));
}

function onlyPut(board, put) {
  const { layers } = new Board(board.scene, put, board.layout.turned, board.ground, null);
  return LAYERS.map((name) => layers[name]);
}

const middlesOf = (board, put) => put.spots.filter((spot) => !isBlank(spot)).map(({ at: [domain, index] }) => board.layout.middle(domain, index, board.picture)).filter(Boolean);

/** The box around points, with a margin: left, top, width and height. */
function boxAround(middles, margin) {
  const [left, top, right, bottom] = [Math.min, Math.max].flatMap((end) => [0, 1].map((k) => end(...middles.map((middle) => middle[k]))));
  return [left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin];
}

function small(box, ...parts) {
  return svg("svg", { class: "miniature", viewBox: box.join(" "), style: `width: ${size(box[2])}em; height: ${size(box[3])}em`, "aria-hidden": "true" }, ...parts);
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
  const isNew = (list) => { const known = new Set(list.map((one) => JSON.stringify(one))); return (one) => !known.has(JSON.stringify(one)); };
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
