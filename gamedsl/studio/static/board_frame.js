// The board of the studio: the page of a table in a frame of its own, so that it is laid out by the width that it has. The studio
// calls `openTable` with the table.

import { mount } from "/static/page.js";
import { attempts, groupsOf } from "/static/selection.js";

const REST = 120; // milliseconds that a mouse rests on a place

/** `hovered(reasons)` is called with the rules that refuse what the mouse rests on; without any, with an empty list. */
globalThis.openTable = (table, hovered) => {
  globalThis.shown = mount(document.getElementById("page"), table);
  let [resting, over] = [0, null];
  const rest = (id) => {
    if (id === over) return;
    over = id;
    clearTimeout(resting);
    resting = setTimeout(async () => {
      const { hands, game, update, actor } = globalThis.shown;
      const touched = hands.selection.touched;
      const isRefused = id !== null && actor !== null && !touched.includes(id) && !hands.selection.touch(id);
      const reasons = isRefused ? await table.hover(attempts(game, update.position.turn.kinds, [...touched, id]), actor) : [];
      if (id === over) hovered(reasons);
    }, REST);
  };
  const element = document.getElementById("page");
  element.addEventListener("pointerover", ({ target, pointerType }) => pointerType === "mouse" && rest(target.closest("[data-place]")?.dataset.place ?? null));
  element.addEventListener("pointerleave", () => rest(null));
  element.addEventListener("pointerdown", () => { over = null; clearTimeout(resting); });
  return globalThis.shown;
};
/** Lights the places of some actions: number, kind, indices of the values. */
globalThis.light = (actions) => {
  const { shown } = globalThis;
  const ids = actions.flatMap(([number, kind, values]) => groupsOf(shown.game.kinds[kind], number, values, () => true).flat());
  shown.board.mark("refused-here", [...new Set(ids)].map((id) => [id.split(":")[0], Number(id.split(":")[1])]));
};
globalThis.setTheme = (theme) => {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
};
dispatchEvent(new Event("ready"));
