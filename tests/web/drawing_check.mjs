// Judges drawings; called by test_drawing_rules.py. Reads {facts, cases: [{before, due, strokes}]}, prints a line per case.

import { readFileSync } from "node:fs";

const [folder, file] = process.argv.slice(2);
const { judged, recordOf, shapesOf } = await import(`${folder}/arrangement.js`);
const { decimal } = await import(`${folder}/exact.js`);
const { facts, cases } = JSON.parse(readFileSync(file, "utf8"));

for (const { before, due, strokes } of cases) {
  const exact = before.map(([name, points]) => [name, points.map((p) => p.map(decimal))]);
  const { drawing, ...told } = judged(facts, exact, due, strokes, facts.turns.clauses);
  const found = told.done ? { shapes: shapesOf(facts.plan, drawing), record: [...recordOf(facts, drawing)].map(String) } : {};
  console.log(JSON.stringify({ ...told, ...found }));
}
