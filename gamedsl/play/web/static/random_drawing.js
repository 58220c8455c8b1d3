// Strokes at random, for players who do not draw by hand. Candidates keep more room between things than the checks ask for;
// then every stroke is judged as one that a person draws. The meaning is that of gamedsl/language/boards/drawing/random_drawing.py.

import { decimal, floats } from "./exact.js";
import { bounds, steps } from "./float_plane.js";
import { snappedPaths } from "./paths.js";
import { randomCurve } from "./random_curve.js";
import { randomLine, randomOutline } from "./random_strokes.js";
import { countSpaces } from "./spaces.js";
import { strokeFaults } from "./stroke_faults.js";

const ROUNDS = 25; // fresh starts
const TRIES = 40; // for one stroke
const [FEWEST, MOST] = [12, 40]; // spaces that a finished drawing is meant to have, if its plan allows them
const SIDE = 100; // of the sheet that is drawn on
const MOST_PLACES = 7; // decimals of a corner

/** The strokes that are due, after those `before` (pairs of name and exact points). `random`: numbers in [0, 1). Throws where
 *  none are found. */
export function randomDrawing({ plan, messages }, before, due, random) {
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = attempt(plan, messages, before, due, random);
    if (found) return found.slice(before.length);
  }
  throw new Error(`no drawing was found in ${ROUNDS} attempts`);
}

function attempt(plan, messages, before, due, random) {
  let drawn = before;
  for (const name of due) {
    const points = stroke(plan, messages, drawn, name, random);
    if (!points) return null;
    drawn = [...drawn, [name, points]];
  }
  return drawn;
}

function stroke(plan, messages, drawn, name, random) {
  const sheet = new Sheet(plan, drawn, name);
  const isGood = (points) => points.length > 0 && !strokeFaults(plan, messages, drawn, name, points).length;
  if (sheet.stroke.shape === "open curve") return openCurve(sheet, drawn, isGood, random);
  for (let i = 0; i < TRIES; i += 1) {
    const points = sheet.stroke.shape === "closed curve" ? randomOutline(sheet, random) : randomLine(sheet, random);
    if (isGood(points)) return points;
  }
  return null;
}

/** The best of some curves for a number of spaces that is chosen first. */
function openCurve(sheet, drawn, isGood, random) {
  const before = countSpaces(sheet.paths);
  const [least, most] = meantSpaces(sheet.plan, drawn, sheet.stroke.name, before);
  const wanted = least + Math.floor(random() * (most - least + 1));
  let best = null;
  for (let i = 0; i < TRIES && !(best && best.off <= i - 1); i += 1) {
    const { points, crossed } = randomCurve(sheet, Math.max(0, wanted - before - 1), random);
    const count = before + 1 + crossed;
    const off = Math.abs(count - wanted) + (count < least || count > most ? MOST : 0);
    if (points.length && (best === null || off < best.off) && isGood(points)) best = { off, points };
  }
  return best?.points ?? null;
}

/** The intended number of spaces after a stroke: the range of finished drawings, or less if others follow. */
function meantSpaces(plan, drawn, name, before) {
  const most = Math.max(Math.min(MOST, plan.limit), before + 1);
  const done = new Set([...drawn.map(([one]) => one), name]);
  if (plan.strokes.every((one) => done.has(one.name))) return [Math.min(Math.max(FEWEST, before + 1), most), most];
  return [Math.min(before + 1, most), Math.max(before + 1, Math.floor(most / 2))];
}

/** The sheet, for sampling: earlier strokes in floating point. */
class Sheet {
  constructor(plan, drawn, name) {
    this.plan = plan;
    this.stroke = plan.strokes.find((one) => one.name === name);
    this.paths = snappedPaths(plan, drawn);
    const whole = [[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE], [0, 0]];
    const figure = this.paths.get(this.stroke.across)?.map(floats) ?? whole;
    this.outline = steps(figure);
    this.bounds = bounds(figure);
    this.size = Math.max(this.bounds.right - this.bounds.left, this.bounds.high - this.bounds.low);
    this.places = Math.min(Math.max(3 - Math.ceil(Math.log10(this.size)), 0), MOST_PLACES);
    this.lines = new Map([...this.paths].filter(([one]) => one !== this.stroke.across).map(([one, path]) => [one, path.map(floats)]));
    this.side = SIDE;
    this.isEmpty = this.paths.size === 0;
  }

  get isAcross() {
    return this.stroke.across !== "";
  }

  /** The earlier strokes that a condition of this kind relates to this one, in either direction. */
  named(kind) {
    const own = this.stroke.conditions.filter((c) => c.kind === kind).flatMap((c) => c.names);
    const others = this.plan.strokes.filter((s) => s.conditions.some((c) => c.kind === kind && c.names.includes(this.stroke.name)));
    const names = new Set([...own, ...others.map((s) => s.name)]);
    return [...this.lines].filter(([name]) => names.has(name)).map(([, path]) => path);
  }

  /** The decimal point nearest to a place. Ends on an outline have more digits: the checks move them onto it. */
  exact(place, isEnd = false) {
    const digits = this.places + (isEnd ? 2 : 0);
    return place.map((value) => decimal(Number(value.toFixed(digits))));
  }
}
