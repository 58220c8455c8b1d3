// A state as one seat may see it -> the `picture` of docs/reference/web.md. The meaning is that of gamedsl/engine/picture and
// gamedsl/play/web/pictures.py.

import { showPieces, tellVariables } from "./local_defaults.js";
import { LookResult, look } from "./local_looks.js";
import { endsTold, markDecided, markThreats } from "./local_endings.js";
import { markStacks } from "./local_stacks.js";
import { heldThings } from "./local_things.js";
import { View, shown } from "./questions.js";

/** `paper`: what lies on the sheet (`marks`, `trails`, `bubbles`, `redraw`, `gains`, `past`). `last`: places that the last move touched, and how
 *  it is told. `acting`: the seats that are to act. `playedBy`: texts per seat. `shapes`: a state -> what is drawn of a board that is
 *  drawn, or null. */
export function picture(view, stop, { paper, end, ended, touched, last, acting, playedBy, fallen, shapes }) {
  const { game, looks, endings } = view.rules.facts;
  const [active, whole] = [looks[stop.part], looks[0]];
  const part = end ? looks[endings[end.block].part] : looks[active.shows];
  const board = end ? new View(view.rules, end.state, view.seat) : view;
  const drawing = shapes(board.state);
  const result = lookAt(board, part, end ? endings[end.block].unset : stop.unset, paper.gains, drawing);
  if (!active.hasLook) tellVariables(view, active, stop.unset, result, active === part ? part.place : "");
  const others = [...new Set([active, whole])].filter((other) => other !== part);
  for (const other of others) look(view, other, stop.unset, result, {}, true);
  const over = endsTold(view, ended, paper.ended, stop, end);
  result.asides.push(...over.map((label) => ({ label, values: [], owner: "" })));
  if (!end && active === part) markThreats(view, stop, result);
  const decider = end ?? ended.find(({ block }) => endings[block].part === 0);
  return {
    ...boardPicture(view, part, result, paper, decider, touched, drawing),
    subtitle: active.subtitle,
    phase: stop.phase.replaceAll("_", " ").trim(),
    seats: seats(view, active, game, acting, playedBy),
    beside: result.asides.map(({ owner, ...line }) => ({ ...line, seat: index(game.players.map((p) => p.name), owner) })),
    bubbles: paper.bubbles,
    fallen,
    last,
    ...(end && view.rules.kind(view.state) !== "end" ? { over } : {}),
    ...takenPieces(part, paper.taken),
    redraw: paper.redraw,
    held: [...heldThings(board, part, end ? endings[end.block].unset : stop.unset), ...others.flatMap((other) => heldThings(view, other, stop.unset))],
    past: view.rules.kind(view.state) === "end" ? pastBoards(view, paper, end, shapes) : [],
  };
}

/** The board of a part, and nothing beside it but the legend. */
function boardPicture(view, part, result, paper, decider, touched, drawing) {
  const decided = markDecided(view, decider, part, result);
  for (const { text, domain, elements } of paper.marks) {
    for (const index of elements) result.addGlyph(domain, index, { text, number: null, colour: "", piece: "", owner: "", scar: true, shape: "" });
  }
  result.legend.push(...scarEntries(part, paper), ...enlargedEntries(part, paper.enlarged), ...trailEntries(part, paper.trails));
  for (const [domain, index] of touched) if (domain in part.places) result.spot(domain, index).last = true;
  return {
    spots: [...result.spots.values()].sort(byPlace).map((spot) => spotData(spot, part.players)),
    tints: result.tints,
    lines: result.lines,
    trails: [...paper.trails, ...decided],
    enlarged: paper.enlarged.map(({ places, glyph }) => ({ places, glyph })),
    scored: [...new Map(result.scored.map((one) => [JSON.stringify(one), one])).values()],
    borders: result.borders,
    legend: result.legend.map((entry) => ({ ...entry, owner: entry.owner ? index(part.players, entry.owner) : null })),
    drawing: part.kind === "drawing" ? drawing ?? { strokes: [], spaces: [], borders: [] } : null,
  };
}

/** The last boards of the parts that have ended, except the one that is `shown`. */
function pastBoards(view, paper, shownEnd, shapes) {
  const { endings, looks, game } = view.rules.facts;
  return paper.ended.flatMap((end, i) => {
    const { part: number, unset } = endings[end.block];
    const part = looks[number];
    if (end === shownEnd || !number || part.kind === "none") return [];
    const last = new View(view.rules, end.state, view.seat);
    const result = lookAt(last, part, unset, [], shapes(end.state));
    const board = boardPicture(last, part, result, paper.past[i], end, [], shapes(end.state));
    const [caption] = endsTold(view, [end], paper.ended, null, null);
    const bare = { subtitle: "", phase: "", seats: seats(last, part, game, [], []), beside: [], bubbles: [], fallen: [], last: "", redraw: false, held: [], past: [] };
    return [{ scene: part.scene, caption, picture: { ...board, ...bare } }];
  });
}

/** What the look of a part shows of a position, or its pieces, where it has none. */
function lookAt(view, part, unset, gains, drawing) {
  const result = new LookResult(gains, drawing);
  look(view, part, unset, result, part.places);
  if (!part.marks.some((mark) => mark.kind === "show")) showPieces(view, part, result, part.places);
  markStacks(view, part, unset, result);
  return result;
}

/** The pieces that players have taken on the board of a part. */
function takenPieces(part, taken) {
  const found = taken.flatMap(({ variable, slot, taker, count }) => {
    const signs = part.taken.find((one) => one.variable === variable)?.signs;
    return signs ? [{ by: taker, glyph: signs[slot], count }] : [];
  });
  return found.length ? { taken: found } : {};
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

function spotData({ at, glyphs, tint, stroke, last, decides, threat, below }, players) {
  const found = { at };
  if (glyphs.length) found.glyphs = glyphs.map((glyph) => ({ ...glyph, owner: glyph.owner ? index(players, glyph.owner) : meant(glyph, players) }));
  if (tint !== undefined) found.tint = tint;
  if (stroke) found.stroke = stroke;
  if (last) found.last = true;
  if (decides) found.decides = true;
  if (threat) found.threat = threat;
  if (below) found.below = below;
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
