// Searches as the worker of a page makes them; called by test_information_search.py and test_tree_search.py. Prints the actions, one a line.
// information_check.mjs FOLDER FILE.wasm [BYTES], and the questions as JSON: [{actions, plays, seed, judges}], where ["drawn"] are prepared drawings until nobody draws. With BYTES, memory grows by no
// more than that after the first question, as where a browser gives no more.

import { readFileSync } from "node:fs";

const [folder, file, bytes] = process.argv.slice(2);
const { loadSearched, searched, searchWith } = await import(`${folder}/opponents.js`);
const { InformationSearch } = await import(`${folder}/information_search.js`);
const facts = JSON.parse(readFileSync(file.replace(/wasm$/, "json"), "utf8"));
if (facts.game.hides) searchWith(InformationSearch);
const rules = await loadSearched(readFileSync(file), facts);
for (const { actions, plays, seed, judges } of JSON.parse(readFileSync(0, "utf8"))) {
  console.log(searched(rules, actions[0] === "drawn" ? drawn() : actions, { plays, judges }, seed).action);
  if (bytes) bound(rules.code.memory.buffer.byteLength + Number(bytes));
}

function bound(most) {
  const reach = Object.getPrototypeOf(rules).reach.bind(rules);
  rules.reach = (end) => {
    if (end > most) throw new RangeError("no more memory");
    reach(end);
  };
}

function drawn() {
  const [plies, begin] = [[], rules.used];
  let state = rules.initial();
  while (rules.kind(state) === "drawing") {
    state = rules.takePrepared(state, 0);
    plies.push(rules.records[rules.drawing(state)]);
  }
  rules.used = begin;
  return plies;
}
