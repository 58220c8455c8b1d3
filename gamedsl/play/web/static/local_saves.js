// A table inside of the page is kept in the browser, so that a closed page loses nothing.

import { faultOfMarks } from "./marks.js";

const VERSION = 1; // of the form of what is kept

/** Keeps the plies and the players of a table. */
export function keep({ key, players, marks, tree, drawings, exploring }) {
  const { at, tip } = tree;
  const first = tree.nodes[0].notes;
  const nodes = tree.nodes.slice(1).map(({ parent, seat, action, drawing, notes }) => [parent, seat, action, drawing === null ? null : drawings.strokes(drawing), ...(notes ? [notes] : [])]);
  try {
    localStorage.setItem(key, JSON.stringify({ version: VERSION, players, marks, nodes, at, tip, first, exploring }));
  } catch {
    // a browser may allow no storage: then the game ends with the page
  }
}

/** Brings back what was kept of a table, if there is something of this form; whether there was. */
export function restore(table) {
  const { key, tree, drawings } = table;
  try {
    const kept = JSON.parse(localStorage.getItem(key));
    if (kept?.version !== VERSION) return false;
    for (const [parent, seat, action, drawing, notes] of kept.nodes) {
      tree.at = parent;
      tree.add(action, seat, drawing === null ? null : drawings.again(drawing));
      tree.node.notes = notes;
    }
    tree.nodes[0].notes = kept.first;
    tree.explores = Boolean(kept.exploring);
    Object.assign(tree, { at: kept.at, tip: kept.tip });
    table.players = kept.players;
    const marks = kept.marks ?? [];
    if (table.game.marks && faultOfMarks(table.game.marks, marks) === null) table.marks = marks;
    return true;
  } catch {
    tree.begin(); // what was kept is not of this form
    return false;
  }
}
