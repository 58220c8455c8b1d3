// A line beside the board: its label, and its values as things.

import { html } from "./svg.js";
import { thing } from "./things.js";

/** The label of a player's line without the player's name: it stands beneath it. */
export function without(label, name) {
  const short = label.replace(new RegExp(` (of|in|by|to) ${escaped(name)}(?!\\w)`), "").replace(new RegExp(`^${escaped(name)} `), "");
  return short.trim() || label;
}

const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A line; a score says how it comes about, and lights the places that count while it is pointed at. */
export function lineItem(page, line, label) {
  if (!line.because) return html("li", {}, ...lineView(line, label));
  const [light, dark] = [() => page.board.count(line.places), () => page.board.count([])];
  return html("li", { class: "explained", tabindex: "0", onpointerenter: light, onpointerleave: dark, onfocus: light, onblur: dark },
    ...lineView(line, label), html("small", { class: "because" }, line.because));
}

function lineView({ values }, label) {
  const [before, after] = values.length ? [label] : label.split(/: (.+)/); // a value inside of the text
  if (after) return [html("span", { class: "label" }, `${before}: `), thing(after)];
  return [html("span", { class: "label" }, label.replace(/:$/, ""), values.length ? ": " : ""), ...values.flatMap((v) => [thing(v), " "])];
}
