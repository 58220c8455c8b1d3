// The worker of a page of a game that hides something: it also finds out what seats are told, which can take long.

import { InformationSearch } from "./information_search.js";
import { LocalLog } from "./local_log.js";
import { searchWith } from "./opponents.js";
import { serveWith } from "./search_worker.js";

searchWith(InformationSearch);

let log = null;
let added = [];

/** What a seat is told after each of the plies from a number on. `plies`: [action, seat] each. */
function announced(rules, { plies, seat, from }) {
  if (log === null || added.some((ply, i) => String(ply) !== String(plies[i]))) [log, added] = [new LocalLog(rules), []];
  for (const [action, who] of plies.slice(added.length)) log.add(action, who);
  added = plies;
  return plies.slice(from - 1).map((_, i) => log.announced(from + i, seat));
}

export const serve = () => serveWith(announced);
