// What to do now, in a sentence: above the board, and for screen readers. What is chosen is taken back by Escape or by a touch
// beside the board.

import { instruction } from "./instruction.js";
import { traysOf } from "./selection.js";

/** The sentence for what a page shows; empty for those who only look on. */
export function guide(page) {
  const { game, table, hands, choices } = page;
  const { turn } = page.update.position;
  const { phrases } = game;
  if (turn.outcome) return phrases.over;
  if (turn.kind === "chance") return table.roll ? phrases.chance : "";
  if (page.actor === null) return table.seats.length ? phrases.wait.replace("{}", () => turn.to_act.map((seat) => game.players[seat].name).join(", ")) : "";
  if (turn.kind === "drawing") return phrases.draw;
  if (hands.pending) return `${phrases.confirm.replace("{}", () => page.board.places.get(hands.pending.id).name).replace("{}", () => hands.pending.option.text)} ${phrases.back}`;
  const { live, touched } = hands.selection;
  const isTray = hands.held === null && traysOf(game, hands.all).length > 0;
  if (!touched.length) return [instruction(game, hands.options), isTray ? phrases.tray : "", hands.held ? phrases.back : ""].filter(Boolean).join(" ");
  return instruction(game, live, touched, page.board.places.get(touched.at(-1))?.name ?? "", choices.asked !== null);
}

/** Takes back what is chosen by Escape, and by a touch beside the board and everything that can be pressed. */
export function watchTakeBack(page) {
  const busy = "dialog, input, textarea, button, a, summary, [data-place]";
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.target.closest?.("dialog, input, textarea") && page.hands.takeBack()) event.preventDefault();
  });
  page.element.addEventListener("pointerdown", (event) => {
    if (!event.target.closest(busy)) page.hands.takeBack(true);
  });
}
