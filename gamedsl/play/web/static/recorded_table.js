// A table that shows a play that is over: every position is known beforehand, and nothing can be played.

/** `game` and `positions` are those of the reference; `plies` has `{seat, text}` for every position but the first. */
export function recordedTable({ game, positions, plies, record }) {
  const listeners = new Set();
  const nodes = [{ id: 0, parent: null, seat: null, text: "" }, ...plies.map((ply, i) => ({ id: i + 1, parent: i, ...ply }))];
  let at = 0;
  const update = () => ({
    position: positions[at],
    tree: { nodes, at, tip: nodes.length - 1 },
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
