// The board of a scene as SVG: ground, tints, lines, pieces, and a touchable place for everything that moves can name.

import { along, arcTo, aroundArcs, path, pointBefore } from "./arc.js";
import { barrier } from "./barrier.js";
import { colourOf, paint, seatColour } from "./colours.js";
import { borderTexts, rimNames } from "./rim.js";
import { column, drawGround } from "./ground.js";
import { groundOf, Layout, UNIT } from "./layout.js";
import { keepLegible, READABLE } from "./legible.js";
import { TINTS, disc, piece } from "./pieces.js";
import { reach, spaceNames } from "./space_names.js";
import { at, points, put, svg } from "./svg.js";

const THINGS = ["tint", "mark", "line", "trail", "piece", "over", "edge", "pen"]; // the layers of what another position has not
const SIZED = ["ground", "piece", "grip"]; // the layers whose style depends on the size of the board
const LEAST = 12; // pixels that a cell is wide at least; wider boards scroll
const LARGE = 200; // cells: of a larger board of hexagons only the part in use is shown,
const AROUND = 2; // with so many cells around it
const SPACE_LABEL = 24; // the size of the letters in a space, where there is room
const LEAST_LABEL = 8; // smaller ones are left out: nobody could read them
const LARGEST_NAME = 26; // of a name in a cell, in units of the board
const SMALLER = { hex: 0.92, track: 0.82 }; // pieces where the name stands in the cell
const PIECE = 42; // half of what a piece takes
const [SLABS, HIGHEST_SLAB, ON_STACK] = [34, 12, 0.76]; // the height of what lies below in a stack, at most; of each; the size of the top
const ROUND = 46; // half of the target of a node, or of a pit
const ALONG = 34; // the width of the target of a line
const [FINGER, WIDE] = [46, 90]; // the width of the target of one of few lines: pixels, but no more units of the board
const TIGHT = 70; // units of the board: the target of a narrower space is larger than the space

export const key = (domain, index) => `${domain}:${index}`;

export class Board {
  /** `ground`: keeps its kind from position to position, as pits may become empty. `inUse`: returns the places that moves name; null for
   *  what only lies over another board: then there is neither a ground nor anything to touch. `old`: a board that is not needed any more; its
   *  ground and its places are kept, if they are the same, as a browser takes long to lay them out. */
  constructor(scene, picture, turned, ground, inUse = () => [], old = null) {
    Object.assign(this, { picture, inUse: inUse ?? (() => []), isOver: inUse === null, whole: scene, turned, spoken: new Map() });
    this.ground = ground ?? groundOf(scene, picture);
    this.scene = { ...scene, counts: this.ground === "pits" };
    this.blank = new Set(picture.spots.filter(isBlank).map((spot) => spot.at[1]));
    const kept = old?.keepsFor(this) ? old : null;
    this.layout = kept?.layout ?? new Layout(scene, this.ground, turned, picture.drawing?.strokes ?? [], this.blank, picture.borders.some(({ colour }) => colour));
    this.spots = new Map(picture.spots.map((spot) => [key(...spot.at), spot]));
    this.places = new Map(); // key -> {domain, index, name, middle, group, size, grip, kind}
    this.element = kept ? this.#drawnOver(kept) : this.#drawn();
    if (this.isOver) return;
    this.watched ??= { observer: new ResizeObserver(([{ contentRect }]) => this.watched.board.#measure(contentRect)), size: null };
    this.watched.board = this;
    this.watched.observer.unobserve(this.element); // it tells of the size once more, when what is new has been laid out
    this.watched.observer.observe(this.element);
  }

  /** Has another board the same ground and the same places? */
  keepsFor(other) {
    const isSame = ["whole", "turned", "ground", "isOver"].every((name) => this[name] === other[name]);
    const around = ({ blank, picture }) => JSON.stringify([[...blank], picture.borders]);
    return isSame && !this.isOver && !this.picture.drawing && !other.picture.drawing && around(this) === around(other);
  }

  /** The size of a unit of the board, in pixels. */
  get pixels() {
    return this.element.getScreenCTM()?.a || 1;
  }

  /** Labels are as large as the size of the board asks for. */
  #measure({ width, height }) {
    if (!this.element.isConnected) return;
    this.sized?.();
    this.watched.size = [width, height];
    this.#tellUnits(this.element);
    keepLegible(this.element);
  }

  /** Tells the style how many units of the board a pixel is, so that no label is too small to be read. Of a board that shows another
   *  part than before it is told before a browser lays it out, which it would do twice otherwise. */
  #tellUnits({ classList }) {
    const [, , wide, high] = this.view;
    const [width, height] = this.watched.size;
    const units = Math.max(wide / width, high / height).toPrecision(4);
    if (this.layers.ground.style.getPropertyValue("--units") === units) return;
    for (const name of SIZED) this.layers[name].style.setProperty("--units", units);
    classList.toggle("crowded", READABLE * Number(units) > LARGEST_NAME);
  }

  #drawn() {
    const { layout, scene, picture, blank } = this;
    this.layers = Object.fromEntries(["ground", "tint", "mark", "line", "trail", "piece", "over", "edge", "touch", "grip", "pen"].map((name) => [name, svg("g", { class: `layer-${name}` })]));
    const named = scene.named && scene.place && this.ground !== "drawing";
    if (!this.isOver) this.layers.ground.append(...drawGround(layout, picture, blank), ...(named ? rimNames(scene, layout, blank) : []), ...borderTexts(this));
    this.#drawThings();
    if (!this.isOver) this.#touchable();
    const layers = Object.values(this.layers);
    layers.filter((layer) => layer !== this.layers.touch).forEach((layer) => layer.setAttribute("aria-hidden", "true"));
    return svg("svg", { class: `board-svg on-${this.ground}${scene.inked ? " on-paper" : ""}${named ? " named" : ""}`, ...this.#window(), role: "grid", "aria-label": `board: ${scene.title}` }, ...layers);
  }

  /** The things of this board in place of those of another. */
  #drawnOver({ element, layers, places, watched }) {
    Object.assign(this, { layers, places, watched });
    THINGS.forEach((name) => layers[name].replaceChildren());
    element.removeAttribute("aria-description");
    element.querySelectorAll(".layer-ghost, .layer-notes").forEach((layer) => layer.remove());
    this.#drawThings();
    const { viewBox, style } = this.#window();
    put(element, "viewBox", viewBox);
    const [name, value] = style.split(": ");
    if (element.style.getPropertyValue(name) !== value) element.style.setProperty(name, value);
    if (watched.size) this.#tellUnits(element);
    return element;
  }

  /** The part of the board that the picture shows, and how small it may become. */
  #window() {
    this.view = this.#view();
    return { viewBox: this.view.join(" "), style: `min-width: ${Math.round((this.view[2] / UNIT) * LEAST)}px` };
  }

  /** What stands and lies on the board. */
  #drawThings() {
    const { picture } = this;
    this.owned = new Map(); // spaces of a drawing: the size of their owner's sign
    for (const spot of picture.spots) this.#spot(spot);
    this.layers.piece.append(...spaceNames(this, this.owned));
    for (const line of picture.lines) this.layers[isWithin(line) ? "over" : "line"].append(this.#line(line));
    this.layers.mark.append(...picture.enlarged.map((one) => this.#enlarged(one)));
    this.layers.trail.append(...picture.trails.map((trail) => this.#trail(trail)));
    this.layers.trail.append(...picture.scored.map((one) => this.#scored(one)));
  }

  /** The part of the board that is shown: all of it, or of a very large one what is in use, and never less than before. */
  #view() {
    const { layout, scene } = this;
    const [left0, right0] = this.picture.drawing?.spaces.length ? reach(layout, this.picture) : [0, layout.width];
    const whole = [left0, 0, right0 - left0, layout.height];
    const size = scene.places[scene.place]?.names.length ?? 0;
    if (this.ground !== "hex" || size < LARGE) return aroundArcs(whole, this.#arcs());
    const used = [...[...this.spots.values()].filter((s) => s.glyphs).map((s) => s.at), ...this.inUse()].map(([d, i]) => layout.middle(d, i, this.picture)).filter(Boolean);
    if (!used.length) return whole;
    const [left, top] = [0, 1].map((k) => Math.max(0, Math.min(...used.map((p) => p[k])) - AROUND * UNIT));
    const [right, bottom] = [0, 1].map((k) => Math.min(whole[k + 2], Math.max(...used.map((p) => p[k])) + AROUND * UNIT));
    return [left, top, right - left, bottom - top];
  }

  /** Three points each: the ends, and one between them. */
  #arcs() {
    return this.picture.lines.filter(({ by }) => by).map(({ ends, by }) => [ends[0], by, ends[1]].map((end) => this.#end(end))).filter((all) => all.every(Boolean));
  }

  /** The shape that is tinted, lit and touched for a place. */
  shape(domain, index, attributes) {
    const line = this.layout.line(domain, index);
    if (line) return along(line, { ...attributes, class: `${attributes.class} along` });
    if (domain === "border") return svg("polyline", { points: points(this.#border(index)), ...attributes, class: `${attributes.class} border` });
    const middle = this.layout.middle(domain, index, this.picture);
    if (!middle) return null;
    if (domain === "space") {
      const space = this.picture.drawing.spaces.find((s) => s.index === index);
      return svg("polygon", { points: points(space.outline.map((p) => this.layout.point(p))), ...attributes });
    }
    const whole = attributes.class === "hit" && domain === this.scene.place && ["crossings", "dots"].includes(this.ground); // no pixel between them is left out
    if (domain !== this.scene.place || !whole && ["crossings", "dots", "graph", "pits"].includes(this.ground)) {
      const r = domain !== this.scene.place ? 24 : attributes.class === "hit" || this.ground === "pits" ? ROUND : 44;
      return svg("circle", { cx: middle[0], cy: middle[1], r, ...attributes });
    }
    return svg("polygon", { points: points(this.layout.outline(middle)), ...attributes });
  }

  /** How wide the target of a place is where it is narrowest, in units of the board. */
  #width(domain, index, middle) {
    if (this.layout.line(domain, index) || domain === "border") return ALONG;
    if (domain === "space") return 2 * this.layout.roomAround(middle, this.picture);
    if (domain !== this.scene.place) return 48;
    return ["graph", "pits"].includes(this.ground) ? 2 * ROUND : UNIT;
  }

  #spot(spot) {
    const [domain, index] = spot.at;
    const middle = this.layout.middle(domain, index, this.picture);
    if (!middle || isBlank(spot)) return;
    if (spot.tint !== undefined) this.#tint(spot, domain, index);
    if (spot.threat) this.layers.mark.append(this.shape(domain, index, { class: `threat-${spot.threat}` }));
    if (spot.decides) this.layers.mark.append(this.shape(domain, index, { class: "decides" }));
    if (spot.last) this.layers.mark.append(this.shape(domain, index, { class: "last" }));
    if (spot.stroke) this.#stroke(spot.stroke, domain, index);
    const line = spot.stroke && spot.glyphs?.every((g) => g.piece && g.owner !== null); // the line is the piece
    if (spot.glyphs && !line) this.#glyphs(spot, domain, index, middle);
  }

  #tint(spot, domain, index) {
    const { colour } = this.picture.tints[spot.tint];
    this.layers.tint.append(this.shape(domain, index, { class: `tint tint-${colour || "grey"}` }));
    if (spot.tint % TINTS && !this.layout.line(domain, index)) this.layers.tint.append(this.shape(domain, index, { class: "tint-pattern", fill: `url(#tint-${spot.tint % TINTS})` }));
  }

  #stroke({ style, colour }, domain, index) {
    const line = this.layout.line(domain, index);
    if (line) this.layers.line.append(barrier(path(line), style, colour));
  }

  /** A line between two places; within one it bends towards the middle. */
  #line({ ends, style, colour, by: bend }) {
    const [a, b] = this.#besidePiece(ends);
    if (!a || !b) return "";
    const through = bend && this.#end(bend);
    const kind = style === "light" && !colour && !isWithin({ ends }) ? "joint plain" : "joint"; // plain ones look like lines of the board
    if (through) return barrier(`M${at(a)} ${arcTo(a, through, b)}`, style, colour, kind);
    const by = isWithin({ ends }) && ends.every(({ offset }) => offset) ? `Q${at(this.layout.middle(...ends[0].at, this.picture))} ` : "L";
    return barrier(`M${at(a)} ${by}${at(b)}`, style, colour, kind);
  }

  /** The ends of a line. One that leads from the edge of a place to the piece in its middle ends at the piece, so that its number can be
   *  read. */
  #besidePiece(ends) {
    const found = ends.map((end) => this.#end(end));
    const on = isWithin({ ends }) ? ends.findIndex(({ offset }) => !offset) : -1;
    const glyphs = this.spots.get(key(...ends[0].at))?.glyphs ?? [];
    if (on < 0 || !found[0] || !glyphs.some(({ text, number }) => text || number !== null)) return found;
    return found.with(on, pointBefore(found[on], found[1 - on], PIECE - 4));
  }

  #end({ at: [domain, index], offset }) {
    const middle = this.layout.middle(domain, index, this.picture);
    if (!middle || !offset) return middle;
    return [0, 1].map((k) => middle[k] + (offset[k] / 100 - 0.5) * UNIT * (this.layout.turned ? -1 : 1));
  }

  /** Several glyphs on one place stand beside each other, smaller. */
  #glyphs(spot, domain, index, middle) {
    const all = spot.glyphs.filter((g) => (g.text + (g.number ?? "")).trim());
    const scars = all.filter((g) => g.scar);
    const shown = all.filter((g) => !g.scar);
    scars.forEach((glyph, i) => {
      const [dx, dy] = domain === this.scene.place ? [33, -32] : [0, (1 - scars.length) * 12];
      const corner = at([middle[0] + dx, middle[1] + dy + i * 24]);
      this.layers.edge.append(svg("g", { class: "piece", transform: `translate(${corner}) scale(0.7)` }, piece(glyph, this.scene)));
    });
    if (domain === "space" && shown.length === 1) {
      this.#region(shown[0], index, middle);
      return;
    }
    const lower = this.#slabs(spot, index, domain, middle);
    const held = shown.length === 2 && shown[0].piece && !shown[1].text && shown[1].number !== null ? [withNumber(shown)] : shown;
    const small = domain === this.scene.place || domain === "space" ? 1 : 0.55;
    const fit = this.ground === "drawing" ? Math.min(0.75, this.layout.roomAround(middle, this.picture) / PIECE) : SMALLER[this.ground] ?? 1;
    held.forEach((glyph, i) => {
      const many = held.length > 1;
      const [dx, dy] = many ? [((i % 2) - 0.5) * 46, (Math.floor(i / 2) - (held.length > 2 ? 0.5 : 0)) * 46] : [0, 0];
      const scale = small * fit * (many ? 0.52 : 1) * (lower ? ON_STACK : 1);
      const drawn = this.ground === "points" && glyph.number !== null ? this.#pile(glyph, middle) : small < 1 && !glyph.shape && !glyph.chosen && colourOf(glyph, this.scene.players) ? disc(colourOf(glyph, this.scene.players), `${glyph.text}${glyph.number ?? ""}`.toUpperCase(), glyph.owner) : piece(glyph, lower ? { ...this.scene, stacks: false } : this.scene);
      const place = this.ground === "points" && glyph.number !== null ? "" : `translate(${at([middle[0] + dx, middle[1] + dy - lower])}) scale(${scale})`;
      this.layers[domain === "edge" || domain === "point" ? "edge" : "piece"].append(
        svg("g", { class: spot.stroke ? "piece on-line" : "piece", "data-on": key(domain, index), "data-kind": `${glyph.text}/${glyph.piece}/${glyph.owner}/${glyph.colour}`, transform: place || null }, drawn),
      );
    });
  }

  /** What lies below in a stack, as slabs in the colors of their owners, each second owner's hatched. Returns how far what stands on top
   *  is raised. */
  #slabs({ below = [] }, index, domain, middle) {
    if (!below.length) return 0;
    const high = Math.min(HIGHEST_SLAB, SLABS / below.length);
    const slabs = below.flatMap((glyph, i) => {
      const [, fill, stroke] = paint(colourOf(glyph, this.scene.players) || "grey");
      const size = { x: middle[0] - 34, y: middle[1] + 45 - (i + 1) * high, width: 68, height: high, rx: 3 };
      const hatch = glyph.owner !== null && glyph.owner % 2 ? [svg("rect", { ...size, fill: "url(#hatch)" })] : [];
      return [svg("rect", { ...size, fill, stroke }), ...hatch];
    });
    this.layers.piece.append(svg("g", { class: "slabs", "data-stack": key(domain, index) }, ...slabs));
    return below.length * high - 13;
  }

  /** A space that somebody owns is shaded, each player's in another way, and says whose it is. */
  #region(glyph, index, middle) {
    const word = colourOf(glyph, this.scene.players) || "grey";
    this.layers.tint.append(this.shape("space", index, { class: "owned", fill: paint(word)[1] }));
    if (glyph.owner !== null && glyph.owner % 2) this.layers.tint.append(this.shape("space", index, { class: "hatched", fill: "url(#hatch)" }));
    const text = `${glyph.text}${glyph.number ?? ""}`;
    const size = Math.min(SPACE_LABEL, (1.6 * this.layout.roomAround(middle, this.picture)) / Math.max(1, 0.7 * text.length));
    const style = `font-size: ${size}px; stroke-width: ${size / 4}px`;
    const label = size < LEAST_LABEL ? "" : svg("text", { class: "space-label", x: middle[0], y: middle[1] + size / 3, style }, text);
    this.owned.set(index, label ? size : 0);
    this.layers.piece.append(svg("g", { class: "piece", "data-on": key("space", index) }, label));
  }

  /** Discs that pile up from the edge of the board; more than five are counted. */
  #pile(glyph, middle) {
    const { base, way } = column(this.layout, middle);
    const shown = Math.min(glyph.number, 5);
    const word = this.scene.players[glyph.owner]?.colour || glyph.colour || "grey";
    const discs = Array.from({ length: shown }, (_, i) => {
      const label = i === shown - 1 && glyph.number > 5 ? String(glyph.number) : "";
      return svg("g", { transform: `translate(${middle[0]} ${base + way * (40 + i * 76)})` }, disc(word, label, glyph.owner));
    });
    return svg("g", {}, ...discs);
  }

  /** A sign drawn large over a block of places. */
  #enlarged({ places, glyph }) {
    const middles = places.map(([domain, index]) => this.layout.middle(domain, index, this.picture)).filter(Boolean);
    if (!middles.length) return "";
    const [left, top, right, bottom] = [Math.min, Math.max].flatMap((end) => [0, 1].map((k) => end(...middles.map((p) => p[k]))));
    const scale = (Math.min(right - left, bottom - top) + UNIT) / UNIT;
    return svg("g", { class: "enlarged", transform: `translate(${at([(left + right) / 2, (top + bottom) / 2])}) scale(${scale * 1.15})` }, piece(glyph, this.scene));
  }

  #trail(trail) {
    const middles = trail.cells.map((cell) => this.layout.middle(this.scene.place, cell, this.picture)).filter(Boolean);
    const style = trail.owner === null ? undefined : `stroke: ${paint(seatColour(this.scene.players, trail.owner))[1]}`;
    if (this.#isPair(trail)) return this.#pair(middles, trail, style);
    const kind = `trail trail-${trail.style}`;
    const newest = trail.last ? [svg("polyline", { class: "trail newest", points: points(middles) })] : [];
    const inner = trail.style === "double" ? [svg("polyline", { class: "trail-inner", points: points(middles) })] : [];
    return svg("g", {}, ...newest, svg("polyline", { class: kind, style, points: points(middles) }), ...inner);
  }

  /** A line over two neighbours on which different things stand is one thing with two halves. */
  #isPair(trail) {
    if (trail.cells.length !== 2 || this.ground !== "squares") return false;
    const [a, b] = trail.cells.map((cell) => this.spots.get(key(this.scene.place, cell))?.glyphs?.[0]);
    return Boolean(a && b && a.piece !== b.piece);
  }

  #pair(middles, { last, style: kind }, style) {
    const xs = middles.map((m) => m[0]);
    const ys = middles.map((m) => m[1]);
    const size = { x: Math.min(...xs) - 45, y: Math.min(...ys) - 45, width: Math.max(...xs) - Math.min(...xs) + 90, height: Math.max(...ys) - Math.min(...ys) + 90 };
    const upright = xs[0] === xs[1];
    const [x, y] = [(xs[0] + xs[1]) / 2, (ys[0] + ys[1]) / 2];
    const seam = upright ? `M${x - 45} ${y} h90` : `M${x} ${y - 45} v90`;
    return svg("g", { class: `pair${last ? " newest" : ""}` }, svg("rect", { ...size, rx: 12, class: `by-${kind}`, style }), svg("path", { d: seam }));
  }

  /** The points of a border of a drawing. */
  #border(index) {
    return (this.picture.drawing?.borders[index]?.points ?? []).map((p) => this.layout.point(p));
  }

  /** A quiet line along a border, or through the cells of a line, that counts for a player. */
  #scored({ places, owner }) {
    const along = places.flatMap(([domain, index]) => (domain === "border" ? this.#border(index) : [this.layout.middle(domain, index, this.picture)])).filter(Boolean);
    const style = owner === null ? undefined : `stroke: ${paint(seatColour(this.scene.players, owner))[1]}`;
    return svg("g", { class: "scored" }, svg("polyline", { class: "casing", points: points(along) }), svg("polyline", { style, points: points(along) }));
  }

  /** Lights the places that count for a score, and no others. */
  count(places) {
    this.mark("counts", places);
  }

  /** Marks these places in one way, and no others. */
  mark(name, places) {
    for (const old of this.layers.mark.querySelectorAll(`.${name}`)) old.remove();
    this.layers.mark.append(...places.map(([domain, index]) => this.shape(domain, index, { class: name })).filter(Boolean));
  }

  // ------------------------------------------------------------------------------------------- what is touched

  #touchable() {
    const order = { cell: 0, space: 0, edge: 1, point: 2 };
    const domains = Object.keys(this.scene.places).sort((a, b) => (order[a] ?? 3) - (order[b] ?? 3));
    const rows = new Map();
    for (const domain of domains) {
      const { names } = this.scene.places[domain];
      names.forEach((name, index) => {
        if (domain === this.scene.place && this.blank.has(index)) return;
        const hit = this.shape(domain, index, { class: "hit" });
        if (!hit) return;
        const middle = this.layout.middle(domain, index, this.picture);
        const row = `${domain} ${Math.round(middle[1])}`;
        if (!rows.has(row)) rows.set(row, svg("g", { role: "row" }));
        const id = key(domain, index);
        const group = svg("g", { class: `place on-${domain}`, role: "gridcell", tabindex: "-1", "data-place": id }, hit, ...this.#lit(domain, index));
        rows.get(row).append(group);
        this.places.set(id, { domain, index, name, middle, group, size: this.#width(domain, index, middle) });
      });
    }
    this.layers.touch.append(...rows.values());
    const isNarrow = ({ domain, index, size }) => (domain === "space" ? size < TIGHT : this.layout.line(domain, index));
    this.layers.grip.append(...[...this.places].filter(([, place]) => isNarrow(place)).map(([id, place]) => this.#grip(id, place)));
  }

  /** The target of a narrow space reaches over its outline, as far as a finger or a pointer needs, while something can be done there;
   *  that of a line is wider for a finger while few lines can be touched next. */
  #grip(id, place) {
    place.grip = this.shape(place.domain, place.index, { class: "grip", "data-place": id, style: `--wide: ${place.size}px` });
    place.kind = place.grip.getAttribute("class");
    return place.grip;
  }

  /** How wide the target of a place is for a finger, in pixels. */
  reach(id) {
    const { size, grip } = this.places.get(id);
    const isWide = grip?.classList.contains("alone") && matchMedia("(pointer: coarse)").matches;
    return isWide ? Math.min(FINGER, WIDE * this.pixels) : size * this.pixels;
  }

  /** The light along a line. What can be hit keeps its width, so that the same pixel is the same place at every stage of a choice. */
  #lit(domain, index) {
    return this.layout.line(domain, index) || domain === "border" ? [this.shape(domain, index, { class: "lit" })] : [];
  }

  /** What stands on a place, in words. */
  words(id) {
    return this.spoken.get(id) ?? this.spoken.set(id, this.#words(id)).get(id);
  }

  #words(id) {
    const { domain, name } = this.places.get(id);
    const spot = this.spots.get(id);
    const on = (spot?.glyphs ?? []).map((glyph) => this.said(glyph));
    const below = (spot?.below ?? []).map((glyph) => this.said(glyph)).reverse();
    const tint = spot?.tint === undefined ? "" : this.picture.tints[spot.tint].text;
    const { index } = this.places.get(id);
    const joined = this.picture.lines.flatMap(({ ends, text }) => this.#otherEnds(ends, domain, index).map((other) => `${text || "line"} to ${other}`));
    const barrier = spot?.stroke ? this.#calledStroke(spot.stroke) : "";
    const spoken = domain === "edge" ? `edge ${name}` : domain === "point" ? `point ${name}` : name;
    return [spoken, ...on, below.length ? `on ${below.join(" on ")}` : "", ...joined, barrier, tint, spot?.last ? "last move" : "", spot?.decides ? "decided the game" : "", { at: "threatened", from: "threatens" }[spot?.threat] ?? ""].filter(Boolean).join(", ");
  }

  /** A glyph in words: whose it is, what it is, and its number. */
  said({ owner, piece: kind, text, number }) {
    const whose = owner === null ? "" : this.scene.players[owner]?.name ?? "";
    const isInitial = text.length === 1 && whose.toLowerCase().startsWith(text.toLowerCase());
    return [whose, kind || (isInitial ? "" : text), number ?? ""].filter((word) => word !== "").join(" ");
  }

  /** The names of the places to which a line leads from a place. */
  #otherEnds(ends, domain, index) {
    const [a, b] = ends.map((end) => String(end.at));
    const here = String([domain, index]);
    if (a === b || (a !== here && b !== here)) return [];
    const [kind, number] = ends[a === here ? 1 : 0].at;
    return [this.scene.places[kind]?.names[number] ?? ""];
  }

  #calledStroke({ style, colour }) {
    return this.picture.legend.find((e) => e.stroke && e.sign === style && e.colour === colour)?.text ?? "line";
  }
}

/** A line within one place lies on what stands there; others lie under all pieces. */
const isWithin = ({ ends }) => String(ends[0].at) === String(ends[1].at);

export const isBlank = (spot) => Boolean(spot.glyphs?.length) && spot.glyphs.every((g) => g.text !== "" && !g.text.trim());

const withNumber = ([first, second]) => ({ ...first, text: "", number: second.number, named: true });
