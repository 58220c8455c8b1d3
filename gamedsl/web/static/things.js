// Dice, cards and plain values as people know them.

import { html, svg } from "./svg.js";

const SUITS = { clubs: "♣", diamonds: "♦", hearts: "♥", spades: "♠" };
const RANKS = { two: "2", three: "3", four: "4", five: "5", six: "6", seven: "7", eight: "8", nine: "9", ten: "10", jack: "J", queen: "Q", king: "K", ace: "A" };
const MOST = 6; // of what chance brought, the latest
const PIPS = { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/** A value as it looks: a playing card, or its text. */
export function faceOf(text) {
  const words = text.toLowerCase().replaceAll("_", " ").replaceAll(/[(),]/g, " ").split(" ").filter((w) => w && w !== "of");
  const suit = words.find((w) => SUITS[w]);
  const rank = words.find((w) => RANKS[w]);
  const rest = words.filter((w) => w !== suit && w !== rank);
  if (!suit || !rank) return suit && words.length === 1 ? `${SUITS[suit]} ${text}` : text;
  return [rest.join(" "), playingCard(rank, suit)].filter(Boolean).flat();
}

function playingCard(rank, suit) {
  const red = suit === "hearts" || suit === "diamonds";
  return html("span", { class: `card${red ? " red" : ""}`, role: "img", "aria-label": `${rank} of ${suit}` }, `${RANKS[rank]}${SUITS[suit]}`);
}

/** A short value shown as a card or pill of its own. */
export function thing(text) {
  const face = faceOf(text);
  return typeof face === "string" ? html("span", { class: "thing" }, face) : html("span", {}, ...face);
}

/** What chance brought: dice with pips, else the values. */
export function chanceView({ what, values }) {
  const dice = what === "rolled" && values.every((v) => PIPS[v]);
  const shown = values.slice(-MOST);
  const faces = shown.map((v) => (dice ? die(v) : thing(v)));
  return html("p", { class: "fallen" }, html("span", {}, what + (shown.length < values.length ? " ... " : "")), ...faces);
}

function die(value) {
  const pips = PIPS[value].map((i) => svg("circle", { cx: 22 + (i % 3) * 28, cy: 22 + Math.floor(i / 3) * 28, r: 9 }));
  return svg("svg", { class: "die", viewBox: "0 0 100 100", role: "img", "aria-label": String(value) }, svg("rect", { x: 3, y: 3, width: 94, height: 94, rx: 18 }), ...pips);
}
