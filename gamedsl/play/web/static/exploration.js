// Explorations as text and as the end of a link: variations of a game with comments and marks. The meaning is that of
// gamedsl/engine/records/exploration.py. A text that comes from elsewhere is hostile input; all of it is shown as text.

const [KEY, FORM] = ["gamedsl exploration", 1];
const MOST_CHARACTERS = 2_000_000;
const [MOST_NODES, MOST_DEPTH, MOST_PLY] = [5000, 2000, 10_000];
export const MOST_COMMENT = 4000; // characters
const MOST_MARKS = 100; // circles, or arrows, of a position
const [MOST_NAME, MOST_FILES] = [200, 20];
const MOST_LINK = 1_000_000; // characters
const UNFIT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/u;
const NO_LINE = /[\t\n\r]/;

/** No comment, and no marks. */
export const PLAIN = { comment: "", circles: [], arrows: [] };

/** The text of an exploration. `nodes`: in an order in which none comes before its parent, with `id`, `parent`, `who`, `ply`, `notes` (or
 *  undefined) and `end` (the winners, or null). */
export function explorationText(game, nodes, at) {
  const numbers = new Map(nodes.map(({ id }, i) => [id, i]));
  const told = nodes.map(({ parent, who, ply, notes = PLAIN, end }) => ({
    ...(parent === null ? {} : { parent: numbers.get(parent), who, ply }),
    ...(notes.comment ? { comment: notes.comment } : {}),
    ...(notes.circles.length ? { circles: notes.circles } : {}),
    ...(notes.arrows.length ? { arrows: notes.arrows } : {}),
    ...(end === null ? {} : { end }),
  }));
  const { name, engine, options, digest, rules } = game;
  const head = { [KEY]: FORM, engine, game: name, options, digest: digest.slice(0, 16), rules, at: numbers.get(at) };
  return `${JSON.stringify(head).slice(0, -1)},"nodes":[\n${told.map((one) => JSON.stringify(one)).join(",\n")}\n]}\n`;
}

export const isExploration = (text) => /^\s*\{\s*"gamedsl exploration"/.test(text);

/** The fields of an exploration. Throws an `Error` that says what is wrong with the text. */
export function readExploration(text) {
  const data = parsed(text);
  const { engine, game, options, digest, rules, nodes, at } = data;
  if (!isWhole(data[KEY]) || !/^[0-9a-f]{8,64}$/.test(digest) || ![engine, game, digest].every((word) => isLine(word, MOST_NAME)) || !isRecord(options) || !isRecord(rules)) fail("fields are missing or of another kind");
  if (data[KEY] > FORM) fail(`its form is ${data[KEY]}, and gamedsl ${engine.slice(0, 20)} wrote it; this page reads form ${FORM}`);
  if (!Object.entries(options).flat().every((word) => isLine(word, MOST_NAME))) fail("an option is not a string");
  if (Object.keys(rules).length > MOST_FILES || !Object.entries(rules).every(([name, one]) => isLine(name, MOST_NAME) && isText(one))) fail("the rules are not strings");
  if (!Array.isArray(nodes) || nodes.length < 1 || nodes.length > MOST_NODES || !isWhole(at) || at >= nodes.length) fail(`it must have 1 to ${MOST_NODES} positions, and show one of them`);
  const depths = [];
  const read = nodes.map((node, i) => {
    const found = branch(node, i);
    depths.push(found.parent === null ? 0 : depths[found.parent] + 1);
    return found;
  });
  if (depths.some((depth) => depth > MOST_DEPTH)) fail(`a line has more than ${MOST_DEPTH} plies`);
  return { engine, game, options, digest, rules, nodes: read, at };
}

function parsed(text) {
  if (text.length > MOST_CHARACTERS) fail(`it has more than ${MOST_CHARACTERS} characters`);
  try {
    const data = JSON.parse(text);
    if (isRecord(data)) return data;
  } catch {
    // told below
  }
  return fail("it was changed or cut, and is not JSON");
}

function branch(node, number) {
  if (!isRecord(node)) fail(`position ${number} is none`);
  const { parent = null, who = "", ply = "", comment = "", circles = [], arrows = [], end = null } = node;
  if (number === 0 ? parent !== null || who || ply : !isWhole(parent) || parent >= number || typeof who !== "string" || typeof ply !== "string") fail(`position ${number} has no ply, or does not continue an earlier one`);
  const fits = isLine(who, MOST_NAME) && isLine(ply, MOST_PLY) && isText(comment) && comment.length <= MOST_COMMENT && areNames(circles, 2) && areNames(arrows, 4) && (end === null || (Array.isArray(end) && end.every((one) => isLine(one, MOST_NAME))));
  if (!fits) fail(`position ${number} has a comment, mark or name that is too long or not a string`);
  return { parent, who, ply, notes: { comment, circles, arrows }, end };
}

const areNames = (marks, each) => Array.isArray(marks) && marks.length <= MOST_MARKS && marks.every((mark) => Array.isArray(mark) && mark.length === each && mark.every((word) => isLine(word, MOST_NAME)));
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isWhole = (value) => Number.isSafeInteger(value) && value >= 0;
const isText = (value) => typeof value === "string" && !UNFIT.test(value);
const isLine = (value, most) => isText(value) && value.length <= most && !NO_LINE.test(value);

function fail(why) {
  throw new Error(`This exploration cannot be read: ${why}.`);
}

/** A comment as it may be kept. */
export const fitComment = (text) => [...text].filter((char) => !UNFIT.test(char)).join("").slice(0, MOST_COMMENT).trim();

/** A comment and marks as they may be kept. */
export const fitNotes = ({ comment, circles, arrows }) => ({ comment: fitComment(comment), circles: circles.slice(0, MOST_MARKS), arrows: arrows.slice(0, MOST_MARKS) });

/** The number of the last node, if every node is followed by its first continuation. */
export function endOfMainLine(nodes) {
  const next = new Map();
  for (const { id, parent } of nodes) if (!next.has(parent)) next.set(parent, id);
  let at = 0;
  while (next.has(at)) at = next.get(at);
  return at;
}

/** What differs between an exploration and the game of this page, a sentence each. `ends`: per node the winners in this game, or null. */
export function differences(read, game, ends) {
  const found = [];
  if (read.engine !== game.engine) found.push(`It was made by gamedsl ${read.engine}; this is ${game.engine}.`);
  if (read.game !== game.name) found.push(`It was made for ${read.game}; these are the rules of ${game.name}.`);
  if (optionsText(read.options) !== optionsText(game.options)) found.push(`Its options are ${optionsText(read.options)}; here they are ${optionsText(game.options)}.`);
  if (!game.digest.startsWith(read.digest)) found.push(`Its rules differ from these${changed(read.rules, game.rules)}. All its moves are legal here.`);
  read.nodes.forEach(({ end }, i) => {
    if (String(end) !== String(ends[i])) found.push(`After ${lineText(read.nodes, i) || "the beginning"}, ${endingText(end)} there, and ${endingText(ends[i])} here.`);
  });
  return found;
}

/** The plies that lead to a node, in words. */
export function lineText(nodes, number) {
  const plies = [];
  for (let at = number; at; at = nodes[at].parent) plies.unshift(nodes[at].ply);
  return plies.join(", ");
}

const optionsText = (options) => Object.entries(options).map(([name, value]) => `${name}=${value}`).sort().join(", ") || "not set";

function endingText(winners) {
  if (winners === null) return "the game went on";
  return winners.length ? `the winner was ${winners.join(" and ")}` : "nobody won";
}

/** How many lines differ, and the first of them; not in which order they stand. */
function changed(before, after) {
  const lines = (rules) => Object.values(rules).join("\n").split("\n").map((line) => line.trim()).filter(Boolean);
  const lost = (from, to) => { const known = new Set(to); return from.filter((line) => !known.has(line)); };
  const all = [...lost(lines(before), lines(after)), ...lost(lines(after), lines(before))];
  return all.length ? ` in ${all.length} lines, the first of them “${all[0].slice(0, 80)}”` : "";
}

// ------------------------------------------------------------------------------------------------------------- links

/** A text as letters that can end a link. */
export async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The inverse of `packed`. Throws an `Error` for letters that are none, or that hold too much. */
export async function unpacked(letters) {
  const parts = [];
  let size = 0;
  try {
    if (letters.length > MOST_LINK) throw new Error("too long");
    const bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.length;
      if (size > 4 * MOST_CHARACTERS) throw new Error("too long"); // a small link can hold a large text
      parts.push(part.value);
    }
    return await new Blob(parts).text();
  } catch {
    throw new Error("This link does not hold an exploration, or it was cut.");
  }
}
