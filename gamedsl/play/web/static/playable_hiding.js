// The page of a game that is one file and hides something. (Other pages need neither log nor search, which are long.)

import { InformationSearch } from "./information_search.js";
import { LocalLog } from "./local_log.js";
import { searchWith } from "./opponents.js";
import { openWith } from "./playable.js";

export function open(element) {
  searchWith(InformationSearch);
  return openWith(element, LocalLog);
}
