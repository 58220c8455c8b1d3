// The sentence that says what to do now. The procedure is that of gamedsl/play/guidance/sentence.py; all words are data.

import { COVERED } from "./selection.js";

const MOST_NAMED = 3; // buttons that a sentence names
const LONGEST_NAME = 14;

/** `options`: the moves that remain; `touched`: the places so far; `place`: the name of the last; `isAmbiguous`: no place tells the
 *  moves apart; `things`: what can be touched beside the board, which the options do not name. */
export function instruction({ kinds, phrases }, options, touched = [], place = "", isAmbiguous = false, things = []) {
  if (!touched.length) return first(kinds, options, phrases, things);
  if (isAmbiguous) return `${phrases.which} ${phrases.back}`;
  const again = purposeOfEnd(kinds, options, touched, phrases);
  const ahead = options.filter((o) => !isWhole(o)).map((o) => [o.kind, next(step(kinds, o, o.at + 1), step(kinds, o, o.at), phrases)]);
  const parts = [
    ...(again === null ? [] : [`${filled(phrases.again, place)} ${again}`.trim()]),
    ...more(kinds, options, touched, phrases),
    ...listed(kinds, ahead, options, phrases),
  ];
  return parts.length ? `${filled(phrases.choose, either(parts))} ${phrases.back}` : phrases.back;
}

function first(kinds, options, phrases, things) {
  const parts = [...things, ...listed(kinds, options.filter((o) => o.groups.length).map((o) => [o.kind, step(kinds, o, 0)]), options, phrases)];
  const texts = [...new Set(options.filter((o) => !o.groups.length).map((o) => o.text))];
  const isShort = texts.length <= MOST_NAMED && texts.every((text) => [...text].length <= LONGEST_NAME);
  const named = isShort ? either(texts.map((text) => `“${text}”`)) : phrases.button;
  if (!parts.length) return isShort && texts.length ? `${capital(filled(phrases.press, named))}.` : phrases.buttons;
  return filled(phrases.choose, either([...parts, ...(texts.length ? [filled(phrases.press, named)] : [])]));
}

function step(kinds, option, group) {
  const { words } = kinds[option.kind];
  const param = option.params[group];
  return param === COVERED ? words.covered : words.steps[param];
}

/** A step after another: a second thing of the same sort is another one. */
function next(words, before, phrases) {
  if (words.thing !== before.thing || (words.use && words.use !== before.use)) return words;
  return { ...words, thing: filled(phrases.another, nounOf(words.thing)) };
}

/** What can be touched, each with all that it is for. */
function listed(kinds, steps, options, phrases) {
  const uses = new Map();
  const several = new Set(options.map((o) => o.kind)).size > 1;
  for (const [kind, words] of steps) {
    const found = uses.get(words.thing) ?? uses.set(words.thing, new Set()).get(words.thing);
    found.add(words.use || (several ? `for ${kinds[kind].words.name}` : ""));
  }
  const general = uses.get(phrases.any_piece) ?? new Set(); // which includes every kind of piece
  const rows = [...uses].map(([thing, found]) => [thing, [...found].filter((use) => thing === phrases.any_piece || !general.has(use))]);
  return rows.filter(([, found]) => found.length).map(([thing, found]) => `${thing} ${purposes(found)}`.trim());
}

function purposes(all) {
  const uses = all.filter(Boolean);
  if (uses.length > 1 && uses.every((use) => use.startsWith("for "))) return `for ${or(uses.map((use) => use.slice(4)))}`;
  return or(uses);
}

/** What touching the last place again is for; null if it makes no move. */
function purposeOfEnd(kinds, options, touched, phrases) {
  const exact = options.filter((o) => o.groups.flat().every((place) => touched.includes(place)));
  const ended = exact.length ? exact : options.filter(isWhole);
  if (!ended.length) return null;
  const { words } = kinds[ended[0].kind];
  return ended.length === 1 ? words.ending || `for ${words.name}` : phrases.several;
}

/** The places that are missing of the line or block of which some are touched. */
function more(kinds, options, touched, phrases) {
  const missing = new Map();
  const missed = (o) => o.groups[o.at].filter((place) => !touched.includes(place)).length;
  for (const o of options) {
    if (!o.groups[o.at].some((place) => touched.includes(place))) continue;
    (missing.get(o.kind) ?? missing.set(o.kind, new Set()).get(o.kind)).add(missed(o));
  }
  const several = new Set(options.map((o) => o.kind)).size > 1;
  const found = options.filter((o) => missing.has(o.kind) && missed(o)).map((o) => {
    const words = missingOf(step(kinds, o, o.at), [...missing.get(o.kind)], phrases);
    return [o.kind, { thing: words, use: several ? `for ${kinds[o.kind].words.name}` : "" }];
  });
  return listed(kinds, found, options, phrases);
}

function missingOf({ thing, things }, counts, phrases) {
  if (counts.length > 1) return filled(phrases.most, things);
  return counts[0] === 1 ? filled(phrases.another, nounOf(thing)) : filled(phrases.more, counts[0], things);
}

const isWhole = (option) => option.at === option.groups.length - 1;
const nounOf = (thing) => thing.slice(thing.indexOf(" ") + 1);
const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
const filled = (phrase, ...values) => values.reduce((text, value) => text.replace("{}", () => value), phrase);

/** Alternatives, parted by commas where one of them has an `or` of its own. */
function either(parts) {
  const [last, before] = [parts.at(-1) ?? "", parts.slice(0, -1)];
  if (!before.length) return last;
  const comma = before.length > 1 || parts.some((part) => part.includes(" or ")) ? "," : "";
  return `${before.join(", ")}${comma} or ${last}`;
}

function or(texts) {
  return texts.length > 1 ? `${texts.slice(0, -1).join(", ")} or ${texts.at(-1)}` : texts[0] ?? "";
}
