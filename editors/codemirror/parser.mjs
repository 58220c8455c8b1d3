// Makes the parser of gamedsl.grammar: gamedsl.parser.mjs and gamedsl.terms.mjs. `npm ci && npm run parser`, after a change of the
// grammar; it takes some minutes, as the generator builds every state of the language before it merges them.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { buildParserFile } from "@lezer/generator";

const grammar = readFileSync("gamedsl.grammar", "utf8");
const { parser, terms } = buildParserFile(grammar, { fileName: "gamedsl.grammar" });
const digest = createHash("sha256").update(grammar).digest("hex");
writeFileSync("gamedsl.parser.mjs", `// Made of gamedsl.grammar with the digest ${digest}\n${parser}`);
writeFileSync("gamedsl.terms.mjs", terms);
