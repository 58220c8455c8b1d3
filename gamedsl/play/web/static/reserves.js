// What players have left to put on the board, as it looks there, with its number.

import { apart } from "./ghost.js";
import { without } from "./panel_lines.js";
import { html } from "./svg.js";

const drawn = new WeakMap(); // a reserve -> its picture, and whether the board was turned

/** The things that a line beside the board counts, as they look on the board that is shown; undefined for other lines. */
export function reserveOf({ game, scene }, line) {
  const isOf = ({ part, seat, label }) => part === scene.part && seat === line.seat && label === line.label;
  return line.because || line.values.length !== 1 ? undefined : game.reserves?.find(isOf);
}

/** The reserve of a player whose lines these are: each thing once, with its number, and in words for those who do not see it. */
export function reserveView(page, lines, name) {
  const pieces = lines.flatMap((line) => {
    const reserve = reserveOf(page, line);
    if (!reserve) return [];
    const [count] = line.values;
    const said = `${without(line.label, name)}: ${count}`;
    return [html("span", { class: `spare${count === "0" ? " none" : ""}`, role: "img", "aria-label": said, title: said }, pictureOf(page, reserve), count === "1" ? "" : html("b", {}, `×${count}`))];
  });
  return pieces.length ? [html("li", { class: "reserve" }, ...pieces)] : [];
}

function pictureOf({ board }, reserve) {
  const { turned } = board.layout;
  if (drawn.get(reserve)?.turned !== turned) drawn.set(reserve, { turned, picture: apart(board, reserve.spots) });
  return drawn.get(reserve).picture.cloneNode(true);
}
