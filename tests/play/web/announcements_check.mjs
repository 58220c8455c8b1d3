// What seats are told of games by the modules of the page; called by test_local_announcements.py. Prints JSON: per game and seat
// the texts after every ply.
// announcements_check.mjs STATIC_FOLDER GAMES.json      GAMES: {facts, games: [[[action, seat]]], seats: [seat or null],
// held: per game the conditions that held at its end, as bits; null: it is not over}

import { readFileSync } from "node:fs";

const [folder, file] = process.argv.slice(2);
const { Rules } = await import(`${folder}/rules.js`);
const { LocalLog } = await import(`${folder}/local_log.js`);
const { facts, games, seats, held } = JSON.parse(readFileSync(file, "utf8"));
const rules = Object.assign(Object.create(Rules.prototype), { facts });

const logs = games.map((plies, k) => {
  const log = new LocalLog(rules);
  plies.forEach(([action, seat]) => log.add(action, seat));
  return seats.map((seat) => plies.map((_, i) => (held[k] === null ? log.at(i + 1, seat) : log.afterEnd(i + 1, seat, held[k])).map((one) => `${one.seat}: ${one.text}`)));
});
console.log(JSON.stringify(logs));
