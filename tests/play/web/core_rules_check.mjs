// Plays a game by the rules as data; called by test_core_rules_js.py. Prints JSON: per position its block, its values and its legal
// moves.
// core_rules_check.mjs STATIC_FOLDER GAME.json      GAME: {core, plies: [move]}

import { readFileSync } from "node:fs";

const [folder, file] = process.argv.slice(2);
const { CoreRules } = await import(`${folder}/core_rules.js`);
const { textOf } = await import(`${folder}/unknown_values.js`);
const { core, plies } = JSON.parse(readFileSync(file, "utf8"));
const rules = new CoreRules(core);

function shown(position) {
  const moves = rules.toAct(position).map((seat) => rules.moves(position, seat, true));
  const outcomes = rules.outcomes(position);
  return { block: position.block, values: position.slots.map(textOf), pending: position.pending, moves: outcomes.length ? [outcomes] : moves };
}

let position = rules.initial();
const found = [shown(position)];
for (const move of plies) {
  position = rules.apply(position, move);
  found.push(shown(position));
}
console.log(JSON.stringify(found));
