// How the play stood at every ply, as a curve: above the middle the first player is ahead.

import { html, svg } from "./svg.js";

const [WIDE, HIGH] = [300, 64]; // of the drawing

/** The nodes from the first position to the end of the line that is shown. */
function line(tree) {
  const byId = new Map(tree.nodes.map((node) => [node.id, node]));
  const onLine = (id) => {
    const found = [];
    for (let node = byId.get(id); node; node = byId.get(node.parent)) found.unshift(node);
    return found;
  };
  const main = onLine(tree.tip);
  return main.some((node) => node.id === tree.at) ? main : onLine(tree.at);
}

/** The curve, or nothing as long as there are less than two values. A click goes to the position. */
export function curveView(page) {
  const { tree, values, can } = page.update;
  const nodes = values ? line(tree) : [];
  const known = nodes.map((node, i) => [node, i, values[node.id]]).filter(([, , value]) => Number.isFinite(value));
  if (known.length < 2) return "";
  const x = (i) => (WIDE * i) / Math.max(1, nodes.length - 1);
  const y = (value) => (HIGH / 2) * (1 - Math.max(-1, Math.min(1, value)));
  const path = known.map(([, i, value]) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  const here = known.find(([node]) => node.id === tree.at);
  const [first, last] = [known[0][1], known.at(-1)[1]];
  const drawing = svg("svg", { class: "curve", viewBox: `0 -2 ${WIDE} ${HIGH + 4}`, role: "img", "aria-label": told(page, known) },
    svg("polygon", { class: "curve-area", points: `${x(first)},${HIGH / 2} ${path} ${x(last)},${HIGH / 2}` }),
    svg("line", { class: "curve-middle", x1: 0, y1: HIGH / 2, x2: WIDE, y2: HIGH / 2 }),
    svg("polyline", { class: "curve-line", points: path }),
    here ? svg("circle", { class: "curve-here", cx: x(here[1]), cy: y(here[2]), r: 4 }) : "");
  drawing.addEventListener("click", (event) => {
    const at = Math.round(((event.clientX - drawing.getBoundingClientRect().left) / drawing.getBoundingClientRect().width) * (nodes.length - 1));
    if (can.go && nodes[at]) page.table.go(nodes[at].id);
  });
  const name = page.game.players[0].name;
  return html("figure", { class: "curve-view" }, drawing, html("figcaption", {}, `above the line ${name} is ahead`));
}

function told(page, known) {
  const [, , now] = known.find(([node]) => node.id === page.update.tree.at) ?? known.at(-1);
  return `the evaluation of the game, from -1 to 1 for ${page.game.players[0].name}; now ${now.toFixed(2)}`;
}
