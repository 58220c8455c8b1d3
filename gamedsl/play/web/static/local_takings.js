// The pieces of others that plies have taken from the board. The meaning is that of gamedsl/engine/information/takings.py.

import { moverOf, stopOf } from "./local_turn.js";
import { View } from "./questions.js";

/** What has been taken after a ply: `{variable, slot, taker, count}` each. The last argument: the state after the ply, the
 *  parts that it began, as bits, and those that it ended. */
export function takenAfter(rules, taken, before, ply, { after, entered, ended }) {
  const { looks, endings, game } = rules.facts;
  const begun = (part) => (entered >> part) & 1;
  const partOf = (variable) => looks.findIndex((look) => look.taken.some((one) => one.variable === variable));
  const found = taken.filter(({ variable }) => !begun(partOf(variable))).map((one) => ({ ...one }));
  if (game.hides || ply.seat === null || rules.kind(before) !== "player") return found;
  const stop = stopOf(rules, before);
  const part = looks[stop.part];
  const end = ended.find(({ block }) => endings[block].part === stop.part);
  if (!part.taken.length || (!end && begun(stop.part))) return found;
  const [old, now, first] = [before, end ? end.state : after, rules.initial()].map((state) => new View(rules, state, ply.seat));
  const mover = moverOf(old, stop, ply.seat);
  const { kinds } = rules.facts.turns;
  for (const { variable, named } of part.taken) {
    const asked = part.variables.find(({ index }) => index === variable);
    const owners = part.players.length;
    const own = named && (ply.action === null ? 0 : named[kinds[rules.parts(ply.action).kind].schema] ?? 0); // what the move removes itself
    const changed = named ? Array.from({ length: owners }, (_, slot) => (slot === mover ? 0 : own)) : changes(asked, owners, [old, now, first], mover);
    changed.forEach((change, slot) => {
      const known = found.find((one) => one.variable === variable && one.slot === slot && one.taker === mover);
      if (change > 0 && known) known.count += change;
      else if (change > 0) found.push({ variable, slot, taker: mover, count: change });
      else if (change < 0) giveBack(found, variable, slot, -change);
    });
  }
  return found.filter(({ count }) => count);
}

/** Per owner how many pieces the ply has taken; negative: how many have come back to the board. */
function changes(variable, owners, [old, now, first], mover) {
  const sets = (view) => Array.from({ length: owners }, (_, slot) => view.value(variable.value, { [variable.locals[0]]: slot }));
  const [earlier, later] = [sets(old), sets(now)];
  const counts = later.map((places, slot) => count(now, variable, slot, places) - count(old, variable, slot, earlier[slot]));
  const returning = sets(first).some((places) => places.length);
  return counts.map((change, slot) => {
    if (slot === mover || change >= 0) return returning && change > 0 ? -change : 0;
    const turned = earlier[slot].filter((place) => !later[slot].includes(place) && later[mover].includes(place)).length;
    return Math.max(0, -change - Math.min(Math.max(0, counts[mover]), turned));
  });
}

function count(view, variable, slot, places) {
  if (variable.above === null || variable.above === undefined) return places.length;
  const order = view.data.asked[variable.above].locals;
  const height = (place) => view.value(variable.above, { [variable.locals[0]]: slot, [order.at(-1)]: place }) + 1;
  return places.reduce((sum, place) => sum + height(place), 0);
}

/** Takes pieces of a kind that came back from what has been taken: first of the same owner, then of others. */
function giveBack(found, variable, slot, amount) {
  let left = amount;
  const alike = found.filter((one) => one.variable === variable).sort((a, b) => Number(a.slot !== slot) - Number(b.slot !== slot));
  for (const one of alike) {
    const less = Math.min(left, one.count);
    one.count -= less;
    left -= less;
  }
}
