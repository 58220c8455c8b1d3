// A position as a picture alone: nothing can be touched. Used by the lobby, the site and reports.

import { Board } from "./board.js";
import { legend } from "./legend.js";
import { fillings } from "./pieces.js";
import { html } from "./svg.js";

/** Draws a picture (with its scene) into an element; without a board, the lines beside it. */
export function drawPicture(element, { scene, picture }) {
  if (!document.querySelector("svg.fillings")) document.body.append(fillings());
  element.inert = true;
  element.replaceChildren(scene.kind === "none" ? html("ul", { class: "lines" }, ...lines(picture)) : new Board(scene, picture, false).element);
}

/** The last boards of the parts that have ended, small, each with the sentence that says how it ended. */
export function pastBoards({ past }, scenes) {
  const figures = past.map(({ scene, caption, picture }) => {
    const board = new Board(scenes.find(({ part }) => part === scene), picture, false).element;
    return html("figure", {}, html("div", { inert: "" }, board), html("figcaption", {}, caption));
  });
  return figures.length ? [html("section", { class: "past", "aria-label": "the boards before" }, ...figures)] : [];
}

const lines = ({ beside }) => beside.map(({ label, values }) => html("li", {}, label, " ", values.join(", ")));

/** Draws the pictures whose data stand in the elements themselves. A legend stands under the first picture that needs it. */
export function drawFigures() {
  let known = "";
  for (const element of document.querySelectorAll("[data-figure]")) {
    const { scene, picture, past_scenes: others } = JSON.parse(element.dataset.figure);
    drawPicture(element, { scene, picture });
    element.append(...pastBoards(picture, [scene, ...others]));
    const [explained, text] = [legend(picture, scene), JSON.stringify([picture.legend, picture.tints.map((tint) => tint.text)])];
    if (!explained || text === known) continue;
    explained.open = true;
    element.append(explained);
    known = text;
  }
}
