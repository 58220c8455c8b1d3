// Judges drawings; called by test_drawing_rules.py. Reads {facts, cases: [{before, due, strokes}]}, prints a line per case.
// Without strokes, they are made at random by `seed`.

import { readFileSync } from "node:fs";

const [folder, file] = process.argv.slice(2);
const { judged, recordOf, shapesOf } = await import(`${folder}/arrangement.js`);
const { decimal, floats } = await import(`${folder}/exact.js`);
const { randomDrawing } = await import(`${folder}/random_drawing.js`);
const { facts, cases } = JSON.parse(readFileSync(file, "utf8"));

for (const { before, due, strokes: given, seed } of cases) {
  const exact = before.map(([name, points]) => [name, points.map((p) => p.map(decimal))]);
  const strokes = given ?? randomDrawing(facts, exact, due, generator(seed)).map(([name, points]) => [name, points.map(floats)]);
  const { drawing, ...told } = judged(facts, exact, due, strokes, facts.turns.clauses);
  const found = told.done ? { shapes: shapesOf(facts.plan, drawing), record: [...recordOf(facts, drawing)].map(String) } : {};
  console.log(JSON.stringify({ ...told, ...found, ...(given ? {} : { made: strokes }) }));
}

/** Numbers in [0, 1) that depend on the seed alone (mulberry32). */
function generator(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
