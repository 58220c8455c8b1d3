// The cue that it is your turn: in the title and the icon of the page, and as a notification of the browser for those who want it.
// It says nothing but that: no move, no name.

import { keep, readKept } from "./kept.js";

const KEY = "gamedsl notify";
const icon = (isMine) => `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="2" y="2" width="28" height="28" rx="7" fill="${isMine ? "#2f9e44" : "#5d5a53"}"/><circle cx="16" cy="16" r="${isMine ? 9 : 6}" fill="${isMine ? "#fff" : "none"}" stroke="#fff" stroke-width="3"/></svg>`)}`;

export class Cue {
  constructor(page, table) {
    Object.assign(this, { page, table, state: null });
    this.link = document.querySelector("link[rel=icon]");
    table.subscribe(() => this.show());
  }

  show() {
    const { table } = this;
    const { over, position } = table.frame;
    const isMine = !over && table.online && table.seat !== null && position.turn.to_act.includes(table.seat);
    const state = over ? "over" : isMine ? "mine" : "theirs";
    const { title } = table.game;
    document.title = { over: `Game over · ${title}`, mine: `● Your turn · ${title}`, theirs: title }[state];
    this.link.href = icon(isMine);
    if (this.state !== null && state !== this.state && table.online) this.#notify(state);
    this.state = state;
  }

  #notify(state) {
    if (state === "theirs" || !this.isOn || !document.hidden) return;
    try {
      const note = new Notification(this.table.game.title, { body: state === "mine" ? "It is your turn." : "The game is over.", tag: this.table.name });
      note.onclick = () => { focus(); note.close(); };
    } catch {
      // some browsers of phones have the name, and allow none to pages
    }
  }

  get isOn() {
    return readKept(KEY, false) === true && globalThis.Notification?.permission === "granted";
  }

  /** Turns notifications on or off. Returns a sentence where the browser does not allow them. */
  async toggle() {
    if (this.isOn) {
      keep(KEY, false);
      return "";
    }
    const allowed = (await globalThis.Notification?.requestPermission()) === "granted";
    keep(KEY, allowed);
    return allowed ? "" : "This browser does not allow notifications from this page.";
  }
}
