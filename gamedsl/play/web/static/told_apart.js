// Words for moves that the touched places do not tell apart: on which side of the last place each lies, or the value that differs.

const SIDES = ["to the right", "to the lower right", "below", "to the lower left", "to the left", "to the upper left", "above", "to the upper right"];
const CLOSE = 10; // units of the board: nearer to the last place, a move lies on no side of it

/** Per option a text. `middle`: where a place lies on the board as it is turned; `last`: the place that was touched last. */
export function wordsApart(game, options, last, middle) {
  const kinds = [...new Set(options.map((option) => option.kind))];
  return options.map((option) => {
    const alike = options.filter(({ kind }) => kind === option.kind);
    const name = kinds.length > 1 ? game.kinds[option.kind].words.name.slice(1, -1) : "";
    if (alike.length === 1) return name || option.text;
    const said = (sides(alike, last, middle) ?? values(game, alike))?.[alike.indexOf(option)];
    return said ? [name, said].filter(Boolean).join(" ") : option.text;
  });
}

/** On which side of a place the places of each move lie; null if that does not tell all apart. */
function sides(options, last, middle) {
  const from = middle(last);
  const found = options.map(({ groups }) => {
    const spots = groups.flat().map(middle).filter(Boolean);
    const [dx, dy] = [0, 1].map((k) => spots.reduce((sum, spot) => sum + spot[k], 0) / spots.length - (from?.[k] ?? NaN));
    return Math.hypot(dx, dy) > CLOSE ? SIDES[(Math.round(Math.atan2(dy, dx) / (Math.PI / 4)) + 8) % 8] : null;
  });
  return allDiffer(found) ? found : null;
}

/** The values of the only parameter that differs, if they are words and name no place of the board. */
function values(game, options) {
  const { parameters } = game.kinds[options[0].kind];
  const differing = parameters.flatMap((parameter, i) => (new Set(options.map((option) => option.values[i])).size > 1 ? [[parameter, i]] : []));
  if (differing.length !== 1) return null;
  const [[{ names }, i]] = differing;
  const found = options.map((option) => (option.params.includes(i) || /\d/.test(names[option.values[i]]) ? null : names[option.values[i]]));
  return allDiffer(found) ? found : null;
}

const allDiffer = (texts) => texts.every(Boolean) && new Set(texts).size === texts.length;
