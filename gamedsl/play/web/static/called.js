// What a sentence calls a seat: the name of its player, if they have chosen one, with that of the seat.

const [ISOLATE, END] = ["\u2068", "\u2069"]; // letters of a name that are written from right to left move no others

/** `names`: per seat the name of its player, or empty; null or absent where players have none. */
export function called({ players }, names, seat) {
  const own = names?.[seat];
  return own ? `${ISOLATE}${own}${END} (${players[seat].name})` : players[seat].name;
}
