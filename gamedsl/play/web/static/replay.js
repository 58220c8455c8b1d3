// The page of a play that is over: what its single file begins with.

import { mount } from "./page.js";
import { recordedTable } from "./recorded_table.js";

export { mount, recordedTable };
