// What seats are told of games by the modules of the page; called by test_local_announcements.py. Prints JSON: per game and seat
// the texts after every ply, then the longest time of one ply.
// announcements_check.mjs STATIC_FOLDER GAMES.json      GAMES: {facts, games: [[[action, seat]]], seats: [seat or null]}

import { readFileSync } from "node:fs";

const [folder, file] = process.argv.slice(2);
const { Rules } = await import(`${folder}/rules.js`);
const { LocalLog } = await import(`${folder}/local_log.js`);
const { facts, games, seats } = JSON.parse(readFileSync(file, "utf8"));
const rules = Object.assign(Object.create(Rules.prototype), { facts });

const logs = games.map((plies) => {
  const log = new LocalLog(rules);
  plies.forEach(([action, seat]) => log.add(action, seat));
  return seats.map((seat) => plies.map((_, i) => log.at(i + 1, seat).map((one) => `${one.seat}: ${one.text}`)));
});
console.log(JSON.stringify(logs));
