// The page of a game that is one file and hides something. (Other pages need no log, which is long.)

import { LocalLog } from "./local_log.js";
import { openWith } from "./playable.js";

export const open = (element) => openWith(element, LocalLog);
