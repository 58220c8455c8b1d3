// The terminals of the grammar: words as the parser reads them, the ends of lines, and indentation. It follows
// gamedsl/language/syntax/parse/ (scanner.py, parse_lines.py, feed.py); tests/editor/test_lezer.py compares.
import { ContextTracker, ExternalTokenizer } from "@lezer/lr";
import * as terms from "./gamedsl.terms.mjs";
import data from "./words.json";

const NEWLINE = 10, SPACE = 32, TAB = 9, RETURN = 13, QUOTE = 34, HASH = 35, AT = 64, BYTE_ORDER = 0xfeff, END = -1;
const LONGEST = 300; // characters that a word looks ahead
const MOST_AHEAD = 400_000; // characters in which the end of a bracket is looked for
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /[0-9]+/y;
const STRING = /^"(?:[^"\\\n]|\\.)*"/;
const SIGNS = Object.keys(data.signs).sort((a, b) => b.length - a.length);
const HARD = new Set(data.hard);
const STARTERS = new Set(data.starters);
const GOES_ON = new Set(data.goesOn.map((name) => terms[name]));
const KEYWORDS = new Map(Object.entries(data.keywords).map(([text, name]) => [text, terms[name]]));
const GUARDED = data.guarded.map(([name, pattern]) => ({ term: terms[name], first: pattern[0], pattern: new RegExp(pattern, "y") }));
const CITATION = new RegExp(data.citation, "y");
const LINES = new Set(data.lines.map((name) => terms[name]));
const OPENING = new Set([terms.TLeftParen, terms.TLeftBracket, terms.TLeftBrace]);
const CLOSING = new Set([terms.TRightParen, terms.TRightBracket, terms.TRightBrace]);
const WORDS = new Set([...KEYWORDS.values(), ...Object.values(data.signs).map((name) => terms[name]), ...GUARDED.map(({ term }) => term), terms.Name, terms.Number, terms.String]);

// ------------------------------------------------------------------------------------------------------ where in the layout

/** What the end of a line depends on. `level`: the indentation of the block, `parent` of the block around it; of the logical line:
 *  `head` its indentation, `count` its words (at most 2), `depth` its open brackets, `ifs` its `if`s that wait for `else`, `last` how it
 *  ends: 1 unfinished, 2 to 4 inside of "what it meets". */
class Layout {
  constructor(parent, level, line) {
    Object.assign(this, { parent, level }, line);
    const { head, count, depth, ifs, last } = line;
    this.hash = ((parent ? parent.hash * 31 : 7) + level * 1009 + head * 131 + count * 17 + depth * 257 + ifs * 65_537 + last * 5) | 0;
  }

  with(line) {
    return new Layout(this.parent, this.level, { head: this.head, count: this.count, depth: this.depth, ifs: this.ifs, last: this.last, ...line });
  }

  /** The block around this one to which a line belongs: the parser gave up those between. */
  outside(indent) {
    return this.parent && indent < this.level ? this.parent.outside(indent) : this;
  }
}

const NO_LINE = { head: 0, count: 0, depth: 0, ifs: 0, last: 0 };
const [UNFINISHED, WHAT, WHAT_IT] = [1, 2, 3];

export const layout = new ContextTracker({
  start: new Layout(null, 0, NO_LINE),
  hash: (context) => context.hash,
  shift(context, term, stack, input) {
    if (term === terms.lineEnd) return new Layout(context.parent, context.level, NO_LINE);
    if (term === terms.indent) return new Layout(context, Math.max(nextLine(input)?.indent ?? 0, context.level + 1), NO_LINE); // also one that is made up
    if (term === terms.dedent) return context.parent ?? context;
    if (term === terms.space && !context.count && context.parent && input.next === NEWLINE) return context.outside(nextLine(input)?.indent ?? 0);
    if (!WORDS.has(term)) return context;
    let { depth, ifs } = context;
    if (OPENING.has(term)) depth += 1;
    else if (CLOSING.has(term)) depth = Math.max(depth - 1, 0);
    else if (term === terms.TThen) ifs += 1;
    else if (term === terms.TElse) ifs -= 1;
    let last = GOES_ON.has(term) && !(term === terms.TElse && !context.count) ? UNFINISHED : 0;
    if (term === terms.TWhat) last = WHAT;
    else if (term === terms.TIt && context.last === WHAT) last = WHAT_IT;
    else if (term === terms.TMeets && context.last === WHAT_IT) last = 0;
    return context.with({ head: context.count ? context.head : indentBefore(input), count: Math.min(context.count + 1, 2), depth, ifs, last });
  },
  // A line that the parser gave up ends with what it made of it.
  reduce: (context, term) => (context.count && LINES.has(term) ? context.with(NO_LINE) : context),
});

/** The indentation of the line that a word stands in. */
function indentBefore(input) {
  let start = 0;
  while (isCode(input.peek(start - 1)) && input.peek(start - 1) !== NEWLINE) start -= 1;
  let indent = 0;
  for (; isSpace(input.peek(start)); start += 1) indent = wider(indent, input.peek(start));
  return indent;
}

const wider = (indent, code) => (code === TAB ? indent - (indent % 4) + 4 : code === SPACE ? indent + 1 : indent);
const isCode = (code) => code !== END;
const isSpace = (code) => code === SPACE || code === TAB || code === RETURN || code === BYTE_ORDER;

/** The next line with words after the end of a line: its indentation, and its first two words. Null: there is none. */
function nextLine(input, at = 0) {
  while (input.peek(at) !== NEWLINE) {
    if (input.peek(at) === END) return null;
    at += 1;
  }
  for (;;) {
    at += 1;
    let indent = 0;
    for (; isSpace(input.peek(at)); at += 1) indent = wider(indent, input.peek(at));
    let code = input.peek(at);
    if (code === AT) { // citations alone
      const found = rest(input, at, LONGEST).match(/^(?:@[^\s#]+\s*)+(#.*)?$/);
      if (found) code = HASH;
    }
    if (code === HASH) while (isCode(input.peek(at)) && input.peek(at) !== NEWLINE) at += 1;
    code = input.peek(at);
    if (code === END) return null;
    if (code === NEWLINE) continue;
    const text = rest(input, at, LONGEST);
    const [, first, second] = /^(\w+|\W)\s*(\w+|[^\w\s])?/.exec(text) ?? [null, text, ""];
    return { indent, at, first, second: second?.startsWith("#") || second?.startsWith("@") ? "" : second ?? "" };
  }
}

/** What follows on the line, at most so much. `crosses`: and on the lines after it. */
function rest(input, at, most, crosses = false) {
  let text = "";
  for (let code; text.length < most && (code = input.peek(at)) !== END && (crosses || code !== NEWLINE); at += 1) text += String.fromCharCode(code);
  return text;
}

/** Whether a logical line goes on after the end of a line of text. */
function goesOn(context, input, at = 0) {
  const next = nextLine(input, at);
  if (!next) return false;
  const { first, second, indent } = next;
  if (first === "and" || first === "or") return true;
  if (first === "else" && context.ifs > 0 && second) return true;
  if (!context.depth && context.last !== UNFINISHED) return false;
  if (!/^[A-Za-z_]/.test(first)) return true;
  const isLevel = indent <= context.head;
  const opens = STARTERS.has(first);
  if (!context.depth) return !(isLevel && (opens || second === ":"));
  const says = /^["\w]/.test(second) && !HARD.has(second);
  return !(isLevel || (opens && says)) || closes(input, context.depth);
}

/** Whether brackets that are open are closed somewhere. */
function closes(input, depth) {
  for (let at = 0, code; at < MOST_AHEAD && (code = input.peek(at)) !== END; at += 1) {
    if (code === QUOTE) {
      const found = STRING.exec(rest(input, at, MOST_AHEAD));
      if (found) at += found[0].length - 1;
    } else if (code === HASH) {
      while (isCode(input.peek(at + 1)) && input.peek(at + 1) !== NEWLINE) at += 1;
    } else if ("([{".includes(String.fromCharCode(code))) depth += 1;
    else if (")]}".includes(String.fromCharCode(code)) && !(depth -= 1)) return true;
  }
  return false;
}

// ---------------------------------------------------------------------------------------------------------------- the tokens

export const words = new ExternalTokenizer(
  (input, stack) => {
    const { next } = input;
    if (next === NEWLINE || next === END) {
      const term = layoutTerm(input, stack);
      if (term) input.acceptToken(term);
      else if (next === NEWLINE) pass(input, terms.space);
    } else if (isSpace(next)) pass(input, terms.space);
    else if (next === HASH) {
      while (isCode(input.next) && input.next !== NEWLINE) input.advance();
      input.acceptToken(terms.Comment);
    } else word(input, stack);
  },
  { contextual: true },
);

/** Takes a space or the end of a line, and the spaces after it. */
function pass(input, term) {
  input.advance();
  while (isSpace(input.next)) input.advance();
  input.acceptToken(term);
}

/** What stands at the end of a line of text: the end of the logical line, then what the indentation of the next one says. */
function layoutTerm(input, stack) {
  const context = stack.context;
  if (context.count) return goesOn(context, input) ? 0 : terms.lineEnd;
  const indent = nextLine(input)?.indent ?? 0;
  if (indent < context.level) return stack.canShift(terms.dedent) ? terms.dedent : 0;
  return indent > context.level && stack.canShift(terms.indent) ? terms.indent : 0;
}

function word(input, stack) {
  const line = rest(input, 0, LONGEST, stack.context.depth > 0);
  const matches = (pattern) => {
    pattern.lastIndex = 0;
    return pattern.exec(line)?.[0];
  };
  const take = (term, { length }) => {
    input.advance(length);
    input.acceptToken(term);
  };
  const name = matches(NAME);
  if (name) {
    const term = nameTerm(name, line, stack, input);
    // A declaration where the parser still waits for something else: it gives up one block after the other.
    if (STARTERS.has(name) && isAtEdge(input) && !stack.canShift(term) && beginsLine(stack.context, input)) return input.acceptToken(terms.dedent);
    return take(term, name);
  }
  const number = matches(NUMBER);
  if (number) return take(terms.Number, number);
  if (input.next === QUOTE) return take(terms.String, longString(input, line));
  const citation = input.next === AT && matches(CITATION);
  if (citation) return take(terms.Citation, citation);
  const sign = SIGNS.find((text) => line.startsWith(text));
  return sign && take(terms[data.signs[sign]], sign); // otherwise the parser passes over a character
}

/** A string, to the end of the line if it is not closed. */
function longString(input, line) {
  const found = STRING.exec(line);
  if (found) return found[0];
  const whole = rest(input, 0, MOST_AHEAD);
  return STRING.exec(whole)?.[0] ?? whole;
}

/** A keyword where the parser can use it; elsewhere the same word is a name. */
function nameTerm(name, line, stack, input) {
  for (const { term, first, pattern } of GUARDED) {
    if (first !== name[0] || !stack.canShift(term)) continue;
    pattern.lastIndex = 0;
    if (pattern.exec(line)?.[0] === name) return term;
  }
  const keyword = KEYWORDS.get(name);
  if (keyword === undefined) return terms.Name;
  const isWord = HARD.has(name) || stack.canShift(keyword) || !stack.canShift(terms.Name);
  return isWord || (STARTERS.has(name) && beginsLine(stack.context, input)) ? keyword : terms.Name;
}

const isAtEdge = (input) => input.peek(-1) === NEWLINE;

/** Whether a word begins a declaration, or a line although the parser could not take the end of the line before it. */
function beginsLine(context, input) {
  let at = -1;
  while (isSpace(input.peek(at))) at -= 1;
  if (input.peek(at) !== NEWLINE) return false;
  return context.count ? !goesOn(context, input, at) : at === -1;
}
