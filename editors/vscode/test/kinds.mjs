// Prints the scopes that VS Code would give to texts: reads a JSON list of texts from standard input, and prints, for each,
// a list of [offset, end, scope], counted in UTF-16 units. Used by tests/editor/test_highlighters.py.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);
const oniguruma = require("vscode-oniguruma");
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");

const here = import.meta.dirname;
await oniguruma.loadWASM(readFileSync(path.join(path.dirname(require.resolve("vscode-oniguruma")), "onig.wasm")));
const registry = new Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => {
    const file = path.join(here, "../syntaxes/gamedsl.tmLanguage.json");
    return parseRawGrammar(readFileSync(file, "utf-8"), file);
  },
});
const grammar = await registry.loadGrammar("source.gamedsl");

const found = [];
for (const text of JSON.parse(readFileSync(0, "utf-8"))) {
  const pieces = [];
  let state = INITIAL;
  let start = 0;
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    for (const token of tokens) pieces.push([start + token.startIndex, start + token.endIndex, token.scopes.at(-1)]);
    state = ruleStack;
    start += line.length + 1;
  }
  found.push(pieces);
}
console.log(JSON.stringify(found));
