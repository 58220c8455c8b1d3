// A table inside of the page is kept in the browser, so that a closed page loses nothing.

import { faultOfMarks } from "./marks.js";

const VERSION = 1; // of the form of what is kept

/** Keeps the plies and the players of a table. */
export function keep({ key, players, marks, tree, drawings }) {
  const { at, tip } = tree;
  const nodes = tree.nodes.slice(1).map(({ parent, seat, action, drawing }) => [parent, seat, action, drawing === null ? null : drawings.strokes(drawing)]);
  try {
    localStorage.setItem(key, JSON.stringify({ version: VERSION, players, marks, nodes, at, tip }));
  } catch {
    // a browser may allow no storage: then the game ends with the page
  }
}

/** Brings back what was kept of a table, if there is something of this form. */
export function restore(table) {
  const { key, tree, drawings } = table;
  try {
    const kept = JSON.parse(localStorage.getItem(key));
    if (kept?.version !== VERSION) return;
    for (const [parent, seat, action, drawing] of kept.nodes) {
      tree.at = parent;
      tree.add(action, seat, drawing === null ? null : drawings.again(drawing));
    }
    Object.assign(tree, { at: kept.at, tip: kept.tip });
    table.players = kept.players;
    const marks = kept.marks ?? [];
    if (table.game.marks && faultOfMarks(table.game.marks, marks) === null) table.marks = marks;
  } catch {
    tree.begin(); // what was kept is not of this form
  }
}
