// Pieces: what a glyph says about itself -> a shape in a cell of 100 by 100 around 0,0.

import { CHESSMEN } from "./chessmen.js";
import { colourOf, isLight, paint, words } from "./colours.js";
import { points, svg } from "./svg.js";

// How each shape that a look can ask for is drawn.
const SHAPES = {
  disc: round,
  crowned: (glyph, _scene, word) => svg("g", {}, disc(word || "grey", "", glyph.owner), crown(word)),
  ring: (_glyph, _scene, word) => svg("circle", { class: `ink pen-${word || "ink"}`, r: 28 }),
  cross: (_glyph, _scene, word) => svg("path", { class: `ink pen-${word || "ink"}`, d: "M-26 -26 L26 26 M26 -26 L-26 26" }),
  block,
  star: polygon(Array.from({ length: 10 }, (_, i) => turned(i * 36, i % 2 ? 18 : 42))),
  triangle: polygon([[0, -38], [42, 34], [-42, 34]]),
  diamond: polygon([[0, -42], [42, 0], [0, 42], [-42, 0]]),
  seeds: (glyph) => seeds(glyph.number ?? 1),
  letter: (glyph, _scene, word) => text(label(glyph), "letter", word),
};

const label = (glyph) => glyph.text + (glyph.number ?? "");

export const TINTS = 4; // patterns that tell tinted places apart without colour: none, and these
const PATTERNS = ["M0 12 H24 M12 0 V24", "M-6 6 L6 -6 M0 24 L24 0 M18 30 L30 18", "M12 8 v8 M8 12 h8"];

/** What shapes are filled with, once for the whole page. */
export function fillings() {
  const tints = PATTERNS.map((d, i) => svg("pattern", { id: `tint-${i + 1}`, width: 24, height: 24, patternUnits: "userSpaceOnUse" }, svg("path", { d, class: "tint-line" })));
  const hatch = svg("pattern", { id: "hatch", width: 14, height: 14, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, svg("rect", { width: 5, height: 14, fill: "#fff", opacity: 0.45 }));
  return svg("svg", { class: "fillings", "aria-hidden": "true", width: 0, height: 0 }, svg("defs", {}, ...gradients(), hatch, ...tints));
}

function gradients() {
  return words.map((word) => {
    const [light, middle] = paint(word);
    const stops = [svg("stop", { offset: "0", "stop-color": light }), svg("stop", { offset: "1", "stop-color": middle })];
    return svg("radialGradient", { id: `paint-${word}`, cx: "0.35", cy: "0.3", r: "0.75" }, ...stops);
  });
}

/** The shape of a glyph. `scene` tells how the pieces of the part differ. */
export function piece(glyph, scene) {
  const word = colourOf(glyph, scene.players);
  if (glyph.scar) return text(glyph.text, "scar");
  if (glyph.chosen) return marked(glyph, scene, word);
  if (CHESSMEN[glyph.shape]) return standing(glyph, word);
  if (SHAPES[glyph.shape]) return SHAPES[glyph.shape](glyph, scene, word);
  if (glyph.text === "" && glyph.number !== null && !word) return scene.counts ? seeds(glyph.number) : disc("grey", String(glyph.number));
  if (glyph.piece || glyph.owner !== null) return round(glyph, scene, word);
  return glyph.number !== null && word ? disc(word, String(glyph.number)) : text(label(glyph), "letter", word);
}

/** A mark that its player has chosen: on a disc or a block, where the look asks for one, else alone. */
function marked(glyph, scene, word) {
  if (glyph.shape === "block") return block(glyph, scene, word, label(glyph));
  return ["", "disc"].includes(glyph.shape) ? disc(word || "grey", label(glyph)) : text(label(glyph), "letter", word);
}

function round(glyph, scene, word) {
  const mark = scene.labelled ? (scene.cased ? glyph.text : glyph.text.toUpperCase()) : "";
  const number = glyph.number !== null && !scene.stacks ? String(glyph.number) : "";
  if (scene.stacks && glyph.number > 1) return tower(glyph, word, mark);
  if (glyph.owner === null && glyph.text.length > 1) return block(glyph, scene, word, label(glyph));
  return disc(word || "grey", mark + number, glyph.owner);
}

function tower(glyph, word, mark) {
  const shown = Math.min(glyph.number, 5);
  const discs = Array.from({ length: shown }, (_, i) => svg("g", { transform: `translate(0 ${10 - i * 9})` }, disc(word, "", glyph.owner)));
  const top = svg("g", { transform: `translate(0 ${10 - (shown - 1) * 9})` }, text(`${mark}${glyph.number}`, "on-disc", isLight(word) ? "dark" : "light"));
  return svg("g", {}, ...discs, top);
}

/** A disc; the players' discs also differ by a sign, not by colour alone. */
export function disc(word, label = "", owner = null) {
  const parts = [svg("circle", { class: "disc", r: 39, fill: `url(#paint-${word || "grey"})`, stroke: paint(word || "grey")[2] })];
  if (owner !== null) parts.push(...(label ? rim(owner, word) : sign(owner, word)));
  if (label) parts.push(text(label, "on-disc", isLight(word) ? "dark" : "light"));
  return svg("g", {}, ...parts);
}

function sign(owner, word) {
  if (word === "white" || word === "black") return [];
  const stroke = paint(word)[2];
  const lines = (d) => svg("path", { class: "sign", d, stroke });
  const signs = [[], [svg("circle", { class: "sign", r: 24, stroke })], [svg("circle", { r: 10, fill: stroke })], [lines("M-22 0 H22")], [lines("M-20 -20 L20 20 M20 -20 L-20 20")], [lines("M-17 -17 H17 V17 H-17 Z")]];
  return signs[owner % signs.length];
}

/** The same around a label: dashes of another length for every player. */
function rim(owner, word) {
  if (word === "white" || word === "black" || owner % 6 === 0) return [];
  return [svg("circle", { class: "sign", r: 33, stroke: paint(word)[2], "stroke-dasharray": ["", "none", "5 8", "18 8", "30 22", "2 14"][owner % 6] })];
}

function crown(word) {
  const fill = isLight(word) ? "#5b4a1e" : "#f3d36b";
  return svg("path", { class: "crown", fill, d: "M-22 14 L-26 -12 L-12 0 L0 -20 L12 0 L26 -12 L22 14 Z" });
}

function standing(glyph, word) {
  const white = word !== "black" && glyph.owner !== null && (isLight(word) || word === "");
  const [light, middle, line] = paint(word || (glyph.owner === null ? "yellow" : white ? "white" : "black"));
  const fill = word === "black" ? "#2b2b2e" : word === "white" ? light : middle;
  const stroke = word === "black" ? "#000" : word === "white" ? "#2b2b2e" : line;
  const { body, detail } = CHESSMEN[glyph.shape];
  const inner = word === "black" ? "#e9e4da" : stroke;
  return svg("g", { class: "chessman", transform: "scale(1.95) translate(-22.5 -23.5)" },
    svg("path", { d: body, fill, stroke }), ...(detail ? [svg("path", { d: detail, fill: "none", stroke: inner })] : []), ...foot(glyph, word, stroke));
}

/** Dots below a chessman: as many as its player's number, where black and white do not tell whose it is. */
function foot(glyph, word, fill) {
  if (glyph.owner === null || word === "white" || word === "black") return [];
  const count = glyph.owner % 6;
  return Array.from({ length: count }, (_, i) => svg("circle", { cx: 22.5 + (i - (count - 1) / 2) * 6, cy: 43, r: 2.2, fill }));
}

/** A square that nearly fills its place, with its number or `said` on it. */
function block(glyph, _scene, word, said = String(glyph.number ?? "")) {
  const [light, middle, line] = paint(word || "grey");
  const parts = [svg("rect", { class: "block", x: -45, y: -45, width: 90, height: 90, rx: 8, fill: middle, stroke: line })];
  parts.push(svg("path", { d: "M-37 30 V-37 H30", fill: "none", stroke: light, "stroke-width": 5, "stroke-linecap": "round", opacity: 0.7 }));
  if (said) parts.push(text(said, "on-disc", isLight(word) ? "dark" : "light"));
  else if (glyph.owner !== null && glyph.owner % 2 === 1) parts.push(svg("circle", { r: 9, fill: line }));
  return svg("g", {}, ...parts);
}

/** A drawer of a shape with straight sides; the players' also differ by a dot, not by colour alone. */
function polygon(corners) {
  return (glyph, _scene, word) => {
    const line = paint(word || "grey")[2];
    const parts = [svg("polygon", { class: "disc", points: points(corners), fill: `url(#paint-${word || "grey"})`, stroke: line })];
    if (glyph.number !== null) parts.push(text(String(glyph.number), "on-disc", isLight(word) ? "dark" : "light"));
    else if (glyph.owner !== null && glyph.owner % 2 === 1) parts.push(svg("circle", { r: 8, fill: line }));
    return svg("g", {}, ...parts);
  };
}

function turned(degrees, far) {
  const angle = (degrees * Math.PI) / 180;
  return [Math.sin(angle) * far, -Math.cos(angle) * far];
}

/** Up to twelve seeds as they lie in a pit, with their number. */
function seeds(number) {
  const shown = Math.min(number, 12);
  const spots = Array.from({ length: shown }, (_, i) => {
    const [turn, far] = i < 4 ? [i * 1.57 + 0.6, 9 + (shown > 1 ? 3 : -9)] : [i * 0.79 + 0.2, 26];
    return svg("circle", { class: "seed", cx: Math.cos(turn) * far, cy: Math.sin(turn) * far, r: 7.5 });
  });
  return svg("g", {}, ...spots, svg("text", { class: "count", x: 0, y: 42 }, String(number)));
}

/** A text, as large as it fits. */
export function text(words_, kind, word = "") {
  const size = Math.min(kind === "on-disc" ? 40 : 54, 150 / Math.max(words_.length, 1));
  return svg("text", { class: `${kind} ink-${word || "none"}`, y: size * 0.35, "font-size": size }, words_);
}
