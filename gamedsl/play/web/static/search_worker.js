// Searches in a worker: gets `{code, facts}` once, then `{id, actions, budget, seed}`, the plies of the play so far (noted
// positions are in the memory of a module, so a state of another can't be sent), or a question about what a seat is told,
// `{id, plies, seat, from}`. Answers `{id, answer}` or `{id, error}`.

import { loadSearched, searched } from "./opponents.js";

export const serve = () => serveWith(null);

/** `announced`: answers what a seat is told, where the rules hide something. */
export function serveWith(announced) {
  let rules = null;
  onmessage = async ({ data }) => {
    if (data.code) {
      rules = loadSearched(data.code, data.facts);
      return;
    }
    const { id, actions, budget, seed } = data;
    try {
      postMessage({ id, answer: data.plies ? announced(await rules, data) : searched(await rules, actions, budget, seed) });
    } catch (error) {
      postMessage({ id, error: String(error.message) });
    }
  };
}
