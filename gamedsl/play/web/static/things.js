// Dice, cards and plain values as people know them.

import { die, face } from "./faces.js";
import { html } from "./svg.js";

const SUITS = { clubs: "♣", diamonds: "♦", hearts: "♥", spades: "♠" };
const RANKS = { two: "2", three: "3", four: "4", five: "5", six: "6", seven: "7", eight: "8", nine: "9", ten: "10", jack: "J", queen: "Q", king: "K", ace: "A" };
const MOST = 6; // of what chance brought, the latest

const either = (names) => Object.keys(names).join("|");
const CARD = new RegExp(`\\(?\\b(?:(${either(RANKS)})(?: of|,)? (${either(SUITS)})|(${either(SUITS)}),? (${either(RANKS)}))\\b\\)?`, "gi");

/** A text in pieces: strings, and `{rank, suit}` for every playing card that it names in full. */
export function cardsIn(text) {
  const [plain, found] = [text.replaceAll("_", " "), []];
  let end = 0;
  for (const match of plain.matchAll(CARD)) {
    const [rank, suit] = [match[1] ?? match[4], match[2] ?? match[3]].map((word) => word.toLowerCase());
    found.push(plain.slice(end, match.index), { rank, suit });
    end = match.index + match[0].length;
  }
  return [...found, plain.slice(end)].filter((piece) => piece !== "");
}

/** A value as it looks: playing cards where it names some, else its text. */
export function faceOf(text) {
  if (SUITS[text.toLowerCase()]) return `${SUITS[text.toLowerCase()]} ${text}`;
  const pieces = cardsIn(text);
  if (pieces.every((piece) => typeof piece === "string")) return text;
  return pieces.map((piece) => (typeof piece === "string" ? piece : playingCard(piece.rank, piece.suit)));
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

/** What chance brought: dice with pips, cards with rank and suit as they look, else the values. */
export function chanceView({ things, scenes }, { what, values }) {
  const dice = what === "rolled" && values.every((v) => /^\d+$/.test(v));
  const shown = values.slice(-MOST);
  const looks = (value) => {
    const known = things.find((one) => one.parts && one.names.includes(value));
    return known ? face(scenes, known, known.names.indexOf(value)) : thing(value);
  };
  return html("p", { class: "fallen" }, html("span", {}, what + (shown.length < values.length ? " ... " : "")), ...shown.map((v) => (dice ? die(v) : looks(v))));
}
