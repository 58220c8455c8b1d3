// The language of rules for CodeMirror: colors, folding and indentation by the parser of gamedsl.grammar.
import { LRLanguage, LanguageSupport, ensureSyntaxTree, foldNodeProp, indentService, syntaxHighlighting, syntaxTree } from "@codemirror/language";
import { styleTags, tagHighlighter, tags } from "@lezer/highlight";
import { parser } from "./gamedsl.parser.mjs";
import data from "./words.json";

const RARE = new Set(["Game", "Piece", "Plays", "Token"]); // most of these do without their blocks
const BLOCKS = new Set(data.blocks.filter((name) => !RARE.has(name)));
const LINES = new Set(data.lines);
const ASIDE = new Set(["Comment", "Citation"]);
const OPENING = ["(", "[", "{"];
const [INDENT, HANGING] = [2, 4]; // columns: of a block, of a line that goes on
const LATER = /^(?:else|until)\b/; // lines that belong to the statement above

const PARSING = 100; // milliseconds, at most, before a line is indented
const nameOf = Object.fromEntries([...Object.entries(data.keywords), ...Object.entries(data.signs)].map(([text, name]) => [name, text]));
const GOES_ON = new Set([...data.goesOn.map((name) => nameOf[name]), ...OPENING]);
const quoted = (texts) => [...texts].map((text) => JSON.stringify(text)).join(" ");
const words = new Set(parser.nodeSet.types.map(({ name }) => name).filter((name) => /^[a-z]/.test(name)));
const special = new Set([...data.operators, ...data.constants]);
const plain = [...words].filter((word) => !special.has(word));
const signs = Object.keys(data.signs).filter((sign) => !"()[]{},:".includes(sign));

const language = LRLanguage.define({
  name: "gamedsl",
  parser: parser.configure({
    props: [
      styleTags({
        [quoted(plain)]: tags.keyword, [quoted(data.operators)]: tags.operatorKeyword, [quoted(data.constants)]: tags.bool, [quoted(signs)]: tags.operator,
        [quoted("()[]{},:")]: tags.punctuation,
        Name: tags.name, Number: tags.number, String: tags.string, Comment: tags.comment, Citation: tags.annotation,
      }),
      foldNodeProp.add((type) => (data.blocks.includes(type.name) ? fold : undefined)),
    ],
  }),
  languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", "{", '"'] }, indentOnInput: /^\s*(?:else|until)$/ },
});

/** A declaration or a statement is folded to its first line. */
function fold(node, state) {
  const first = state.doc.lineAt(node.from);
  const last = state.doc.lineAt(node.to);
  return last.number > first.number ? { from: first.to, to: last.to } : null;
}

/** The columns by which a line is indented: as the statement above, or deeper below one that holds a block or goes on; `else` and
 *  `until` as the statement to which they belong. */
function indentation(context, at) {
  const { doc } = context.state;
  const here = context.lineAt(at, 1);
  if (!here.from) return 0;
  let above = doc.lineAt(Math.max(0, here.from - 1));
  while (above.number > 1 && !above.text.trim()) above = doc.line(above.number - 1);
  const tree = ensureSyntaxTree(context.state, at, PARSING) ?? syntaxTree(context.state);
  const columns = (place) => /^\s*/.exec(doc.lineAt(place).text)[0].length;
  let end = above.from + above.text.trimEnd().length;
  let last = tree.resolveInner(end, -1);
  while (ASIDE.has(last.name) && last.from > above.from) {
    end = above.from + above.text.slice(0, last.from - above.from).trimEnd().length;
    last = tree.resolveInner(end, -1);
  }
  if (end <= above.from) return columns(above.from); // a comment
  if (LATER.test(here.text.trim())) {
    const wanted = here.text.trim().startsWith("until") ? "Repeat" : "IfStatement";
    const found = [];
    for (let node = last; node; node = node.parent) if (node.name === wanted) found.push(columns(node.from));
    const own = /^\s*/.exec(here.text)[0].length;
    if (found.length) return found.includes(own) ? own : found[0];
  }
  let statement = last;
  while (statement && !LINES.has(statement.name)) statement = statement.parent;
  const first = statement && statement.from <= end ? statement.from : above.from + columns(above.from);
  const isAlone = last.from === first;
  if (GOES_ON.has(last.name) && !isAlone) return first >= above.from ? columns(first) + HANGING : columns(above.from);
  return columns(first) + (statement && BLOCKS.has(statement.name) ? INDENT : 0);
}

/** The colors that the parser knows by itself; those of the server lie above them. */
const highlighter = tagHighlighter([
  { tag: [tags.keyword, tags.operatorKeyword, tags.bool], class: "token-keyword" },
  { tag: tags.string, class: "token-string" },
  { tag: tags.number, class: "token-number" },
  { tag: tags.comment, class: "token-comment" },
  { tag: tags.annotation, class: "token-decorator" },
  { tag: tags.name, class: "token-name" },
  { tag: [tags.operator, tags.punctuation], class: "token-operator" },
]);

export const rules = () => new LanguageSupport(language, [syntaxHighlighting(highlighter), indentService.of(indentation)]);
export { highlighter, language };
