// The worker of a page of a game that hides something.

import { InformationSearch } from "./information_search.js";
import { searchWith } from "./opponents.js";
import { serve } from "./search_worker.js";

searchWith(InformationSearch);

export { serve };
