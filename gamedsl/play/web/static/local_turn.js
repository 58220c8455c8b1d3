// A state -> the `turn` of docs/reference/web.md, and the reasons against a move. The meaning is that of gamedsl/play/web/turn_view.py
// and gamedsl/engine/why_not.py.

import { Hidden, View } from "./questions.js";
import { RulesError } from "./rules.js";

const OUTSIDE = "this move cannot take these values";
const UNTOLD = "the rules forbid it, for a reason that is hidden from you";
const MOST_NAMED = 8;
const FORBIDDEN = "the rules forbid it";

/** What is decided in a state: data of its stop. */
export function stopOf(rules, state) {
  return rules.facts.turns.blocks[rules.block(state)];
}

/** The seats that are to act, as a seat sees it: of simultaneous choices it knows only its own. */
export function acting(rules, state, seat) {
  const found = rules.kind(state) === "end" ? [] : rules.actors(state);
  const { movers, seats } = stopOf(rules, state);
  if (movers === undefined) return found;
  const view = new View(rules, state, seat);
  const all = new Set(view.value(movers).map((mover) => view.value(seats[mover])));
  return [...all].filter((one) => one !== seat || found.includes(one));
}

export function turn(rules, state, seat) {
  const toAct = acting(rules, state, seat);
  const stop = stopOf(rules, state);
  const kind = rules.kind(state);
  const acts = seat !== null && kind !== "end" && rules.actors(state)[0] === seat; // simultaneous choices are made one by one
  return {
    kind,
    to_act: toAct,
    seat,
    kinds: acts ? stop.kinds : [],
    actions: acts && kind !== "drawing" ? legalIn(rules, state).map((action) => row(rules, action)) : [],
    chance: kind === "chance" ? { what: stop.what, outcomes: [] } : null,
    strokes: acts && stop.strokes ? stop.strokes : [],
    outcome: kind === "end" ? outcome(rules, state, stop) : null,
  };
}

const known = new WeakMap(); // state -> its legal actions

/** The legal actions of a state that is shown, which are asked for often. */
export function legalIn(rules, state) {
  return known.get(state) ?? known.set(state, rules.legal(state)).get(state);
}

function row(rules, action) {
  const { kind, values } = rules.parts(action);
  return [action, kind, values, actionText(rules, action)];
}

/** An action in the game's notation. */
export function actionText(rules, action) {
  const { kind, values } = rules.parts(action);
  const { name, written, parameters } = rules.facts.game.kinds[kind];
  if (written.length) return written.map((piece) => (typeof piece === "string" ? piece : parameters[piece].names[values[piece]])).join("");
  return parameters.length ? parameters[0].names[values[0]] : name;
}

function outcome(rules, state, stop) {
  const names = rules.facts.game.players.map((player) => player.name);
  const winners = new View(rules, state, null).value(stop.winners);
  const scores = stop.scored ? rules.scores(state) : [];
  const points = scores.length ? ` (${names.map((name, i) => `${name} ${scores[i]}`).join(", ")})` : "";
  const { reason } = rules.facts.endings[rules.block(state)];
  return { text: `${wins(winners.map((i) => names[i]), names)}${points}${reason}`, winners, returns: rules.returns(state), scores };
}

function wins(won, names) {
  if (!won.length) return names.length > 1 ? "a draw" : "nobody wins";
  if (won.length === 1) return `${won[0]} wins`;
  return `${won.slice(0, -1).join(", ")} and ${won[won.length - 1]} win`;
}

// ------------------------------------------------------------------------------------------------------ why not

/** Why none of these actions can be done by a seat that is to act; empty if one can. What is chosen of their reasons: see
 *  `describe_reasons` in gamedsl/play/web/position_data.py. */
export function reasons(rules, state, actions, seat) {
  const legal = legalIn(rules, state);
  const found = actions.map((action) => (legal.includes(action) ? [] : against(rules, state, action, seat)));
  if (!found.length || !found.every((list) => list.length)) return [];
  const text = (one) => JSON.stringify(one);
  const texts = found.map((list) => list.map(text));
  const shared = found[0].filter((one) => texts.every((list) => list.includes(text(one))));
  if (shared.length) return shared;
  const every = texts.flat();
  const distinct = [...new Map(found.flat().map((one) => [text(one), one])).values()];
  const ahead = distinct.filter((one) => one.ahead);
  if (ahead.length) return ahead;
  const count = (one) => every.filter((other) => other === text(one)).length;
  return [distinct.reduce((best, one) => (count(one) > count(best) ? one : best))];
}

/** The reasons against one action. */
function against(rules, state, action, seat) {
  const stop = stopOf(rules, state);
  const { kind, values } = rules.parts(action);
  if (!stop.kinds.includes(kind)) return [reason(rules, { message: notNow(rules, stop), rule: stop.rule })];
  const { schema } = rules.facts.turns.kinds[kind];
  if (schema === null) return [reason(rules, { message: notChosen(rules, state, action) })];
  const found = byRules(rules, state, stop, schema, values, seat);
  if (found.length) return found;
  if (rules.facts.turns.schemas[schema].mistake) return [];
  return [reason(rules, { message: rules.facts.game.hides ? UNTOLD : FORBIDDEN })];
}

function notChosen(rules, state, action) {
  const possible = legalIn(rules, state).map((one) => actionText(rules, one));
  return `${actionText(rules, action)} cannot be chosen here; possible: ${possible.slice(0, MOST_NAMED).join(", ")}${possible.length > MOST_NAMED ? ", ..." : ""}`;
}

function notNow(rules, stop) {
  const names = new Set(stop.kinds.map((kind) => rules.facts.game.kinds[kind].words.name.slice(1, -1)));
  return `this kind of move cannot be made now; possible: ${[...names].join(", ")}`;
}

function reason(rules, { message, clauses = [], rule = "" }, ahead = false) {
  return { message, clauses: clauses.map((number) => ({ number, text: rules.facts.turns.clauses[number] ?? "" })), rule, ahead };
}

/** The guards that fail; if none does, those that look ahead; if none does, the rules against what would be true afterwards. */
function byRules(rules, state, stop, number, values, seat) {
  const schema = rules.facts.turns.schemas[number];
  const view = new View(rules, state, seat);
  const locals = { [schema.me]: moverOf(view, stop, seat) };
  schema.params.forEach(({ local, from }, i) => { locals[local] = values[i] + from; });
  const failing = (guards) => guards.filter((guard) => holds(view, guard.ask, locals) === false);
  const told = (guards, ahead) => guards.map((guard) => reason(rules, guard, ahead));
  const early = told(failing(schema.guards.filter((guard) => !guard.ahead)), false);
  if (holds(view, schema.allowed, locals) === false) early.push(reason(rules, { message: OUTSIDE, clauses: schema.clauses, rule: schema.rule }));
  if (early.length) return early;
  const ahead = told(failing(schema.guards.filter((guard) => guard.ahead)), true);
  if (ahead.length) return ahead;
  const { forbids } = stop.alternatives.find((one) => one.schema === number);
  return told(forbids.filter((guard) => holds(view, guard.ask, locals) === true), true);
}

/** A seat's number among the players of the part. */
export function moverOf(view, stop, seat) {
  if (stop.mover !== undefined) return view.value(stop.mover);
  return stop.seats.findIndex((number) => view.value(number) === seat);
}

/** null where it can't be told: an earlier rule fails, or something is hidden. */
function holds(view, number, locals) {
  try {
    return view.value(number, locals) !== 0;
  } catch (error) {
    if (error instanceof Hidden || error instanceof RulesError) return null;
    throw error;
  }
}
