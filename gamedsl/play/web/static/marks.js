// The marks that players have chosen, in place of the signs of the look: only in what people see. The meaning is that of
// gamedsl/engine/picture/marks.py; what can be a mark, that of mark_rules.py.

const VISIBLE = /^[\p{L}\p{N}\p{P}\p{S}]$/u;
const spaced = (name) => name.replaceAll("_", " ").trim();

/** What stands in place of what in an update of a table. */
export class Marks {
  constructor(game, { position, marks }) {
    this.pastMarks = (past) => new Marks(game, { position: past, marks }); // of a board before
    const scene = game.scenes.find(({ part }) => part === position.scene);
    this.part = scene.part;
    this.signs = game.marks?.parts.find(({ part }) => part === scene.part)?.signs ?? [];
    this.players = scene.players.map(({ name }, i) => (this.signs[i] && marks?.[seatOf(scene, position.picture.seats, name, i)]) || "");
    const own = scene.players.map(({ name }, i) => [name, this.players[i]]).filter(([name, mark], i) => mark && this.signs[i] === spaced(name));
    this.names = new Map(own.flatMap(([name, mark]) => [[name, mark], [spaced(name), mark]]));
    this.marksByName = new Map(scene.players.map(({ name }, i) => [spaced(name), this.players[i]]));
    const words = [...this.names.keys()].map((name) => `(?<![\\p{L}\\p{N}_])${escaped(name)}(?![\\p{L}\\p{N}_])`);
    this.pattern = words.length ? new RegExp(words.join("|"), "gu") : null;
  }

  /** A text with marks in place of names. */
  shown(text) {
    return this.pattern && text ? text.replaceAll(this.pattern, (name) => this.names.get(name)) : text;
  }

  /** The game with marks in place of names. */
  game(game) {
    if (!this.pattern) return game;
    const named = (players) => players.map((player) => ({ ...player, name: this.shown(player.name) }));
    const kinds = game.kinds.map((kind) => ({ ...kind, parameters: kind.parameters.map((one) => ({ ...one, names: one.names.map((name) => this.names.get(name) ?? name) })) }));
    return { ...game, players: named(game.players), kinds, scenes: game.scenes.map((scene) => (scene.part === this.part ? { ...scene, players: named(scene.players) } : scene)) };
  }

  /** The update with marks in place of signs and names. In a part of a match, earlier moves keep their names: the roles may have
   *  been others. */
  update(update) {
    if (!this.players.some(Boolean)) return update;
    const { picture, turn } = update.position;
    const outcome = turn.outcome && { ...turn.outcome, text: this.shown(turn.outcome.text) };
    const actions = turn.actions.map(([number, kind, values, text]) => [number, kind, values, this.shown(text)]);
    const nodes = this.part ? update.tree.nodes : update.tree.nodes.map((node) => ({ ...node, text: this.shown(node.text) }));
    return {
      ...update,
      position: { ...update.position, picture: this.#picture(picture), turn: { ...turn, actions, outcome } },
      tree: { ...update.tree, nodes },
      notice: this.shown(update.notice),
    };
  }

  #picture(picture) {
    const all = (texts) => texts.map((text) => this.shown(text));
    return {
      ...picture,
      seats: picture.seats.map((seat) => ({ ...seat, name: this.shown(seat.name), roles: all(seat.roles), mark: this.#markOf(seat) })),
      spots: picture.spots.map((spot) => ({ ...spot, ...Object.fromEntries(["glyphs", "below"].filter((kind) => spot[kind]).map((kind) => [kind, spot[kind].map((glyph) => this.#glyph(glyph))])) })),
      enlarged: picture.enlarged.map((one) => ({ ...one, glyph: this.#glyph(one.glyph) })),
      tints: picture.tints.map((tint) => ({ ...tint, text: this.shown(tint.text) })),
      lines: picture.lines.map((line) => ({ ...line, text: this.shown(line.text) })),
      beside: picture.beside.map((line) => ({ ...line, label: this.shown(line.label), values: all(line.values), ...(line.because ? { because: this.shown(line.because) } : {}) })),
      bubbles: all(picture.bubbles),
      ...(picture.over ? { over: all(picture.over) } : {}),
      legend: picture.legend.map((entry) => this.#entry(entry)),
      fallen: picture.fallen.map(({ what, values }) => ({ what: this.shown(what), values: all(values) })),
      last: this.shown(picture.last),
      past: picture.past.map((one) => this.pastMarks(one).#past(one)),
    };
  }

  /** A past board: its players had these roles there. */
  #past({ scene, caption, picture }) {
    return { scene, caption: this.shown(caption), picture: this.#picture(picture) };
  }

  /** The mark of a seat in the part that is shown; empty where it has none. */
  #markOf({ name, roles }) {
    return this.marksByName.get(spaced(name)) ?? roles.map((role) => this.marksByName.get(spaced(role))).find(Boolean) ?? "";
  }

  #glyph(glyph) {
    const mark = glyph.owner === null ? "" : this.players[glyph.owner];
    return mark && glyph.text === this.signs[glyph.owner] ? { ...glyph, text: mark, chosen: true } : glyph;
  }

  #entry(entry) {
    const [mark, sign] = entry.owner === null || entry.stroke ? [] : [this.players[entry.owner], this.signs[entry.owner]];
    const own = mark && (entry.sign === sign ? mark : entry.sign === `${sign}1, ${sign}2 ..` ? `${mark}1, ${mark}2 ..` : "");
    return { ...entry, ...(own ? { sign: own, chosen: true } : {}), text: this.shown(entry.text), group: this.shown(entry.group) };
  }
}

/** The seat that plays for a player of a part. */
function seatOf(scene, seats, name, player) {
  return scene.part === 0 ? player : seats.findIndex((seat) => seat.roles.includes(name) || seat.name === name);
}

const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

// ----------------------------------------------------------------------------------------------- what can be a mark

/** A mark as it is kept. */
export const composed = (text) => text.trim().normalize("NFC");

/** Why seats cannot have these marks (empty: the sign of the look), or null. `rules`: `marks` of the game. */
export function faultOfMarks(rules, marks) {
  const taken = marks.filter(Boolean);
  const wrong = taken.map((mark) => faultOfSign(rules, mark)).find(Boolean);
  if (wrong) return wrong;
  const classes = new Map(rules.classes.flatMap((row) => [...row].map((char) => [char, row[0]])));
  const alike = (a, b) => forms(classes, a).some((form) => forms(classes, b).includes(form));
  for (const [i, mark] of taken.entries()) {
    const other = taken.slice(0, i).find((one) => alike(one, mark));
    if (other) return `\`${other}\` and \`${mark}\` look alike`;
  }
  return rules.parts.map((part) => clash(part, marks, alike)).find(Boolean) ?? null;
}

function faultOfSign({ refused }, mark) {
  const { length } = [...mark];
  if (length !== 1) return `a mark is one character, and \`${mark.slice(0, 8)}\` is ${length}`;
  const code = mark.codePointAt(0);
  if (VISIBLE.test(mark) && code <= 0xffff && !refused.some(([first, last]) => first <= code && code <= last)) return null;
  return `\`${mark}\` cannot be a mark: a mark is a visible character, one column wide, and not one that boards are drawn with`;
}

function forms(classes, text) {
  const bare = text.normalize("NFKD").replaceAll(/\p{M}/gu, "") || text;
  return [bare, bare.toUpperCase(), bare.toLowerCase()].map((form) => [...form].map((char) => classes.get(char) ?? char).join(""));
}

/** Why a mark looks like something else on a part's board. */
function clash({ part, signs, fixed, paper }, marks, alike) {
  for (const [seat, mark] of marks.entries()) {
    if (!mark) continue;
    const isShown = (role) => (part === 0 ? role !== seat && !marks[role] : marks.some((one, other) => other !== seat && !one));
    const same = [...signs.filter((sign, role) => sign && isShown(role)), ...fixed].find((sign) => alike(mark, sign));
    if (same) return `\`${mark}\` looks like \`${same}\`, which is on the board too`;
    if (paper && (mark === "+" || /\p{N}/u.test(mark))) return `\`${mark}\` cannot be a mark: it looks like something that the drawing shows`;
  }
  return null;
}
