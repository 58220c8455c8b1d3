// Explorations of a table inside of the page: its tree as text, and a text as its tree.

import { differences, endOfMainLine, explorationText, lineText, readExploration } from "./exploration.js";
import { alike } from "./local_play.js";
import { actionText, turn } from "./local_turn.js";

/** The text of the whole tree, with the position that is shown. */
export function exploredText({ rules, game, tree, drawings, telling }) {
  const nodes = tree.nodes.map((node) => ({
    ...node,
    who: node.parent === null ? "" : telling.name(node.seat),
    ply: node.parent === null ? "" : node.action === null ? drawings.text(node.drawing, tree.nodes[node.parent].state) : actionText(rules, node.action),
    end: endOf(rules, game, node.state),
  }));
  return explorationText(game, nodes, tree.at);
}

/** Begins anew with an exploration; returns what differs. Throws an `Error` for one that cannot be played here; then nothing has changed. */
export function openExploration({ rules, game, tree, drawings, telling }, text) {
  const read = readExploration(text);
  const kept = { nodes: tree.nodes, at: tree.at, tip: tree.tip };
  tree.begin();
  try {
    const ids = [0];
    read.nodes.forEach((node, i) => {
      if (i) {
        tree.at = ids[node.parent];
        const why = made(node);
        if (why) throw new Error(`This exploration holds a move that these rules do not have: ${node.ply} after ${lineText(read.nodes, node.parent) || "the beginning"} (${why}). It was made by gamedsl ${read.engine}.`);
        ids.push(tree.at);
      }
      tree.node.notes = node.notes;
    });
    const ends = ids.map((id) => endOf(rules, game, tree.nodes[id].state));
    tree.tip = endOfMainLine(tree.nodes);
    tree.at = ids[read.at];
    if (tree.isPartial(tree.node)) tree.at = tree.node.parent;
    return differences(read, game, ends);
  } catch (error) {
    Object.assign(tree, kept);
    throw error;
  }

  /** Adds the ply of a node; why that is not possible, or null. */
  function made({ who, ply }) {
    if (tree.kind === "end") return "the game is over there";
    const seat = tree.kind === "chance" ? null : tree.acting()[0];
    if (telling.name(seat) !== who) return `it is not the turn of ${who}`;
    if (tree.kind === "drawing") {
      const drawing = drawings.read(tree.node.state, ply);
      if (drawing !== null) tree.add(null, seat, drawing);
      return drawing === null ? "it cannot be drawn" : null;
    }
    const legal = rules.legal(tree.node.state);
    const action = legal.find((one) => actionText(rules, one) === ply) ?? legal.find((one) => alike(actionText(rules, one), ply));
    if (action === undefined) return "it is not legal";
    tree.add(action, seat);
    return null;
  }
}

/** The names of the winners, or null if the game goes on. */
function endOf(rules, game, state) {
  if (rules.kind(state) !== "end") return null;
  return [...turn(rules, state, null).outcome.winners].sort((a, b) => a - b).map((seat) => game.players[seat].name);
}
