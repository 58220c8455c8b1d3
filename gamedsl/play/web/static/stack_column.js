// What lies in a stack of the board, from the bottom to the top: the one that is pointed at, touched or focused, else that of the last move.

import { key } from "./board.js";
import { piece } from "./pieces.js";
import { html, svg } from "./svg.js";

export class StackColumn {
  constructor(page) {
    this.page = page;
    this.element = html("section", { class: "stack-column", "aria-label": "stack", hidden: true });
  }

  /** A new position. */
  begin() {
    const { spots } = this.page.update.position.picture;
    this.stacks = new Map(spots.filter(({ below }) => below).map((spot) => [key(...spot.at), spot]));
    this.element.hidden = !this.stacks.size;
    const before = this.stacks.has(this.shown) ? this.shown : null;
    this.shown = null;
    this.show([...this.stacks].find(([, spot]) => spot.last)?.[0] ?? before);
  }

  /** `id`: of a place, or null. Where there is no stack, the one that is shown stays. */
  show(id) {
    const spot = this.stacks?.get(id);
    if (!this.stacks?.size || (this.shown && (!spot || this.shown === id))) return;
    this.shown = spot ? id : null;
    this.element.replaceChildren(...(spot ? this.#things(id, spot) : [html("p", {}, "Point at a stack, or touch it, to see what lies in it.")]));
  }

  #things(id, { below, glyphs = [] }) {
    const things = [...below, ...glyphs.filter((glyph) => !glyph.scar)].map((glyph) => this.#thing({ ...glyph, number: null }));
    return [html("p", {}, `${this.page.board.places.get(id)?.name ?? ""}, from the bottom:`), html("ol", {}, ...things)];
  }

  #thing(glyph) {
    const { board, scene } = this.page;
    const drawn = piece(glyph, { ...scene, stacks: false, counts: false });
    return html("li", {}, svg("svg", { viewBox: "-50 -50 100 100", "aria-hidden": "true" }, drawn), html("small", {}, board.said(glyph)));
  }
}
