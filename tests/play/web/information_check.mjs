// Searches for players who do not see everything; called by test_information_search.py. Prints the actions, one a line.
// information_check.mjs FOLDER FILE.wasm [BYTES], and the questions as JSON: [{actions, plays, seed}]. With BYTES, memory grows by no
// more than that after the first question, as where a browser gives no more.

import { readFileSync } from "node:fs";

const [folder, file, bytes] = process.argv.slice(2);
const { loadSearched, searched, searchWith } = await import(`${folder}/opponents.js`);
const { InformationSearch } = await import(`${folder}/information_search.js`);
searchWith(InformationSearch);
const rules = await loadSearched(readFileSync(file), JSON.parse(readFileSync(file.replace(/wasm$/, "json"), "utf8")));
for (const { actions, plays, seed } of JSON.parse(readFileSync(0, "utf8"))) {
  console.log(searched(rules, actions, { plays }, seed).action);
  if (bytes) bound(rules.code.memory.buffer.byteLength + Number(bytes));
}

function bound(most) {
  const reach = Object.getPrototypeOf(rules).reach.bind(rules);
  rules.reach = (end) => {
    if (end > most) throw new RangeError("no more memory");
    reach(end);
  };
}
