// Opponents: searches of several strengths in a worker, or chance.

import { Proof } from "./proof.js";
import { loadRules } from "./rules.js";
import { TreeSearch } from "./tree_search.js";

export const HUMAN = "human";
export const RANDOM = "random";
export const LEARNED = "learned"; // judges positions by a learned value
const LONGEST = 4000; // milliseconds of a search
const QUICK = { plays: 1000, milliseconds: 300 };
const HINT = { plays: Infinity, milliseconds: 1000 };
const PROOF = { proves: true, positions: 150_000, milliseconds: 2000 };

export class Opponents {
  /** `worker`: the text of the worker's script. */
  constructor(code, facts, worker) {
    Object.assign(this, { code, facts, script: worker, asked: new Map(), number: 0, worker: null });
  }

  /** The action that a player of this strength chooses. `plies`: those of the play so far. */
  async choose(strength, plies, legal) {
    if (strength === RANDOM || !canSearch(this.facts) || legal.length === 1) return legal[Math.floor(Math.random() * legal.length)];
    return (await this.#ask(plies, { plays: this.facts.levels[strength], milliseconds: LONGEST, judges: strength === LEARNED })).action;
  }

  /** The best action that a search of one second finds. */
  hint(plies) {
    return this.#ask(plies, { ...HINT, judges: LEARNED in this.facts.levels });
  }

  /** What a quick search says of a position. */
  evaluate(plies) {
    return this.#ask(plies, QUICK);
  }

  /** Who wins a position, if that can be proved: 1 for the first seat, -1 for the second, 0 for a draw; else null. */
  prove(plies) {
    return this.#ask(plies, PROOF);
  }

  /** What a seat is told after each of the plies from a number on, `[action, seat]` each; null without a worker. */
  announced(plies, seat, from) {
    return this.#send({ plies, seat, from });
  }

  #ask(actions, budget) {
    return this.#send({ actions, budget, seed: crypto.getRandomValues(new Int32Array(1))[0] });
  }

  #send(fields) {
    this.number += 1;
    const question = { id: this.number, ...fields };
    this.worker ??= this.#start();
    return this.worker === "none" ? this.#answer(question) : new Promise((done, failed) => {
      this.asked.set(question.id, { done, failed, question });
      this.worker.postMessage(question);
    });
  }

  #start() {
    try {
      const worker = new Worker(URL.createObjectURL(new Blob([this.script], { type: "text/javascript" })));
      worker.onmessage = ({ data: { id, answer, error } }) => {
        const { done, failed } = this.asked.get(id);
        this.asked.delete(id);
        if (error) failed(new Error(error));
        else done(answer);
      };
      worker.onerror = () => this.#withoutWorker();
      worker.onmessageerror = () => this.#withoutWorker();
      worker.postMessage({ code: this.code, facts: this.facts });
      return worker;
    } catch {
      return "none"; // some browsers allow no workers in pages from files
    }
  }

  /** Answers all that was asked in the page itself. */
  #withoutWorker() {
    this.worker = "none";
    for (const { done, failed, question } of this.asked.values()) this.#answer(question).then(done, failed);
    this.asked.clear();
  }

  async #answer({ plies, actions, budget, seed }) {
    if (plies) return null;
    this.rules ??= await loadSearched(this.code, this.facts);
    return searched(this.rules, actions, budget, seed);
  }
}

let Searcher = TreeSearch;

/** Sets the search for games that hide something, which is long and not a part of other pages. */
export function searchWith(Search) {
  Searcher = Search;
}

/** Is there a search that is fair? */
export const canSearch = (facts) => "search" in facts;

/** The rules as a search needs them. */
export function loadSearched(code, facts) {
  const { search } = facts;
  return loadRules(code, facts, search && { actions: search.codes, notes: search.arena });
}

/** The answer of a search, or of a proof, after these plies: actions, and records of drawings. The memory used is free again. */
export function searched(rules, plies, budget, seed) {
  const [begin, drawn] = [rules.used, rules.records?.length];
  try {
    if (!budget.proves) return (rules.search ??= new Searcher(rules)).run(plies, budget, seed);
    return new Proof(rules, plies.reduce((at, ply) => rules.take(at, ply), rules.initial())).run(budget);
  } finally {
    rules.used = begin;
    if (drawn !== undefined) rules.records.length = drawn;
  }
}
