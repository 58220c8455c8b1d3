// Judges drawings; called by test_drawing_rules.py. Reads {facts, cases: [{before, due, strokes}]}, prints a line per case.
// Without strokes, they are made at random by `seed`.

import { readFileSync } from "node:fs";

const [folder, file] = process.argv.slice(2);
const { judged, recordOf, shapesOf } = await import(`${folder}/arrangement.js`);
const { decimal, floats } = await import(`${folder}/exact.js`);
const { randomDrawing } = await import(`${folder}/random_drawing.js`);
const { generator } = await import(`${folder}/search.js`);
const { facts, cases } = JSON.parse(readFileSync(file, "utf8"));

for (const { before, due, strokes: given, seed } of cases) {
  const exact = before.map(([name, points]) => [name, points.map((p) => p.map(decimal))]);
  const strokes = given ?? randomDrawing(facts, exact, due, generator(seed)).map(([name, points]) => [name, points.map(floats)]);
  const { drawing, ...told } = judged(facts, exact, due, strokes, facts.turns.clauses);
  const found = told.done ? { shapes: shapesOf(facts.plan, drawing), record: [...recordOf(facts, drawing)].map(String) } : {};
  console.log(JSON.stringify({ ...told, ...found, ...(given ? {} : { made: strokes }) }));
}
