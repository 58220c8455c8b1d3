// A shape that is chosen and not laid yet: it is turned and flipped, and lies with its middle square where it is touched. Which ways it
// can lie follows from the places of the moves alone. Nothing here depends on the page.

const NEAR = 6; // units of the board by which the same offset may differ

export class Turning {
  /** `ways`: one for each form of the shape in which some move lays it. `step`: the angle of a turn. `flips`: some form is the mirror image
   *  of another, and not the same turned. */
  constructor(ways, step, at = 0) {
    Object.assign(this, { ways, step, at });
  }

  get turns() {
    return this.turned() !== this;
  }

  get flips() {
    return this.flipped() !== this;
  }

  /** Another way the shape can lie: the next one that some move has, clockwise or `back`; itself where there is none. */
  turned(back = false) {
    for (let angle = this.step; angle < 360; angle += this.step) {
      const found = this.#find(rotated(this.offsets, back ? -angle : angle));
      if (found !== null && found !== this.at) return new Turning(this.ways, this.step, found);
    }
    return this;
  }

  /** Its mirror image, turned if no move has it as it is. */
  flipped() {
    const mirrored = this.offsets.map(([x, y]) => [-x, y]);
    const own = angles(this.step).map((angle) => this.#find(rotated(this.offsets, angle)));
    for (const angle of angles(this.step)) {
      const found = this.#find(rotated(mirrored, angle));
      if (found !== null && !own.includes(found)) return new Turning(this.ways, this.step, found);
    }
    return this;
  }

  get offsets() {
    return this.ways[this.at].offsets;
  }

  /** The moves that lay the shape so. Each is made by touching any place for which no other one has its middle nearer. */
  get options() {
    const { laid } = this.ways[this.at];
    const nearest = new Map();
    for (const one of laid) {
      one.middles.forEach((middle, i) => {
        const far = distance(middle, one.anchor);
        const place = one.option.groups[0][i];
        if (!nearest.has(place) || far < nearest.get(place).far) nearest.set(place, { far, option: one.option });
      });
    }
    return laid.map(({ option }) => ({ ...option, groups: [option.groups[0].filter((place) => nearest.get(place).option === option)] }));
  }

  #find(offsets) {
    const wanted = normal(offsets);
    const found = this.ways.findIndex((way) => alike(way.offsets, wanted));
    return found < 0 ? null : found;
  }
}

/** The turning of moves that lay one shape; null if they do not, or if it is a single place. `middleOf`: a place -> where it lies; `step`: the
 *  degrees of a turn; `like`: points of the form that is met first, if some move has it, as the shape lies in a tray. */
export function turningOf(options, middleOf, step, like = []) {
  const ways = [];
  let images = null; // of the form that comes first
  for (const option of options) {
    if (option.groups.length !== 1 || option.groups[0].length < 2) return null;
    const middles = option.groups[0].map(middleOf);
    if (!middles.every(Boolean)) return null;
    const offsets = normal(middles);
    images ??= imagesOf(offsets, step);
    if (!images.some((image) => alike(image, offsets))) return null;
    const way = ways.find((one) => alike(one.offsets, offsets)) ?? ways[ways.push({ offsets, laid: [] }) - 1];
    way.laid.push({ option, middles, anchor: anchorOf(middles) });
  }
  if (!ways.length) return null;
  const at = like.length ? ways.findIndex(({ offsets }) => alike(offsets, normal(like))) : 0;
  return new Turning(ways, step, Math.max(0, at));
}

/** A form and its mirror image, in every turn. */
const imagesOf = (form, step) => [form, form.map(([x, y]) => [-x, y])].flatMap((one) => angles(step).map((angle) => normal(rotated(one, angle))));

const angles = (step) => Array.from({ length: Math.round(360 / step) }, (_, i) => i * step);
const distance = ([a, b], [c, d]) => Math.hypot(a - c, b - d);
const least = (points, k) => Math.min(...points.map((point) => point[k]));

function rotated(points, degrees) {
  const angle = (degrees * Math.PI) / 180;
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  return points.map(([x, y]) => [x * cos - y * sin, x * sin + y * cos]);
}

/** Points as seen from the upper left corner around them. */
function normal(points) {
  const [left, top] = [least(points, 0), least(points, 1)];
  return points.map(([x, y]) => [x - left, y - top]);
}

const alike = (a, b) => a.length === b.length && a.every((point) => b.some((other) => distance(point, other) < NEAR));

/** The place nearest to the middle of all. */
function anchorOf(middles) {
  const center = [0, 1].map((k) => middles.reduce((sum, point) => sum + point[k], 0) / middles.length);
  return [...middles].sort((a, b) => distance(a, center) - distance(b, center))[0];
}
