// A drawing as the rules see it: strokes judged, and the record of a finished drawing in the memory of the rules.

import { decimal, floats, roundedPoint } from "./exact.js";
import { ontoOutline, snappedPaths } from "./paths.js";
import { subdivide } from "./spaces.js";
import { contact, strokeFaults } from "./stroke_faults.js";

/** Judges strokes that are due: `strokes`, `done` as in docs/reference/web.md, and `drawing`, the good ones after those before. */
export function judged({ plan, messages }, before, due, drawn, clauses) {
  let good = before;
  const strokes = [];
  for (const [i, name] of due.entries()) {
    if (i >= drawn.length) break;
    const exact = drawn[i][1].map(([x, y]) => [decimal(x), decimal(y)]);
    const points = ontoOutline(plan.strokes.find((one) => one.name === name), exact, snappedPaths(plan, good));
    const faults = strokeFaults(plan, messages, good, name, points);
    strokes.push({ name, points: points.map((p) => floats(roundedPoint(p))), faults: faults.map((fault) => told(fault, clauses)) });
    if (faults.length) break;
    good = [...good, [name, points]];
  }
  return { strokes, done: good.length === before.length + due.length, drawing: good };
}

const told = (fault, clauses) => ({ ...fault, clauses: fault.clauses.map((number) => ({ number, text: clauses[number] ?? "" })) });

/** The spaces and borders of a drawing; none until all strokes are drawn. */
function arranged(plan, drawing) {
  const names = drawing.map(([name]) => name);
  const complete = plan.strokes.every((stroke) => names.includes(stroke.name));
  const paths = snappedPaths(plan, drawing);
  const { spaces, borders } = complete ? subdivide(paths) : { spaces: [], borders: [] };
  const neighbors = spaces.map((_, i) => [...new Set(borders.filter((b) => b.spaces.includes(i)).flatMap((b) => b.spaces))].filter((s) => s !== i).sort((a, b) => a - b));
  return { paths, complete, spaces, borders, neighbors };
}

/** The shapes of a drawing, as `drawing` of a picture. */
export function shapesOf(plan, drawing) {
  const { spaces, borders, neighbors } = arranged(plan, drawing);
  const short = (points) => points.map((p) => floats(p).map((value) => Math.round(value * 1000) / 1000));
  const isClosed = (name) => plan.strokes.find((one) => one.name === name).shape === "closed curve";
  return {
    strokes: drawing.map(([name, points]) => ({ name, closed: isClosed(name), points: short(points) })),
    spaces: spaces.map(({ inner, outline }, index) => ({ index, at: short([inner])[0], outline: short(outline), near: neighbors[index] })),
    borders: borders.map(({ spaces: sides, path }) => ({ spaces: sides, points: short(path) })),
  };
}

/** The words of a drawing's record. `columns`: what the rules read (see gamedsl/compiler/emit/drawing_records.py). */
export function recordOf({ plan, columns, words }, drawing) {
  const found = arranged(plan, drawing);
  const record = new BigInt64Array(words);
  for (const { relation, offset, size, width } of columns) {
    for (let i = 0; i < size; i += 1) {
      const value = relationOf(plan, found, relation, i);
      for (let k = 0; k < width; k += 1) record[offset + i * width + k] = BigInt.asIntN(64, value >> BigInt(64 * k));
    }
  }
  return record;
}

const bits = (members) => members.reduce((all, i) => all | (1n << BigInt(i)), 0n);

function relationOf(plan, { paths, complete, spaces, borders, neighbors }, relation, i) {
  switch (relation) {
    case "spaces": return (1n << BigInt(spaces.length)) - 1n;
    case "borders": return (1n << BigInt(borders.length)) - 1n;
    case "sides": return i < borders.length ? bits(borders[i].spaces) : 0n;
    case "neighbors": return i < spaces.length ? bits(neighbors[i]) : 0n;
    default: return complete ? crossings(plan, paths, plan.strokes[i]?.name) : 0n;
  }
}

/** How often a stroke crosses straight strokes, counted with multiplicity. */
function crossings(plan, paths, name) {
  const straight = plan.strokes.filter((s) => s.shape === "straight line" && s.name !== name && paths.has(s.name));
  return paths.has(name) ? BigInt(straight.reduce((sum, s) => sum + contact(paths.get(name), paths.get(s.name)).crossings.length, 0)) : 0n;
}
