// Answers of the server that come late; called by test_variations.py. variations_check.mjs STATIC_FOLDER
// Prints for each case at which node the exploration is, and the parents of its nodes.

const { Variations } = await import(`${process.argv[2]}/remote_exploration.js`);
const game = { name: "g", digest: "d", options: {}, rules: {}, engine: "1", players: [{ name: "X" }, { name: "O" }] };
const played = ["", "b2", "a1", "c3"].map((text, id) => ({ id, parent: id ? id - 1 : null, seat: (id + 1) % 2, text }));

/** Variations whose questions wait until `release`, which answers the oldest. */
function opened() {
  const waiting = [];
  const table = { name: "t", game, nodes: played, begins: () => {} };
  const found = new Variations(table, (fields) => new Promise((done) => waiting.push([fields, done])), () => {});
  const release = async () => {
    const [{ node, line, action }, done] = waiting.shift();
    const after = action < 0 ? line : [...line, `m${action}`];
    done({ ok: true, explored: { line: after, movers: after.map((_, i) => (node + i) % 2), position: { node, after }, end: null } });
    await new Promise((next) => { setTimeout(next); });
  };
  const settle = async () => { while (waiting.length) await release(); };
  return { found, release, settle };
}

/** `early`: before the page knows where to begin; else while it asks for the position there. */
async function choosesAnotherWhileItBegins(early) {
  const { found, release, settle } = opened();
  let shown = 2;
  const begun = found.begin(() => shown);
  if (!early) await release(); // the page asks where to begin by now
  shown = 1;
  await settle();
  await begun;
  return { at: found.at, parents: found.nodes.map(({ parent }) => parent) };
}

async function goesThereAndBack() {
  const { found, settle } = opened();
  const begun = found.begin(() => 3);
  await settle();
  await begun;
  found.go(1);
  found.go(3); // known already, so it is there at once
  await settle();
  return { at: found.at, parents: found.nodes.map(({ parent }) => parent) };
}

async function goesElsewhereAfterAMove(removes) {
  const { found, settle } = opened();
  const begun = found.begin(() => 3);
  await settle();
  await begun;
  found.play(7);
  await settle();
  found.play(8);
  if (removes) found.prune();
  else found.go(3); // known, so it is there before the answer to the move
  await settle();
  return { at: found.at, parents: found.nodes.map(({ parent }) => parent) };
}

console.log(JSON.stringify([await choosesAnotherWhileItBegins(false), await choosesAnotherWhileItBegins(true), await goesThereAndBack(), await goesElsewhereAfterAMove(false), await goesElsewhereAfterAMove(true)]));
process.exit(0);
