// The board of the studio: the page of a table in a frame of its own, so that it is laid out by the width that it has. The studio
// calls `openTable` with the table.

import { mount } from "/static/page.js";

globalThis.openTable = (table) => (globalThis.shown = mount(document.getElementById("page"), table));
globalThis.setTheme = (theme) => {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
};
dispatchEvent(new Event("ready"));
