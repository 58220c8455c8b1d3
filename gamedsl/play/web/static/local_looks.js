// The look rules of a part, worked out for what one seat may know. The meaning is that of gamedsl/engine/picture/looks.py.

import { explained } from "./local_scores.js";
import { shown } from "./questions.js";

/** The results so far: spots by place, and what stands around the board. */
export class LookResult {
  /** `gains`: what plies added to scores; `drawing`: of the board that is shown, or null. */
  constructor(gains = [], drawing = null) {
    Object.assign(this, { spots: new Map(), tints: [], asides: [], legend: [], borders: [], lines: [], scored: [], gains, drawing });
    this.known = new Set(); // entries of the legend, and lines, as texts
  }

  spot(domain, index) {
    const key = `${domain}:${index}`;
    if (!this.spots.has(key)) this.spots.set(key, { at: [domain, index], glyphs: [] });
    return this.spots.get(key);
  }

  explain(entry) {
    if (entry && this.#isNew(entry)) this.legend.push(entry);
  }

  /** Adds a line, unless it is there already, from either end. */
  join(line) {
    const [source, target] = line.ends;
    if (!this.known.has(JSON.stringify({ ...line, ends: [target, source] })) && this.#isNew(line)) this.lines.push(line);
  }

  #isNew(one) {
    const { size } = this.known;
    return this.known.add(JSON.stringify(one)).size > size;
  }

  addGlyph(domain, index, glyph) {
    const { glyphs } = this.spot(domain, index);
    const isAlike = (one) => signOf(one) === signOf(glyph) && one.colour === glyph.colour && one.scar === glyph.scar;
    if (!glyphs.some(isAlike)) glyphs.push(glyph);
  }

  tint(text, colour) {
    const found = this.tints.findIndex((one) => one.text === text && one.colour === colour);
    return found >= 0 ? found : this.tints.push({ text, colour }) - 1;
  }
}

const signOf = (glyph) => `${glyph.text}${glyph.number ?? ""}`;
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Adds what the rules of a part show. `unset`: the variables without a value. `places`: the domains that are drawn.
 *  `besideOnly`: of a part whose board is not shown. */
export function look(view, part, unset, result, places, besideOnly = false) {
  for (const mark of part.marks) {
    if (mark.reads.some((variable) => unset.includes(variable)) || (besideOnly && mark.kind !== "beside")) continue;
    result.explain(mark.entry);
    const before = result.borders.length;
    for (const locals of view.bindings(mark.binders)) shown(() => show(view, mark, locals, result, part, places));
    const side = result.borders.slice(before).flatMap((border) => border.cells);
    for (const border of result.borders.slice(before)) border.side = side;
  }
}

function show(view, mark, locals, result, part, places) {
  if (mark.kind === "beside") {
    const { because, places: counting, scored } = explained(view, mark, locals, result.gains, { part, places, drawing: result.drawing });
    result.asides.push({ ...aside(view, mark, locals), ...(because ? { because, places: counting } : {}), ...(mark.held ? { held: true } : {}) });
    result.scored.push(...scored);
    return;
  }
  if (mark.kind === "line") {
    drawLine(view, mark, locals, result, places);
    return;
  }
  const members = view.value(mark.what, locals);
  const text = view.filled(mark.text, locals);
  if (members.length) result.explain(entryOf(view, mark, locals));
  if (mark.kind === "border") {
    result.borders.push({ cells: members, side: [], text, colour: mark.colour });
    return;
  }
  const number = mark.number === null ? null : view.value(mark.number, locals);
  if (!(mark.on in places)) {
    const label = `${text}${number ?? ""}` || mark.style || mark.colour;
    if (members.length) result.asides.push({ label: `${label}:`, values: namesOn(view, mark, members), owner: "" });
    return;
  }
  const [owner, piece] = mark.kind === "show" && members.length ? whose(view, mark, locals, part) : [];
  for (const index of members) markSpot(view, result, index, mark, { text, number, locals, owner, piece });
}

function namesOn(view, mark, members) {
  const { names } = view.data.domains[view.type(mark.what).domain];
  return members.map((i) => names[i]);
}

function markSpot(view, result, index, mark, { text, number, locals, owner, piece }) {
  const spot = result.spot(mark.on, index);
  if (mark.kind === "show") {
    result.addGlyph(mark.on, index, { text, number, colour: mark.colour, piece, owner, scar: false, shape: mark.shape });
  } else if (mark.kind === "stroke") {
    spot.stroke = { style: mark.style || "light", colour: mark.colour };
  } else {
    spot.tint = result.tint(tintText(view, mark, locals), mark.colour);
  }
}

/** A line, unless an end is on no place of the board that is drawn. */
function drawLine(view, mark, locals, result, places) {
  const [source, target, ...bend] = mark.ends.map(({ ask, domain, offset }) => ({ at: [domain, view.value(ask, locals)], offset: offset && offset.map((number) => view.value(number, locals)) }));
  const entry = entryOf(view, mark, locals);
  result.explain(entry);
  const line = { ends: [source, target], style: mark.style || "light", colour: mark.colour, text: entry ? entry.text : "", ...(bend.length ? { by: bend[0] } : {}) };
  if ([source, target, ...bend].every(({ at }) => at[0] in places)) result.join(line);
}

const alike = new WeakMap(); // a rule -> those that show the same sign

function showingAlike(mark, part) {
  return alike.get(mark) ?? alike.set(mark, part.marks.filter((m) => m.kind === "show" && m.colour === mark.colour && same(m.text, mark.text))).get(mark);
}

/** Whose piece a rule shows, and which: as another rule says that shows the same sign; else the player that it is about. */
function whose(view, mark, locals, part) {
  for (const one of [mark, ...showingAlike(mark, part)]) {
    const found = ownerOf(view, one, one === mark ? locals : null);
    if (found) return found;
  }
  const about = mark.about.map(({ local, type }) => view.said(type, locals[local]));
  return about.length === 1 ? [about[0], ""] : ["", ""];
}

/** Whose pieces a rule shows, and which, if it is one kind of one player (or of nobody); else null. */
function ownerOf(view, mark, locals) {
  if (mark.owner === null) return null;
  const found = new Map();
  for (const { owner, piece } of mark.owner) {
    const name = named(view, owner, locals);
    if (name === null) return null;
    found.set(`${name}\n${piece}`, [name, piece]);
  }
  return found.size === 1 ? [...found.values()][0] : null;
}

function named(view, owner, locals) {
  if (owner === null || typeof owner === "string") return owner;
  return locals && owner.local in locals ? view.said(owner.type, locals[owner.local]) : null;
}

function tintText(view, mark, locals) {
  return mark.called === null ? mark.tint : view.filled(mark.called, locals);
}

/** The line of the legend for a rule. */
function entryOf(view, mark, locals) {
  if (!["show", "stroke", "line", "border"].includes(mark.kind)) return null;
  const drawn = mark.kind === "stroke" || mark.kind === "line";
  let sign = drawn ? mark.style || "light" : view.filled(mark.text, locals);
  if (mark.number !== null && sign) sign = `${sign}1, ${sign}2 ..`;
  const owner = ownerOf(view, mark, locals);
  const whose = mark.kind === "show" ? owner ?? ["", ""] : ["", ""];
  if (mark.called !== null) return entry(mark, sign, view.filled(mark.called, locals), "", whose);
  if (mark.kind === "line" || mark.kind === "border") return null;
  const [group, text] = owner ?? ["", tintText(view, mark, locals)];
  if ([group, text].some((word) => word.toLowerCase() === sign.toLowerCase())) return null;
  return entry(mark, sign, text, group, whose);
}

function entry(mark, sign, text, group, [owner, piece]) {
  if (!text || !sign.trim()) return null;
  return { sign, text, colour: mark.colour, group, stroke: mark.kind === "stroke" || mark.kind === "line", shape: mark.kind === "border" ? "letter" : mark.shape, piece, owner };
}

function aside(view, mark, locals) {
  const label = view.filled(mark.text, locals);
  const told = mark.tells.map(({ local, type }) => view.said(type, locals[local]));
  const owner = told.length === 1 ? told[0] : "";
  if (mark.what === null) return { label, values: [], owner };
  return { label, values: view.listed(view.type(mark.what), view.value(mark.what, locals)), owner };
}
