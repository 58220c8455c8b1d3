// The look of a game whose rules define none: pieces by their initials, variables beside the board. The meaning is that of
// gamedsl/engine/picture/defaults.py.

import { shown } from "./questions.js";

const LONGEST_VALUE = 3;
const COLOURS = ["red", "blue", "green", "yellow", "magenta", "cyan"];

const known = new WeakMap(); // variable -> its slots

/** Every way to fill the keys of a variable: the number of the slot, the locals, the indices of the keys, their names. */
export function slots(view, variable) {
  return known.get(variable) ?? known.set(variable, [...slotsOf(view, variable)]).get(variable);
}

function* slotsOf(view, variable) {
  const sizes = variable.keys.map((k) => view.data.domains[k].names);
  const total = sizes.reduce((n, names) => n * names.length, 1);
  for (let slot = 0; slot < total; slot += 1) {
    const indices = [];
    let rest = slot;
    for (const names of [...sizes].reverse()) {
      indices.unshift(rest % names.length);
      rest = Math.floor(rest / names.length);
    }
    const locals = Object.fromEntries(variable.locals.map((id, i) => [id, indices[i]]));
    yield { slot, locals, indices, names: indices.map((index, i) => sizes[i][index]) };
  }
}

const ofRole = (part, role) => part.variables.filter((v) => v.role === role);

/** The pieces of a part by their labels, with heights. */
export function showPieces(view, part, result, places) {
  for (const variable of ofRole(part, "piece")) {
    if (!(variable.on in places)) continue;
    for (const { slot, locals, names } of slots(view, variable)) {
      const members = shown(() => view.value(variable.value, locals));
      if (members === undefined) continue;
      const text = part.labels.find((one) => one.variable === variable.index && one.slot === slot).text;
      const [owner, colour] = variable.keys.length ? [names[0], COLOURS[slot % 6]] : ["", ""];
      if (![owner, variable.name].some((word) => word.toLowerCase() === text.toLowerCase())) {
        result.explain({ sign: text, text: variable.name, colour, group: owner, stroke: false, shape: "", piece: "", owner: "" });
      }
      for (const index of members) {
        result.addGlyph(variable.on, index, { text, number: height(view, variable, locals, index), colour, piece: variable.name, owner, scar: false, shape: "" });
      }
    }
  }
}

function height(view, variable, locals, index) {
  if (variable.above === null || variable.above === undefined) return null;
  const order = view.data.asked[variable.above].locals;
  return view.value(variable.above, { ...locals, [order[order.length - 1]]: index }) + 1;
}

/** The variables of a part that have values, one a line; one of them on the board if there are no pieces. */
export function tellVariables(view, part, unset, result, place) {
  const onBoard = ofRole(part, "piece").length ? null : showValues(view, part, result, place);
  for (const variable of [...ofRole(part, "state"), ...ofRole(part, "countdown")]) {
    if (variable === onBoard || unset.includes(variable.index)) continue;
    const values = [];
    for (const { locals, names } of slots(view, variable)) {
      const value = shown(() => valueText(view, variable, locals));
      const text = [...names, value].join(" ");
      if (value !== undefined && text) values.push(text);
    }
    const held = part.holdings.some((one) => one.variable === variable.index) ? { held: true } : {};
    if (values.length) result.asides.push({ label: `${variable.name}:`, values, owner: "", ...held });
  }
}

function valueText(view, variable, locals) {
  if (variable.value !== undefined) return view.said(view.type(variable.value), view.value(variable.value, locals));
  const found = [];
  for (let level = 1; level <= view.value(variable.height, locals); level += 1) {
    found.push(view.said(view.type(variable.item), view.value(variable.item, { ...locals, [variable.level]: level })));
  }
  return found.join(" ") || "empty";
}

/** The first variable with a value for every place, on the places. */
function showValues(view, part, result, place) {
  for (const variable of ofRole(part, "state")) {
    const plain = variable.value !== undefined && view.type(variable.value).kind !== "set";
    const domain = variable.keys.length === 1 ? view.data.domains[variable.keys[0]].name : "";
    if (!place || domain !== place || !plain) continue;
    const type = view.type(variable.value);
    for (const { slot, locals } of slots(view, variable)) {
      const value = shown(() => view.value(variable.value, locals));
      if (value === undefined || (value === 0 && type.kind !== "element")) continue;
      const text = view.said(type, value);
      result.addGlyph(place, slot, { text: text.length <= LONGEST_VALUE ? text : text.slice(0, 1), number: null, colour: "", piece: "", owner: "", scar: false, shape: "" });
    }
    result.asides.push({ label: `on the board: ${variable.name}`, values: [], owner: "" });
    return variable;
  }
  return null;
}
