// The moves so far, as a tree: the main line in pairs, variations beneath the move that they replace.

import { curveView } from "./curve.js";
import { fill, html, put } from "./svg.js";

/** The nodes with their children, the root and the node that is shown. */
function grown(tree) {
  const nodes = new Map(tree.nodes.map((node) => [node.id, { ...node, children: [] }]));
  let root = null;
  for (const node of nodes.values()) {
    if (node.parent === null) root = node;
    else nodes.get(node.parent).children.push(node);
  }
  return { nodes, root, here: nodes.get(tree.at) };
}

/** Leafs through the moves by the keys for left and right, outside of the board and of fields. */
export function leaf(page, event) {
  if (!["ArrowLeft", "ArrowRight"].includes(event.key) || event.target.closest("input, textarea, dialog")) return;
  const { here } = grown(page.update.tree);
  const node = event.key === "ArrowLeft" ? here.parent : here.children[0]?.id ?? null;
  if (node !== null && page.update.can.go) page.table.go(node);
}

const lists = new WeakMap(); // page -> the list of its moves, and the items by their nodes

export function movesView(page) {
  const { tree, can } = page.update;
  const { nodes, root, here } = grown(tree);
  const steps = [
    ["«", "to the first position", root, here !== root],
    ["‹", "one move back", nodes.get(here.parent), here.parent !== null],
    ["›", "one move on", here.children[0], here.children.length > 0],
    ["»", "to the last position", nodes.get(tree.tip), here.id !== tree.tip],
  ];
  const buttons = steps.map(([sign, title, node, possible]) => html("button", { type: "button", "aria-label": title, title, disabled: !(possible && can.go), onclick: () => page.table.go(node.id) }, sign));
  const undo = html("button", { type: "button", disabled: !can.undo, onclick: () => undoLast(page) }, "Undo");
  const records = html("button", { type: "button", onclick: () => page.records.open() }, "Record");
  const redraw = can.redraw ? [html("button", { type: "button", onclick: () => page.table.redraw() }, "Redraw")] : [];
  const list = listOf(page, root);
  requestAnimationFrame(() => { if (list.isConnected) keepInView(list); }); // of several plies before the next frame, only the last is laid out
  return [html("div", { class: "steps" }, ...buttons, undo, ...redraw, records), curveView(page), list];
}

/** The list of a page. Items that say the same as before stay: a browser takes long to lay out all moves of a long game. */
function listOf(page, root) {
  const { list, items } = lists.get(page) ?? { list: html("ol", { class: "move-list", tabindex: "0", "aria-label": "moves" }), items: new Map() };
  const kept = { list, items: new Map() };
  fill(list, line(page, root, items, kept.items));
  lists.set(page, kept);
  return list;
}

/** Scrolls the list, and never the page. */
function keepInView(list) {
  const here = list.querySelector("[aria-current]");
  if (here) list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
}

async function undoLast(page) {
  const answer = await page.table.undo();
  if (!answer.ok) page.refuse(answer.reasons);
}

/** The moves from a node on; the first child goes on, the others are variations. `before`: items by their nodes, and `kept`: those that
 *  are there now. */
function line(page, node, before, kept) {
  const found = [];
  let here = node;
  while (here.children.length) {
    const [next, ...others] = here.children;
    found.push(item(page, next, before, kept));
    for (const other of others) found.push(html("li", { class: "variation" }, html("ol", {}, item(page, other, before, kept), ...line(page, other, before, kept))));
    here = next;
  }
  return found;
}

function item(page, node, before, kept) {
  const { tree, can, proofs } = page.update;
  const who = node.seat === null ? "chance" : page.game.players[node.seat]?.name ?? "";
  const proof = proofs?.[node.id] ? page.marks.shown(proofs[node.id]) : "";
  const comment = node.notes?.comment ?? "";
  const text = JSON.stringify([node.seat, who, node.text, node.said, proof, comment, can.go]);
  const old = before.get(node.id);
  const found = old?.text === text ? old : { text, element: drawn(page, node, { who, proof, comment }) };
  kept.set(node.id, found);
  const ply = found.element.querySelector(".ply");
  if (node.id === tree.at) put(ply, "aria-current", "true");
  else ply.removeAttribute("aria-current");
  return found.element;
}

function drawn(page, node, { who, proof, comment }) {
  const said = (node.said ?? []).map((text) => html("q", { class: "said" }, text));
  if (proof) said.push(html("small", { class: "proof", title: "proved" }, proof));
  if (comment) said.push(html("small", { class: "has-comment", title: comment, "aria-label": "commented" }, "✎"));
  return html("li", { class: node.seat === null ? "by-chance" : "" }, html("button", { type: "button", class: "ply", disabled: !page.update.can.go, onclick: () => page.table.go(node.id), title: who }, html("small", {}, who), " ", node.text || "draws"), ...said);
}
