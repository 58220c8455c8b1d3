// Shows a play by compiled rules; called by test_local_picture.py. Prints JSON, a line per position and seat.
// What moves leave on the paper is shown, too.
// local_check.mjs STATIC_FOLDER FILE.wasm PLAY.json      PLAY: {plies: [action], seats: [seat or null], asked: [[action, seat]]}

import { readFileSync } from "node:fs";

const [folder, file, play] = process.argv.slice(2);
const { loadRules } = await import(`${folder}/rules.js`);
const { View } = await import(`${folder}/questions.js`);
const { picture } = await import(`${folder}/local_picture.js`);
const { acting, actionText, reasons, stopOf, turn } = await import(`${folder}/local_turn.js`);
const facts = JSON.parse(readFileSync(file.replace(/wasm$/, "json"), "utf8"));
const rules = await loadRules(readFileSync(file), facts);
const { plies, seats, asked } = JSON.parse(readFileSync(play, "utf8"));
const { lastBoard } = await import(`${folder}/local_endings.js`);
const { CLEAN, paperAfter, scarsOf } = await import(`${folder}/local_paper.js`);

function shown(state, seat, why, sheet, ended) {
  const end = lastBoard(facts, stopOf(rules, state), ended);
  const part = end ? facts.endings[end.block].part : stopOf(rules, state).part;
  const paper = scarsOf(facts.game.hides ? { ...CLEAN, ended: sheet.ended } : sheet, part, end !== null, rules.kind(state) === "end");
  const view = new View(rules, state, seat);
  const seen = picture(view, stopOf(rules, state), { paper, end, ended, touched: [], last: "", acting: acting(rules, state, seat), playedBy: [], fallen: [], drawing: null });
  const answers = why.filter(([, who]) => who === seat).map(([action, who]) => reasons(rules, state, action, who));
  return { picture: seen, turn: turn(rules, state, seat), reasons: answers };
}

let [state, sheet, ended] = [rules.initial(), CLEAN, []];
for (let i = 0; i <= plies.length; i += 1) {
  const texts = i < plies.length ? actionText(rules, plies[i]) : "";
  for (const seat of seats) console.log(JSON.stringify({ ...shown(state, seat, asked[i], sheet, ended), next: texts }));
  if (i === plies.length) break;
  const seat = rules.kind(state) === "chance" ? null : rules.actors(state)[0];
  const after = rules.act(state, plies[i]);
  const entered = rules.entered();
  ended = rules.ended();
  sheet = paperAfter(rules, sheet, state, { action: plies[i], seat }, entered, ended, after);
  state = after;
}
