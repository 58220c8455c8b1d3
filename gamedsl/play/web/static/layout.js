// Where the places of a scene lie on the page, in units of the SVG; the board may be turned by half a turn.

import { round } from "./svg.js";

export const UNIT = 100; // of a cell
const SHEET = 8; // of a unit of a drawing's sheet
const MARGIN = 42; // so that eight cells of 44 pixels fit on a screen of 390
const SIDES = 20; // more, where colored sides lie between the cells and the names of rows and columns
const MANY = 12; // cells side by side: of a larger board the names at the rim are larger than its cells on a phone
const WIDE_MARGIN = 78;
export const TALL = 4.4; // the height of a point of a track on which pieces pile up, in cells

/** What kind of ground lies under the pieces; one drawer of `ground.js` each. */
export function groundOf(scene, picture) {
  if (scene.kind === "hex" && scene.cells !== "squares") return "graph"; // points of a triangular net, joined by lines
  if (scene.kind === "drawing" || scene.kind === "hex" || scene.kind === "graph" || scene.kind === "none") return scene.kind;
  if (scene.kind === "track") return scene.stacks ? "points" : "track";
  if (scene.cells !== "squares") return scene.cells;
  return hasPits(scene, picture) ? "pits" : "squares";
}

/** Pits: up to two rows in which things are only counted. */
function hasPits(scene, picture) {
  const rows = new Set(scene.places[scene.place].at.map(([, y]) => y)).size;
  const glyphs = picture.spots.flatMap((spot) => spot.glyphs ?? []);
  return rows <= 2 && glyphs.length > 0 && glyphs.every((g) => g.text === "" && g.number !== null);
}

export class Layout {
  /** `blank`: numbers of cells that the look leaves out; `sided`: some sides of the board are colored. */
  constructor(scene, ground, turned, drawing, blank = new Set(), sided = false) {
    this.scene = scene;
    this.ground = ground;
    this.turned = turned && ground !== "drawing";
    this.beside = sided && scene.kind === "grid" ? SIDES : 0; // room for the sides between the cells and their names
    this.scale = ground === "drawing" ? SHEET : UNIT;
    this.stretch = ground === "points" ? TALL : 1;
    this.box = this.#bounds(drawing, blank);
  }

  #bounds(drawing, blank) {
    if (this.ground === "drawing") {
      const spots = drawing.flatMap((stroke) => stroke.points);
      const most = (k) => Math.max(100, ...spots.map((p) => p[k]));
      const least = (k) => Math.min(0, ...spots.map((p) => p[k]));
      return { left: least(0), top: least(1), right: most(0), bottom: most(1) };
    }
    const nodes = this.scene.place ? this.scene.places[this.scene.place].at.filter((_, index) => !blank.has(index)) : [[0.5, 0.5]];
    const spots = [...nodes, ...this.scene.links.map(([, , bend]) => bend).filter(Boolean)];
    const halfHigh = this.ground === "hex" ? 0.58 : 0.5;
    const xs = spots.map((p) => p[0]);
    const ys = spots.map((p) => p[1]);
    return {
      left: Math.min(...xs) - 0.5,
      right: Math.max(...xs) + 0.5,
      top: Math.min(...ys) - halfHigh,
      bottom: Math.max(...ys) + halfHigh,
    };
  }

  get rim() {
    if (this.ground === "drawing") return 16;
    return (this.box.right - this.box.left > MANY ? WIDE_MARGIN : MARGIN) + this.beside;
  }

  get width() {
    return round((this.box.right - this.box.left) * this.scale + 2 * this.rim);
  }

  get height() {
    return round((this.box.bottom - this.box.top) * this.scale * this.stretch + 2 * this.rim);
  }

  /** A point of the board on the page. */
  point([x, y]) {
    const right = this.turned ? this.box.right - x : x - this.box.left;
    const down = this.turned ? this.box.bottom - y : y - this.box.top;
    return [round(right * this.scale + this.rim), round(down * this.scale * this.stretch + this.rim)];
  }

  /** The inverse of `point`. */
  onBoard([x, y]) {
    const right = (x - this.rim) / this.scale;
    const down = (y - this.rim) / this.scale / this.stretch;
    return this.turned ? [this.box.right - right, this.box.bottom - down] : [this.box.left + right, this.box.top + down];
  }

  /** The middle of a place; null for one that is not drawn. */
  middle(domain, index, picture) {
    if (this.ground === "drawing") {
      const space = picture.drawing?.spaces.find((s) => s.index === index);
      return domain === "space" && space ? this.point(space.at) : null;
    }
    const found = this.scene.places[domain]?.at[index];
    return found ? this.point(found) : null;
  }

  /** How far a space of a drawing extends around its middle, up to the nearest stroke; no less than 0. */
  roomAround(middle, picture) {
    const strokes = picture.drawing?.strokes ?? [];
    return Math.min(...strokes.flatMap(({ points }) => points.slice(1).map((to, i) => distance(middle, this.point(points[i]), this.point(to)))));
  }

  /** The two ends of an edge, and of an arc the point in its middle. */
  line(domain, index) {
    const found = this.scene.places[domain]?.lines[index];
    return found ? [0, 2, 4].filter((k) => k < found.length).map((k) => this.point([found[k], found[k + 1]])) : null;
  }

  /** The same for the lines of the board. */
  get links() {
    const { place, places, links } = this.scene;
    return links.map(([a, b, ...bend]) => [places[place].at[a], places[place].at[b], ...bend].map((spot) => this.point(spot)));
  }

  /** The corners of a cell. */
  outline(middle) {
    const [x, y] = middle;
    if (this.ground === "hex") {
      const radius = UNIT / Math.sqrt(3);
      return [0, 1, 2, 3, 4, 5].map((k) => [x + radius * Math.sin((k * Math.PI) / 3), y + radius * Math.cos((k * Math.PI) / 3)]);
    }
    const half = UNIT / 2;
    const high = half * this.stretch;
    return [[x - half, y - high], [x + half, y - high], [x + half, y + high], [x - half, y + high]];
  }
}

/** The distance of a point from a segment. */
function distance([x, y], [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const along = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - ax - along * dx, y - ay - along * dy);
}
