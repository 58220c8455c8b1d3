// Plays a game by its files; called by test_rules_js.py. Prints what it sees as JSON.
// rules_check.mjs RULES_FOLDER FILE.wasm plays N SEED | moves SEED | search PLAYS ACTION... | proof POSITIONS ACTION...

import { readFileSync } from "node:fs";

const [folder, file, task, ...rest] = process.argv.slice(2);
const { loadRules } = await import(`${folder}/rules.js`);
const { loadSearched, searched } = await import(`${folder}/opponents.js`);
const { Proof } = await import(`${folder}/proof.js`);
const facts = JSON.parse(readFileSync(file.replace(/wasm$/, "json"), "utf8"));
const rules = await (task === "search" ? loadSearched : loadRules)(readFileSync(file), facts);
const numbers = rest.map(Number);
const tasks = { plays, moves, search, proof };
console.log(JSON.stringify(tasks[task](...numbers)));

function plays(n, seed) {
  return [...rules.plays(rules.initial(), n, seed)].map(String);
}

/** A play in which the k-th ply is the legal action k * seed, counted around. */
function moves(seed) {
  const seen = [];
  let state = rules.initial();
  while (rules.kind(state) !== "end" && seen.length < 300) {
    const legal = rules.legal(state);
    const action = legal[(seen.length * seed) % legal.length];
    seen.push({ kind: rules.kind(state), actors: rules.actors(state), legal, action, parts: rules.parts(action) });
    state = rules.act(state, action);
  }
  return { seen, returns: rules.kind(state) === "end" ? rules.returns(state) : null };
}

function search(most, ...actions) {
  const used = rules.used;
  return { ...searched(rules, actions, { plays: most }, 5), forgotten: rules.used === used };
}

/** Who wins at every position of a line: 1, -1, 0, or null. */
function proof(most, ...actions) {
  const found = [];
  actions.reduce((s, action, i) => {
    const after = rules.act(s, action);
    found.push([i + 1, new Proof(rules, after).run({ positions: most, milliseconds: Infinity })]);
    return after;
  }, rules.initial());
  return [[0, new Proof(rules, rules.initial()).run({ positions: most, milliseconds: Infinity })], ...found];
}
