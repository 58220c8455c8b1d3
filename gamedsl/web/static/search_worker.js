// Searches in a worker: gets `{code, facts}` once, then `{id, actions, budget, seed}`, the actions of the play so far (noted
// positions are in the memory of a module, so a state of another can't be sent). Answers `{id, answer}` or `{id, error}`.

import { loadRules } from "./rules.js";
import { Search } from "./search.js";

let rules = null;

onmessage = async ({ data }) => {
  if (data.code) {
    rules = loadRules(data.code, data.facts);
    return;
  }
  const { id, actions, budget, seed } = data;
  try {
    const game = await rules;
    const begin = game.used;
    const search = new Search(game, actions.reduce((state, action) => game.act(state, action), game.initial()), seed);
    const answer = search.run(budget);
    game.used = begin;
    postMessage({ id, answer });
  } catch (error) {
    postMessage({ id, error: String(error.message) });
  }
};
