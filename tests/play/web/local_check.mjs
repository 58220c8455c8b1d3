// Shows a play by compiled rules; called by test_local_picture.py. Prints JSON, a line per position and seat.
// What moves leave on the paper is shown, too.
// local_check.mjs STATIC_FOLDER FILE.wasm PLAY.json      PLAY: {plies: [action or {drawing: number}], seats: [seat or null], asked: [[action, seat]],
// told: per ply and seat what became known, [seat, text, {kind, values} with null for what is unknown] each,
// back: whether the play is looked back on from its end}

import { readFileSync } from "node:fs";

const [folder, file, play] = process.argv.slice(2);
const { loadRules } = await import(`${folder}/rules.js`);
const { View, toldAt } = await import(`${folder}/questions.js`);
const { picture } = await import(`${folder}/local_picture.js`);
const { acting, actionText, reasons, stopOf, turn } = await import(`${folder}/local_turn.js`);
const facts = JSON.parse(readFileSync(file.replace(/wasm$/, "json"), "utf8"));
const rules = await loadRules(readFileSync(file), facts);
const { plies, seats, asked, told, back } = JSON.parse(readFileSync(play, "utf8"));
const { lastBoard } = await import(`${folder}/local_endings.js`);
const { CLEAN, paperAfter, paperTold, scarsOf } = await import(`${folder}/local_paper.js`);

const { gainsAfter } = await import(`${folder}/local_scores.js`);

function shown(state, seat, why, sheet, ended, gains) {
  const end = lastBoard(facts, stopOf(rules, state), ended);
  const part = end ? facts.endings[end.block].part : stopOf(rules, state).part;
  const paper = scarsOf({ ...sheet, gains }, part, end, rules.kind(state) === "end");
  const over = back ? last : state;
  const view = new View(rules, state, seat, facts.game.hides && rules.kind(over) === "end" ? toldAt(rules, over) : null);
  const seen = picture(view, stopOf(rules, state), { paper, end, ended, touched: [], last: "", acting: acting(rules, state, seat), playedBy: [], fallen: [], shapes });
  const answers = why.filter(([, who]) => who === seat).map(([action, who]) => reasons(rules, state, [action], who));
  const all = why.filter(([, who]) => who === seat).map(([action]) => action);
  return { picture: seen, turn: turn(rules, state, seat), reasons: answers, shared: all.length ? reasons(rules, state, all, seat) : [] };
}

const last = plies.reduce((at, ply) => (typeof ply === "number" ? rules.act(at, ply) : rules.takeDrawing(at, ply.drawing)), rules.initial());
const shapes = (state) => (rules.drawing(state) < 0 ? null : facts.drawings[rules.drawing(state)].shapes);

let [state, sheets, ended, gains] = [rules.initial(), seats.map(() => CLEAN), [], seats.map(() => [])];
for (let i = 0; i <= plies.length; i += 1) {
  const texts = i < plies.length && typeof plies[i] === "number" ? actionText(rules, plies[i]) : "";
  seats.forEach((seat, k) => console.log(JSON.stringify({ ...shown(state, seat, asked[i], sheets[k], ended, gains[k]), next: texts })));
  if (i === plies.length) break;
  const seat = rules.kind(state) === "chance" ? null : rules.actors(state)[0];
  const isDrawing = typeof plies[i] !== "number";
  const after = isDrawing ? rules.takeDrawing(state, plies[i].drawing) : rules.act(state, plies[i]);
  const entered = rules.entered();
  ended = rules.ended();
  const known = told[i].map((row) => row.map(([who, text, parts]) => ({ seat: who, text, parts })));
  const all = [...sheets[0].ended, ...ended];
  const open = facts.game.hides ? null : paperAfter(rules, sheets[0], state, { action: isDrawing ? null : plies[i], seat }, entered, ended, after);
  sheets = sheets.map((sheet, k) => open ?? { ...paperTold(rules, sheet, seats[k], { before: state, after, entered, ended }, known[k]), ended: all });
  const step = { before: state, after, entered, ended: all, newly: ended.length };
  gains = gains.map((before, k) => gainsAfter(rules, seats[k], before, { ...step, told: known[k] }));
  state = after;
}
