// The paper of a play: what plies have left on it. The meaning is that of gamedsl/engine/information/paper.py and
// gamedsl/engine/picture/drawn_traces.py.

import { Hidden, View } from "./questions.js";
import { takenAfter } from "./local_takings.js";
import { moverOf, stopOf } from "./local_turn.js";

const TRAIL_STYLES = ["heavy", "double", "light", "dashed"]; // of the lines that players draw, by their numbers
const REFUSAL = -1; // the schema of a rule about refused attempts
export const CLEAN = { left: [], mayRedraw: false, plies: 0, ended: [], closed: [], said: [], taken: [] };

/** The paper after a ply. `ply`: `action` (null for a drawing), `seat` (null: chance), and where something is hidden, the `viewer`,
 *  and the `parts` of the action as far as they are known, null for the others; `entered`: the parts that the ply began (again),
 *  as bits: they have new paper; `ended`: those that it ended. */
export function paperAfter(rules, paper, before, ply, entered, ended, after) {
  const fresh = ply.seat === null ? [] : marksOf(rules, before, ply, paper.plies + 1);
  const lying = [...paper.left, ...fresh];
  const left = lying.filter((mark) => !((entered >> mark.part) & 1));
  const offered = paper.mayRedraw || fresh.some((mark) => mark.untilRedrawn);
  const ofPart = (marks, { block }) => marks.filter((mark) => mark.part === rules.facts.endings[block].part);
  const newly = ended.filter((one) => !paper.ended.includes(one)); // others: by another ply that became known together with this one
  const earlier = paper.closed.map((marks, i) => (ended.includes(paper.ended[i]) ? [...marks, ...ofPart(fresh, paper.ended[i])] : marks));
  const closed = [...earlier, ...newly.map((one) => ofPart(lying, one))];
  return { left, mayRedraw: entered ? left.some((mark) => mark.untilRedrawn) : offered, plies: paper.plies + 1, ended: [...paper.ended, ...newly], closed, said: saidBy(rules, before, ply, after, ended), taken: takenAfter(rules, paper.taken, before, ply, { after, entered, ended }) };
}

/** The texts that are said after a ply: of its kind of move, and of conditions that it has made true, in the part in which it was
 *  made and around it. */
function saidBy(rules, before, ply, after, ended) {
  const { looks, endings } = rules.facts;
  const { part } = stopOf(rules, before);
  const saying = (number) => looks[number].leavings.filter((rule) => rule.said);
  return [...new Set([...new Set([part, 0])].flatMap((number) => {
    const end = ended.find(({ block }) => endings[block].part === number);
    const [view, there] = [before, end ? end.state : after].map((state) => new View(rules, state, viewerOf(ply)));
    return saying(number).flatMap((rule) => {
      if (rule.schema !== null) return ply.seat === null ? [] : marksOf(rules, before, ply, 0, [rule]).map((mark) => mark.text);
      const [earlier, texts] = [view, there].map((one) => seen(one, rule, {}, number, 0).map((mark) => mark.text));
      return texts.filter((text) => !earlier.includes(text));
    });
  }))];
}

/** The paper after a refused attempt. */
export function paperRefused(rules, paper, state, seat) {
  const view = new View(rules, state, seat);
  const { part } = stopOf(rules, state);
  const all = rules.facts.looks[part].leavings.filter((rule) => rule.schema === REFUSAL && holds(view, rule, {}));
  const said = all.filter((rule) => rule.said).map((rule) => view.filled(rule.text, {}));
  const matching = all.filter((rule) => !rule.said);
  if (said.length) paper = { ...paper, said };
  if (!matching.length) return paper;
  const fresh = matching.filter((rule) => rule.text.length).flatMap((rule) => seen(view, rule, {}, part, paper.plies));
  return { ...paper, left: [...paper.left, ...fresh], mayRedraw: true };
}

export function paperRedrawn(paper) {
  return { ...paper, left: paper.left.filter((mark) => !mark.untilRedrawn), mayRedraw: false };
}

/** What is to be drawn of it on the board of a part, or on the last board of an `end`. `isOver`: nobody draws on, and what lay on the
 *  sheets of the parts that have ended is shown again. */
export function scarsOf(paper, part, end = null, isOver = false) {
  const scars = drawn(end ? paper.closed[paper.ended.indexOf(end)] ?? [] : paper.left, part, paper.plies);
  const bubbles = [...new Set([...scars.bubbles, ...paper.said])];
  const past = isOver ? paper.closed.map((marks) => drawn(marks, marks[0]?.part, paper.plies)) : [];
  return { ...scars, bubbles, redraw: paper.mayRedraw && !isOver, ended: paper.ended, gains: paper.gains ?? [], past, taken: paper.taken };
}

/** What is to be drawn of what lies on the sheet of a part. `plies`: how many there have been; the lines of the last one are marked. */
function drawn(lying, part, plies) {
  const [marks, trails, enlarged, bubbles] = [[], [], [], new Set()];
  for (const { text, on, path, ply, part: own, mover, glyph, called } of lying) {
    if (own !== part) continue;
    if (path) trails.push({ cells: on.map(([, i]) => i), last: ply === plies, owner: mover, style: TRAIL_STYLES[(mover ?? 0) % TRAIL_STYLES.length] });
    else if (!on.length && text) bubbles.add(text);
    else if (glyph) enlarged.push({ places: on, glyph, called });
    for (const domain of path || glyph ? [] : new Set(on.map(([name]) => name))) {
      marks.push({ text, domain, elements: on.filter(([name]) => name === domain).map(([, i]) => i) });
    }
  }
  return { marks, trails, enlarged, bubbles: [...bubbles] };
}

/** The paper as a seat knows it after a ply with which it was `told` these, {seat, parts} each. Where it was told of nothing that it
 *  knows in part, its paper stays as it is. */
export function paperTold(rules, paper, viewer, { before, after, entered, ended }, told) {
  const known = told.filter(({ parts }) => parts !== null);
  return known.reduce((papers, { seat, parts }) => paperAfter(rules, papers, before, { action: null, seat, parts, viewer }, entered, ended, after), paper);
}

/** Who looks: who made the ply, where nothing is hidden. */
const viewerOf = (ply) => (ply.viewer === undefined ? ply.seat : ply.viewer);

function marksOf(rules, before, ply, number, chosen = null) {
  const stop = stopOf(rules, before);
  const view = new View(rules, before, viewerOf(ply));
  const { schemas, kinds } = rules.facts.turns;
  const parts = ply.parts ?? (ply.action === null ? null : rules.parts(ply.action));
  const schema = parts === null ? null : kinds[parts.kind].schema;
  return (chosen ?? rules.facts.looks[stop.part].leavings.filter((rule) => !rule.said)).flatMap((rule) => {
    if (rule.schema === REFUSAL || (rule.schema !== null && rule.schema !== schema)) return [];
    const [locals, mover] = [{}, moverOf(view, stop, ply.seat)];
    if (rule.me !== null) locals[rule.me] = mover;
    if (rule.schema !== null) rule.params.forEach((id, i) => { locals[id] = parts.values[i] === null ? null : parts.values[i] + schemas[schema].params[i].from; });
    return seen(view, rule, locals, stop.part, number).map((mark) => ({ ...mark, mover }));
  });
}

/** The marks of a rule; none if they depend on something hidden. */
function seen(view, rule, known, part, ply) {
  try {
    return [...view.bindings(rule.binders, known, false)].filter((locals) => holds(view, rule, locals)).map((locals) => ({
      text: view.filled(rule.text, locals), on: rule.on.flatMap((one) => placesOf(view, one, locals)), path: rule.path, part, untilRedrawn: rule.untilRedrawn, ply,
      glyph: rule.large && rule.large.glyphs[rule.large.local === null ? 0 : locals[rule.large.local]], called: rule.called,
    }));
  } catch (error) {
    if (error instanceof Hidden) return [];
    throw error;
  }
}

function holds(view, rule, locals) {
  try {
    return rule.when === null || view.value(rule.when, locals) !== 0;
  } catch (error) {
    if (error instanceof Hidden) return false;
    throw error;
  }
}

/** The places that an expression denotes: one, those of a set, or none. */
function placesOf(view, { ask, domain }, locals) {
  const value = view.value(ask, locals);
  const { kind } = view.type(ask);
  if (kind === "set") return value.map((i) => [domain, i]);
  if (kind === "optional") return value ? [[domain, value - 1]] : [];
  return [[domain, value]];
}
