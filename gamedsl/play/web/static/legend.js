// The legend of a picture: what its signs, lines and colors mean.

import { paint } from "./colours.js";
import { TINTS, piece } from "./pieces.js";
import { html, svg } from "./svg.js";

/** What the signs of a picture mean; empty where nothing is to be explained. */
export function legend(picture, scene) {
  const entries = [...picture.legend.map((entry) => entryView(picture, scene, entry)), ...picture.tints.map((tint, i) => (tint.text.trim() ? tintView(tint, i) : null)).filter(Boolean)];
  if (!entries.length) return "";
  return html("details", { class: "legend" }, html("summary", {}, "What the signs mean"), html("ul", {}, ...entries));
}

function entryView(picture, scene, entry) {
  const words = entry.group ? `${entry.group} ${entry.text}` : entry.text;
  const sign = entry.stroke ? strokeSign(entry) : pieceSign(picture, scene, entry);
  return html("li", {}, sign, words);
}

function tintView(tint, number) {
  const square = (fill) => svg("rect", { x: -48, y: -48, width: 96, height: 96, rx: 12, ...fill });
  const pattern = number % TINTS ? [square({ class: "tint-pattern", fill: `url(#tint-${number % TINTS})` })] : [];
  return html("li", {}, svg("svg", { class: "sign-view", viewBox: "-50 -50 100 100", "aria-hidden": "true" }, square({ class: `tint-${tint.colour || "grey"}` }), ...pattern), tint.text);
}

function pieceSign(picture, scene, entry) {
  const shown = picture.spots.flatMap((s) => s.glyphs ?? []).find((g) => entry.sign && entry.sign.startsWith(g.text) && g.text && g.colour === entry.colour);
  const isKnown = entry.piece || entry.shape || entry.owner !== null;
  const [sign, number] = /1, .*\.\.$/.test(entry.sign) ? [entry.sign.split("1, ")[0], 2] : [entry.sign, null]; // "w1, w2 .."
  const known = { text: sign, number, colour: entry.colour, piece: entry.piece, owner: entry.owner, scar: false, shape: entry.shape, chosen: entry.chosen };
  const glyph = isKnown ? known : shown ? { ...shown, number: null } : { text: entry.sign, number: null, colour: entry.colour, piece: "", owner: null, scar: false, shape: "" };
  return svg("svg", { class: "sign-view", viewBox: "-50 -50 100 100", "aria-hidden": "true" }, piece(glyph, { ...scene, counts: false }));
}

function strokeSign(entry) {
  const style = entry.colour ? `stroke: ${paint(entry.colour)[1]}` : undefined;
  const along = { x1: -44, y1: 0, x2: 44, y2: 0 };
  const inner = entry.sign === "double" ? [svg("line", { class: "barrier-inner", ...along })] : [];
  return svg("svg", { class: "sign-view", viewBox: "-50 -50 100 100", "aria-hidden": "true" }, svg("line", { class: `barrier barrier-${entry.sign}`, ...along, style }), ...inner);
}
