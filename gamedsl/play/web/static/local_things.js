// The things that a seat sees off the board: cards in hands and piles, dice. The meaning is that of gamedsl/engine/picture/held_things.py.

import { slots } from "./local_defaults.js";
import { shown } from "./questions.js";

/** What the holdings of a part hold. `unset`: the variables without a value. */
export function heldThings(view, part, unset) {
  return part.holdings.filter(({ variable }) => !unset.includes(variable)).map(({ number, variable, sizes }) => {
    const holding = view.rules.facts.game.holdings[number];
    const asked = part.variables.find(({ index }) => index === variable);
    const shownPlaces = places(view, holding, asked);
    const isKnown = sizes !== undefined && view.rules.kind(view.state) !== "chance";
    const hidden = isKnown && shownPlaces.includes(null) ? { sizes: sizesAt(view, asked, sizes, shownPlaces) } : {};
    return { holding: number, places: shownPlaces, ...hidden };
  });
}

/** How many things are hidden at each place, which everybody knows; null where they are shown. */
function sizesAt(view, variable, question, places) {
  const all = slots(view, variable);
  const step = all.length / places.length; // numbers of one place are added up
  return places.map((things, i) => (things === null ? view.value(question, all[i * step].locals) : null));
}

function places(view, holding, variable) {
  const thing = view.rules.facts.game.things[holding.thing];
  const all = slots(view, variable).map(({ locals, indices }) => ({ key: indices.at(-1), values: shown(() => valuesOf(view, holding, thing, variable, locals)) ?? null }));
  if (holding.form !== "count") return all.map(({ key, values }) => (values && holding.inner !== null ? values.map((value) => whole(thing, holding.inner, key, value)) : values));
  const size = thing.names.length;
  return Array.from({ length: all.length / size }, (_, i) => all.slice(i * size, (i + 1) * size)).map((row) => (row.some(({ values }) => values === null) ? null : row.flatMap(({ key, values: [count] }) => Array(count).fill(key))));
}

function valuesOf(view, holding, thing, variable, locals) {
  if (variable.value === undefined) return Array.from({ length: view.value(variable.height, locals) }, (_, i) => code(view.type(variable.item), view.value(variable.item, { ...locals, [variable.level]: i + 1 })));
  const [type, value] = [view.type(variable.value), view.value(variable.value, locals)];
  if (type.kind === "set") return [...value];
  if (holding.form === "count") return [value];
  if (type.kind === "optional") return value ? [value - 1] : [];
  if (type.kind === "int") return thing.names.includes(String(value)) ? [thing.names.indexOf(String(value))] : [];
  return [value];
}

/** The number of a value of a pile; numbers are counted from the least. */
const code = (type, value) => value - (type.low ?? 0);

/** The number of the thing with these two components. */
function whole(thing, inner, key, value) {
  const wanted = inner === 0 ? [key, value] : [value, key];
  const [[, first], [, second]] = thing.parts;
  return first.findIndex((one, i) => one === wanted[0] && second[i] === wanted[1]);
}
