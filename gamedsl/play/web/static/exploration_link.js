// A link to a page that ends with an exploration.

import { packed, unpacked } from "./exploration.js";

const MARK = "#explore=";

export const isLink = (hash) => hash.startsWith(MARK);

/** The address of a page, without what follows a #, with an exploration. */
export const linkTo = async (address, text) => `${address}${MARK}${await packed(text)}`;

/** Opens the exploration at the end of the address of this page, if there is one, and says what differs or why it cannot be opened. */
export async function followLink(page, table) {
  addEventListener("hashchange", () => { if (isLink(location.hash)) location.reload(); });
  if (!isLink(location.hash)) return;
  const letters = location.hash.slice(MARK.length);
  try {
    const answer = await table.openLink(letters, await unpacked(letters));
    if (!answer.ok) page.refuse(answer.reasons, "This link cannot be opened.");
    else if (answer.say) page.speech.answer("Exploration", answer.say);
  } catch (error) {
    page.refuse([{ message: error.message, clauses: [] }]);
  }
}
