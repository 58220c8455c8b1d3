// What the studio's editor makes of texts, for tests/editor/test_lezer.py. Reads a JSON list of {text, then} from standard input;
// `then`: an edit [from, to, insert] after which the text is parsed again from what was known of it, or null. Prints a list of
// {tokens: [[from, to, class]], errors: [from], same: whether the second parse is what a first one gives, kept: the share of the
// characters whose nodes the second parse took over, folds, columns: see `lines`}.
import { readFileSync } from "node:fs";

const editor = await import(new URL("../../../gamedsl/studio/static/codemirror.js", import.meta.url));
const { parser } = editor.language;

function nodesOf(tree) {
  const found = [];
  tree.iterate({ enter: ({ name, from, to }) => void found.push([name, from, to]) });
  return found;
}

/** The trees inside of a tree, with their places. */
function treesOf(tree, at = 0) {
  return [[tree, at], ...(tree.children ?? []).flatMap((child, i) => treesOf(child, at + tree.positions[i]))];
}

function read({ text, then }) {
  let tree = parser.parse(text);
  let [same, kept] = [true, 0];
  if (then) {
    const [from, to, insert] = then;
    const after = text.slice(0, from) + insert + text.slice(to);
    const change = { fromA: from, toA: to, fromB: from, toB: from + insert.length };
    const fragments = editor.TreeFragment.applyChanges(editor.TreeFragment.addTree(tree), [change]);
    const old = new Set(treesOf(tree).map(([one]) => one));
    tree = parser.parse(after, fragments);
    same = JSON.stringify(nodesOf(tree)) === JSON.stringify(nodesOf(parser.parse(after)));
    const taken = new Set(treesOf(tree).filter(([one]) => old.has(one)).flatMap(([one, at]) => Array.from({ length: one.length }, (_, i) => at + i)));
    kept = taken.size / after.length;
  }
  const [tokens, errors] = [[], []];
  editor.highlightTree(tree, editor.highlighter, (start, end, kind) => void tokens.push([start, end, kind.replace("token-", "")]));
  tree.iterate({ enter: ({ type, from }) => void (type.isError && errors.push(from)) });
  return { tokens, errors, same, kept, ...lines(text) };
}

/** Per line of a text: the last line to which it folds (0: it does not), and the columns by which it would be indented. */
function lines(text) {
  const begun = editor.EditorState.create({ doc: text, extensions: [editor.rules()] });
  editor.ensureSyntaxTree(begun, text.length, 60_000);
  const { state } = begun.update({}); // which has the whole tree
  const [folds, columns] = [[], []];
  for (let number = 1; number <= state.doc.lines; number += 1) {
    const line = state.doc.line(number);
    const fold = editor.foldable(state, line.from, line.to);
    folds.push(fold ? state.doc.lineAt(fold.to).number : 0);
    columns.push(editor.getIndentation(state, line.from));
  }
  return { folds, columns };
}

console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(read)));
