// Reads explorations as the page does; called by test_explorations.py. exploration_check.mjs STATIC_FOLDER TEXTS.json
// TEXTS.json: [text ...]; prints for each null, or why it is refused.

import { readFileSync } from "node:fs";

const [folder, file] = process.argv.slice(2);
const { fitComment, packed, readExploration, unpacked } = await import(`${folder}/exploration.js`);
const refusal = (text) => {
  try {
    readExploration(text);
    return null;
  } catch (error) {
    return error.message;
  }
};
const texts = JSON.parse(readFileSync(file, "utf8"));
const link = await packed(texts[0]);
const bomb = await packed(" ".repeat(9_000_000));
const broken = await Promise.all(["", "???", link.slice(0, 40), bomb].map((letters) => unpacked(letters).then(() => null, (error) => error.message)));
console.log(JSON.stringify({ refused: texts.map(refusal), same: (await unpacked(link)) === texts[0], broken, bomb: bomb.length, cleaned: fitComment("a\u202eb\u001b[2J\tc\n") }));
