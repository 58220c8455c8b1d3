// The page of a table of the server: its name stands in the address, the seat's key behind the #.

import { followLink, isLink } from "./exploration_link.js";
import { mount } from "./page.js";
import { People } from "./people.js";
import { openRemoteTable } from "./remote_table.js";

const element = document.getElementById("page");
try {
  const table = await openRemoteTable(location.pathname.split("/").pop(), isLink(location.hash) ? "" : location.hash.slice(1));
  globalThis.shown = mount(element, table);
  globalThis.people = new People(globalThis.shown, table);
  await followLink(globalThis.shown, table);
} catch (error) {
  element.textContent = error.message;
  element.setAttribute("role", "alert");
}
