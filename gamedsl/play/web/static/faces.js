// Cards, dice and shapes as they look, from the values of their type: two attributes are a rank and a suit, pairs of small numbers are
// steps on a board, squares are a shape.

import { Board } from "./board.js";
import { paint, words } from "./colours.js";
import { keepLegible } from "./legible.js";
import { svg } from "./svg.js";

const SUITS = { clubs: "♣", diamonds: "♦", hearts: "♥", spades: "♠" };
const RED = ["diamonds", "hearts"];
const SIGNS = ["●", "▲", "■", "★", "◆", "✚", "⬟", "▼"]; // of suits without a sign of their own, so that colour alone tells nothing
const HUES = ["red", "blue", "green", "yellow", "purple", "cyan", "orange", "magenta"];
const RANKS = { jack: "J", queen: "Q", king: "K", ace: "A", two: "2", three: "3", four: "4", five: "5", six: "6", seven: "7", eight: "8", nine: "9", ten: "10" };
const PIPS = { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
const [WIDE, HIGH] = [70, 98]; // of a card
const LONGEST = 3; // letters of a rank
const [INSIDE, ACROSS] = [52, 74]; // how much of the board around a thing that is laid is shown, if it stays on its cell, or not
const BARE = { tints: [], trails: [], enlarged: [], scored: [], borders: [], legend: [], drawing: null };

/** The face of a thing. `scenes`: the boards of the game; `word`: the color of its owner, for things that have none. */
export function face(scenes, thing, index, word = "grey") {
  const name = thing.names[index];
  if (thing.kind === "die") return die(name);
  if (thing.cells) return shape(thing.cells[index], word, name);
  if (thing.pictures) return card(name, "", laid(scenes, thing, index), ...lines(name, 88, 13));
  const inside = thing.parts ? suited(thing, index) : thing.steps ? stepped(thing, index) : plain(name);
  return card(name, "", ...inside);
}

/** Does a face say more than the name? */
export const hasFace = (thing) => Boolean(thing.kind === "die" || thing.cells || thing.parts || thing.steps || thing.pictures || isNumber(thing.names[0]));

/** The back of a card; of a die, what covers it. */
export const back = (thing) => (thing.kind === "die" ? die("?") : card("hidden", " back", svg("rect", { class: "weave", x: 6, y: 6, width: WIDE - 12, height: HIGH - 12, rx: 5 })));

/** A place where no card lies. */
export const empty = () => svg("svg", { class: "face", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": "empty" }, svg("rect", { class: "no-card", x: 2, y: 2, width: WIDE - 4, height: HIGH - 4, rx: 8 }));

function card(name, kind, ...inside) {
  return svg("svg", { class: `face${kind}`, viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": name }, svg("rect", { class: "paper", x: 1, y: 1, width: WIDE - 2, height: HIGH - 2, rx: 8 }), ...inside);
}

/** The attribute with fewer values is the suit. */
function suited({ parts }, index) {
  const which = parts[1][0].length < parts[0][0].length ? 1 : 0;
  const [[suits, suitOf], [ranks, rankOf]] = [parts[which], parts[1 - which]];
  const number = suitOf[index];
  const { sign, fill } = suitLook(suits[number], number);
  const rank = short(ranks[rankOf[index]]);
  const wide = [...rank].length > 2 ? 17 : 24;
  return [
    text(rank, { x: 7, y: 25, "font-size": wide, fill, class: "rank" }),
    text(sign, { x: 7, y: 45, "font-size": 19, fill, class: "rank" }),
    text(sign, { x: 43, y: 79, "font-size": 46, fill }),
  ];
}

function suitLook(name, number) {
  const known = SUITS[name.toLowerCase()];
  if (known) return { sign: known, fill: RED.includes(name.toLowerCase()) ? "#b3201a" : "#1c1b19" };
  const word = words.includes(name.toLowerCase()) ? name.toLowerCase() : HUES[number % HUES.length];
  const [light, middle, line] = paint(word);
  return { sign: SIGNS[number % SIGNS.length], fill: word === "white" ? line : word === "yellow" ? "#a67c00" : middle ?? light };
}

const short = (rank) => RANKS[rank.toLowerCase()] ?? ([...rank].length <= LONGEST ? rank : [...rank][0].toUpperCase());

function plain(name) {
  if (isNumber(name)) return [text(name, { x: 7, y: 24, "font-size": 21, class: "rank" }), text(name, { x: 38, y: 68, "font-size": [42, 42, 34][[...name].length] ?? 26 })];
  return lines(name, HIGH / 2);
}

/** A name in lines around a height, as large as it fits. */
function lines(name, middle, largest = 17) {
  const rows = name.split(" ");
  const size = Math.min(largest, 100 / Math.max(...rows.map((row) => [...row].length)));
  return rows.map((row, i) => text(row, { x: WIDE / 2, y: middle + (i - (rows.length - 1) / 2) * size * 1.15 + size / 3, "font-size": size }));
}

/** A small board: the steps of a piece in its middle, to the right and ahead. */
function stepped({ names, steps }, index) {
  const far = Math.max(...steps.flat(2).map(Math.abs));
  const size = 58 / (2 * far + 1);
  const at = (x, y) => ({ x: 6 + (x + far) * size, y: 6 + (far - y) * size, width: size, height: size });
  const squares = Array.from({ length: (2 * far + 1) ** 2 }, (_, i) => [(i % (2 * far + 1)) - far, Math.floor(i / (2 * far + 1)) - far]);
  const kind = ([x, y]) => (x === 0 && y === 0 ? "from" : steps[index].some(([a, b]) => a === x && b === y) ? "step" : "square");
  return [...squares.map(([x, y]) => svg("rect", { ...at(x, y), class: kind([x, y]) })), ...lines(names[index], 80, 13)];
}

const drawn = new WeakMap(); // what is to be seen of a thing on the board -> how it is drawn
let sized = null; // watches the sizes of those with a text

/** A thing as it looks when it lies on the board, without the board. */
function laid(scenes, { pictures }, index) {
  const shown = pictures.shown[index];
  const found = (drawn.get(shown) ?? drawn.set(shown, layOut(scenes, pictures, index)).get(shown)).cloneNode(true);
  sized ??= new ResizeObserver((entries) => entries.forEach(({ target }) => keepLegible(target)));
  if (found.querySelector("text")) sized.observe(found);
  return found;
}

function layOut(scenes, pictures, index) {
  const scene = scenes.find(({ part }) => part === pictures.scene);
  const { spots, lines: strokes } = pictures.shown[index];
  const board = new Board(scene, { ...BARE, spots, lines: strokes }, false, undefined, null);
  const [x, y] = board.layout.middle(scene.place, pictures.cell, board.picture);
  const far = spots.every(({ at: [domain] }) => domain === scene.place) ? INSIDE : ACROSS;
  const { element } = board;
  ["role", "aria-label", "style"].forEach((name) => element.removeAttribute(name));
  const place = { x: 3, y: 8, width: WIDE - 6, height: WIDE - 6, viewBox: `${x - far} ${y - far} ${2 * far} ${2 * far}` };
  Object.entries(place).forEach(([name, value]) => element.setAttribute(name, value));
  return element;
}

function shape(cells, word, name) {
  const [rows, columns] = [0, 1].map((k) => Math.max(...cells.map((cell) => cell[k])) + 1);
  const [, middle, line] = paint(word);
  const squares = cells.map(([row, column]) => svg("rect", { x: column * 12 + 1, y: row * 12 + 1, width: 12, height: 12, rx: 1.5, fill: middle, stroke: line }));
  return svg("svg", { class: "shape", viewBox: `0 0 ${columns * 12 + 2} ${rows * 12 + 2}`, style: `width: ${columns}em; height: ${rows}em`, role: "img", "aria-label": name }, ...squares);
}

export function die(value) {
  const pips = PIPS[value]?.map((i) => svg("circle", { cx: 22 + (i % 3) * 28, cy: 22 + Math.floor(i / 3) * 28, r: 9 }));
  const inside = pips ?? [text(String(value), { x: 50, y: 68, "font-size": 52 })];
  return svg("svg", { class: "die", viewBox: "0 0 100 100", role: "img", "aria-label": String(value) }, svg("rect", { x: 3, y: 3, width: 94, height: 94, rx: 18 }), ...inside);
}

const isNumber = (name) => /^-?\d+$/.test(name);
const text = (words_, attributes) => svg("text", { "text-anchor": attributes.class === "rank" ? "start" : "middle", ...attributes }, words_);
