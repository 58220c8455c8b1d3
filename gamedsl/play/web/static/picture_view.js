// A position as a picture alone: nothing can be touched. Used by the lobby, the site and reports.

import { Board } from "./board.js";
import { fillings } from "./pieces.js";
import { html } from "./svg.js";

/** Draws a picture (with its scene) into an element; without a board, the lines beside it. */
export function drawPicture(element, { scene, picture }) {
  if (!document.querySelector("svg.fillings")) document.body.append(fillings());
  element.inert = true;
  element.replaceChildren(scene.kind === "none" ? html("ul", { class: "lines" }, ...lines(picture)) : new Board(scene, picture, false).element);
}

const lines = ({ beside }) => beside.map(({ label, values }) => html("li", {}, label, " ", values.join(", ")));

/** Draws the pictures whose data stand in the elements themselves. */
export function drawFigures() {
  for (const element of document.querySelectorAll("[data-figure]")) drawPicture(element, JSON.parse(element.dataset.figure));
}
