// A table that shows a play that is over: every position is known beforehand, and nothing can be played.

import { endOfMainLine } from "./exploration.js";

/** `game` and `positions` are those of the reference; `plies` has `{seat, text}` for every position but the first,
 *  and its `parent` if it does not follow the one before; `notes`: comments and marks per position; `at`: what is shown first. */
export function recordedTable({ game, positions, plies, record, notes = [], at: first = 0 }) {
  const listeners = new Set();
  const nodes = [{ id: 0, parent: null, seat: null, text: "" }, ...plies.map((ply, i) => ({ id: i + 1, parent: i, ...ply }))].map((node, i) => ({ ...node, ...(notes[i] ? { notes: notes[i] } : {}) }));
  const tip = endOfMainLine(nodes);
  let at = first;
  const update = () => ({
    position: positions[at],
    tree: { nodes, at, tip },
    can: { undo: false, go: true, redraw: false, load: false },
    notice: "",
    cover: null,
    clocks: null,
  });
  const over = async () => ({ ok: false, reasons: [{ message: "this game is over", clauses: [] }] });
  const go = async (node) => {
    at = node;
    listeners.forEach((listener) => listener(update()));
  };
  const subscribe = (listener) => {
    listeners.add(listener);
    listener(update());
    return () => listeners.delete(listener);
  };
  return { game, seats: [], subscribe, go, record: async () => record, play: over, draw: over, undo: over, redraw: over, load: over, why: async () => [], judge: async () => ({ strokes: [], done: false }), tools: [] };
}
