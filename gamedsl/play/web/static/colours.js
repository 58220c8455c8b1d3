// The colours of pieces: of players by their names, their order, or the look.

const PAINT = {
  white: ["#fffdf6", "#d9d0bd", "#57503f"],
  black: ["#5a5a5e", "#161618", "#000000"],
  red: ["#f0807a", "#c8372f", "#7c1b16"],
  blue: ["#7db4f0", "#2c6fbd", "#173f70"],
  green: ["#84cf92", "#2f8a4c", "#1b5530"],
  yellow: ["#ffe585", "#e0af14", "#7d5f00"],
  orange: ["#ffc083", "#e07a1c", "#824005"],
  purple: ["#c5a0ee", "#7f4bbb", "#482471"],
  cyan: ["#8be0e8", "#1f97a8", "#0d5560"],
  magenta: ["#f09ad0", "#bf3b8c", "#6f1b50"],
  grey: ["#d2d6da", "#868e96", "#4a5056"],
};
const SEATS = ["red", "blue", "green", "yellow", "purple", "cyan"];

/** The colour word of a glyph; empty for one without colour. */
export function colourOf(glyph, players) {
  const owner = glyph.owner === null ? null : players[glyph.owner];
  if (owner?.colour) return owner.colour;
  if (glyph.colour) return glyph.colour;
  return owner ? SEATS[glyph.owner % SEATS.length] : "";
}

export const seatColour = (players, seat) => players[seat]?.colour || SEATS[seat % SEATS.length];

/** Light, middle and line of a colour word. */
export const paint = (word) => PAINT[word] ?? PAINT.grey;

/** Does dark ink stand out on it? */
export const isLight = (word) => ["white", "yellow", "cyan", "grey", "orange", ""].includes(word);

export const words = Object.keys(PAINT);
