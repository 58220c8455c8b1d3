// Shapes that are turned and flipped; called by test_turning.py. turning_check.mjs STATIC_FOLDER SHAPES.json
// SHAPES.json: lists of placings of one shape, each a list of [column, row] and whether its move is legal. Prints for each null, or
// the forms met by turning on and on, the form after a flip, and per place of the first form the number of the placing that it lays.

import { readFileSync } from "node:fs";

const [folder, file] = process.argv.slice(2);
const { turningOf } = await import(`${folder}/turning.js`);
const middleOf = (place) => place.split(",").map((number) => 100 * Number(number));
const form = (turning) => turning.offsets.map((point) => point.map((number) => Math.round(number / 100))).sort().join(" ");

function told(placings) {
  const options = placings.map((cells, number) => ({ number, groups: [cells.map(String)] }));
  const first = turningOf(options, middleOf, 90);
  if (!first) return null;
  const seen = [];
  for (let one = first; !seen.includes(form(one)); one = one.turned()) seen.push(form(one));
  const lays = first.options.flatMap(({ number, groups }) => groups[0].map((place) => [place, number]));
  return { seen, turns: first.turns, flips: first.flips, flipped: form(first.flipped()), lays };
}

console.log(JSON.stringify(JSON.parse(readFileSync(file, "utf8")).map(told)));
