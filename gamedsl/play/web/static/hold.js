// The last board of a game inside of a match stays until whoever looks at it continues, though the others may have begun the next one.

import { html } from "./svg.js";

export class Hold {
  constructor(page) {
    Object.assign(this, { page, at: null, later: null });
  }

  get isOn() {
    return this.at !== null && this.page.actor === null; // whoever plans an answer has gone on
  }

  /** Is an update kept until the person continues? Other positions that they ask for are shown, and end the wait. */
  keeps(update) {
    if (this.at === null || update.tree.at === this.at) return false;
    const { tree, cover, exploring, trouble } = update;
    const goesOn = this.isOn && tree.at === tree.tip && tree.nodes.some(({ id }) => id === this.at) && !exploring && !trouble && (cover ?? null) === null;
    this.later = goesOn ? update : null;
    if (goesOn) {
      this.page.choices.show();
      this.page.ticker.begin(update.clocks);
    } else this.at = null;
    return goesOn;
  }

  /** Waits if the ply that is shown has ended a game and somebody else is to act. `before`: the update that was shown. */
  begin(before) {
    const { page, page: { table, update: { tree, position, exploring } } } = this;
    if (!before || this.at !== null || exploring || position.turn.outcome || tree.at !== tree.tip || before.tree.tip === tree.tip) return;
    const isSeated = (table.you ?? table.seats).length > 0;
    if (!isSeated || page.actor !== null || !this.over.length) return;
    this.at = tree.at;
    page.choices.show();
    page.instruct();
  }

  /** How it ended, and what follows. */
  get over() {
    return this.page.update.position.picture.over ?? [];
  }

  buttons() {
    if (!this.isOn) return [];
    const isMine = this.later && this.later.position.turn.to_act.some((seat) => this.page.table.seats.includes(seat));
    return [html("button", { class: "main", type: "button", onclick: () => this.#continue() }, isMine ? "Continue: it is your move" : "Continue")];
  }

  #continue() {
    const { page, later } = this;
    Object.assign(this, { at: null, later: null });
    if (later) {
      page.show(later);
      return;
    }
    page.choices.show();
    page.instruct();
  }
}
