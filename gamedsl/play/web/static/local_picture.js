// A state as one seat may see it -> the `picture` of docs/reference/web.md. The meaning is that of gamedsl/engine/picture and
// gamedsl/play/web/pictures.py.

import { showPieces, tellVariables } from "./local_defaults.js";
import { LookResult, look } from "./local_looks.js";
import { endsTold, markDecided } from "./local_endings.js";
import { View, shown } from "./questions.js";

/** `paper`: what lies on the sheet (`marks`, `trails`, `bubbles`, `redraw`, `gains`). `last`: places that the last move touched, and how
 *  it is told. `acting`: the seats that are to act. `playedBy`: texts per seat. `drawing`: of a board that is drawn, or null. */
export function picture(view, stop, { paper, end, ended, touched, last, acting, playedBy, fallen, drawing }) {
  const { game, looks } = view.rules.facts;
  const [active, whole] = [looks[stop.part], looks[0]];
  const ending = end ? view.rules.facts.endings[end.block] : null;
  const part = ending ? looks[ending.part] : looks[active.shows];
  const board = end ? new View(view.rules, end.state, view.seat) : view;
  const result = looked(new LookResult(paper.gains, drawing), view, board, ending ? ending.unset : stop.unset, stop.unset, active, part, whole);
  result.asides.push(...endsTold(view, ended, paper.ended, stop, end).map((label) => ({ label, values: [], owner: "" })));
  const decided = markDecided(view, end ?? ended.find(({ block }) => view.rules.facts.endings[block].part === 0), part, result);
  for (const { text, domain, elements } of paper.marks) {
    for (const index of elements) result.addGlyph(domain, index, { text, number: null, colour: "", piece: "", owner: "", scar: true, shape: "" });
  }
  result.legend.push(...scarEntries(part, paper), ...enlargedEntries(part, paper.enlarged), ...trailEntries(part, paper.trails));
  for (const [domain, index] of touched) if (domain in part.places) result.spot(domain, index).last = true;
  return {
    subtitle: active.subtitle,
    phase: stop.phase.replaceAll("_", " ").trim(),
    seats: seats(view, active, game, acting, playedBy),
    spots: [...result.spots.values()].sort(byPlace).map((spot) => spotData(spot, part.players)),
    tints: result.tints,
    lines: result.lines,
    trails: [...paper.trails, ...decided],
    enlarged: paper.enlarged.map(({ places, glyph }) => ({ places, glyph })),
    scored: [...new Map(result.scored.map((one) => [JSON.stringify(one), one])).values()],
    borders: result.borders,
    beside: result.asides.map(({ owner, ...line }) => ({ ...line, seat: index(game.players.map((p) => p.name), owner) })),
    bubbles: paper.bubbles,
    legend: result.legend.map((entry) => ({ ...entry, owner: entry.owner ? index(part.players, entry.owner) : null })),
    fallen,
    last,
    redraw: paper.redraw,
    drawing: part.kind === "drawing" ? drawing ?? { strokes: [], spaces: [], borders: [] } : null,
  };
}

/** `board`: what is known of the position whose board is shown, in which the variables of `unsetThere` have no value. */
function looked(result, view, board, unsetThere, unset, active, part, whole) {
  look(board, part, unsetThere, result, part.places);
  if (!part.marks.some((mark) => mark.kind === "show")) showPieces(board, part, result, part.places);
  if (!active.hasLook) tellVariables(view, active, unset, result, active === part ? part.place : "");
  for (const other of new Set([active, whole])) if (other !== part) look(view, other, unset, result, {}, true);
  return result;
}

function scarEntries(part, paper) {
  const entries = [];
  for (const text of new Set(paper.marks.map((mark) => mark.text))) {
    const rule = part.leavings.find((one) => !one.path && one.text.length === 1 && one.text[0] === text);
    if (rule?.called) entries.push({ sign: text, text: rule.called, colour: "", group: "", stroke: false, shape: "", piece: "", owner: "" });
  }
  return entries;
}

/** What the signs are that are drawn large. */
function enlargedEntries(part, enlarged) {
  const found = new Map(enlarged.filter(({ called }) => called).map(({ glyph, called }) => [`${called} ${glyph.owner} ${glyph.piece}`, { glyph, called }]));
  return [...found.values()].map(({ glyph, called }) => (
    { sign: glyph.text, text: called, colour: glyph.colour, group: "", stroke: false, shape: glyph.shape, piece: glyph.piece, owner: glyph.owner === null ? "" : part.players[glyph.owner] }));
}

/** Whose the lines are that players have drawn. */
function trailEntries(part, trails) {
  const owners = new Map(trails.filter(({ owner }) => owner !== null).map(({ owner, style }) => [owner, style]));
  return [...owners].sort(([a], [b]) => a - b).map(([owner, style]) => ({
    sign: style, text: `drawn by ${part.players[owner].replaceAll("_", " ").trim()}`, colour: part.colours[owner], group: "", stroke: true, shape: "", piece: "", owner: "",
  }));
}

function seats(view, part, game, acting, playedBy) {
  const roles = game.players.map(() => []);
  part.roles.forEach((number, i) => {
    const seat = shown(() => view.value(number));
    if (seat !== undefined) roles[seat].push(part.players[i]);
  });
  return game.players.map(({ name }, i) => ({ name, played_by: playedBy[i] ?? "", roles: roles[i].filter((role) => role !== name), acts: acting.includes(i) }));
}

const byPlace = (a, b) => (a.at[0] < b.at[0] ? -1 : a.at[0] > b.at[0] ? 1 : a.at[1] - b.at[1]);

function spotData({ at, glyphs, tint, stroke, last, decides }, players) {
  const found = { at };
  if (glyphs.length) found.glyphs = glyphs.map((glyph) => ({ ...glyph, owner: glyph.owner ? index(players, glyph.owner) : meant(glyph, players) }));
  if (tint !== undefined) found.tint = tint;
  if (stroke) found.stroke = stroke;
  if (last) found.last = true;
  if (decides) found.decides = true;
  return found;
}

function index(names, name) {
  const spaced = (text) => text.replaceAll("_", " ");
  const found = names.findIndex((one) => spaced(one) === spaced(name));
  return found >= 0 ? found : null;
}

/** Whose sign a text is: the name of a player, or the first letters of one player's name alone. */
function meant(glyph, players) {
  const sign = glyph.text.toLowerCase();
  const found = players.map((_, i) => i).filter((i) => sign && players[i].toLowerCase().startsWith(sign));
  return found.length === 1 && !glyph.scar ? found[0] : null;
}
