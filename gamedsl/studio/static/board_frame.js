// The board of the studio: the page of a table in a frame of its own, so that it is laid out by the width that it has. The studio
// calls `openTable` with the table.

import { mount } from "/static/page.js";
import { groupsOf } from "/static/selection.js";

globalThis.openTable = (table) => (globalThis.shown = mount(document.getElementById("page"), table));
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
