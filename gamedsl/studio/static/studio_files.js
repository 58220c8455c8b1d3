// The files that are open: what was saved, what was typed since, and what others changed meanwhile. Nothing that was typed is lost:
// it is sent to the server as it is typed, and kept in the browser while the server is away.

const KEEP = 400; // milliseconds after the last key

export class OpenFile {
  /** `saved`: the text on the disk (null: no file yet), with its `stamp`. `kept` is called when unsaved text is safe, or cannot be kept: `trouble` says why. */
  constructor({ name, saved, stamp, editor, ask, key, kept }) {
    Object.assign(this, { name, saved: saved ?? "", stamp, editor, ask, key, told: kept, timer: 0, isGone: false, kept: null, trouble: null, turn: Promise.resolve() });
  }

  get isDirty() {
    return this.isGone || this.editor.text !== this.saved;
  }

  get #place() {
    return `gamedsl studio ${this.key} ${this.name}`;
  }

  /** Keeps what was typed, soon. */
  typed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#keep(), KEEP);
  }

  async #keep() {
    const { text } = this.editor;
    if (!this.isDirty) {
      this.trouble = null;
      forgetHere(this.#place);
      await this.ask({ do: "forget", file: this.name, kept: this.kept });
      return;
    }
    const kept = { text, stamp: this.stamp, base: this.saved };
    const isHere = keepHere(this.#place, kept);
    const answer = await this.ask({ do: "keep", file: this.name, ...kept });
    if (answer.ok) {
      this.kept = text; // by the server
      forgetHere(this.#place);
    }
    this.trouble = answer.ok || answer.isLost ? null : `${isHere ? "what you typed is kept in this browser only" : "what you typed is only in this page"}: ${answer.message}`;
    this.told();
  }

  /** What the browser kept while the server was away. */
  keptHere() {
    return readHere(this.#place);
  }

  /** Brings back what was typed into `base` and not saved. Returns "taken", "merged", or "differs" where the file was changed since in the
   *  same lines: `settle` decides then. */
  recover(kept) {
    return this.#inTurn(() => this.#bringBack(kept));
  }

  async #bringBack({ text, stamp, base }) {
    this.kept = text;
    const theirs = this.saved;
    this.editor.replace(text);
    if (stamp === this.stamp || theirs === base) return "taken";
    return typeof base === "string" && (await this.#merge(base, theirs)) ? "merged" : "differs";
  }

  /** Writes the file. Returns null, or a sentence; `merge` is asked if somebody else changed the file. */
  async save(merge) {
    clearTimeout(this.timer);
    const { text } = this.editor;
    const answer = await this.ask({ do: "save", file: this.name, text, stamp: this.stamp, kept: this.kept });
    if (answer.ok) {
      Object.assign(this, { saved: text, stamp: answer.stamp, isGone: false });
      forgetHere(this.#place);
      if (this.editor.text !== text) this.typed();
      return null;
    }
    if (answer.changed === undefined) return answer.message;
    if (!(await merge(this, answer.changed, answer.stamp))) return "Not saved: the file was changed outside of the studio.";
    return this.save(merge);
  }

  /** Takes a text that somebody else wrote (null: the file is gone, and its text stays here). Returns "taken", "merged", "gone", or
   *  "differs" where both changed the same lines. */
  takeOutside(theirs, stamp) {
    return this.#inTurn(() => this.#take(theirs, stamp));
  }

  /** A merge starts from the text that the one before it left. */
  #inTurn(work) {
    this.turn = this.turn.then(work, work);
    return this.turn;
  }

  async #take(theirs, stamp) {
    if (theirs === null) {
      Object.assign(this, { isGone: true, stamp });
      this.typed();
      return "gone";
    }
    this.isGone = false;
    if (!this.isDirty) {
      Object.assign(this, { saved: theirs, stamp });
      this.editor.replace(theirs);
      return "taken";
    }
    if (!(await this.#merge(this.saved, theirs))) return "differs";
    Object.assign(this, { saved: theirs, stamp });
    return "merged";
  }

  /** Brings what somebody else made of `base` into the text, with what is typed meanwhile. Returns whether that is possible. */
  async #merge(base, theirs) {
    for (;;) {
      const mine = this.editor.text;
      const answer = await this.ask({ do: "merge", base, mine, theirs });
      if (!answer.ok || answer.text === null) return false;
      if (this.editor.text !== mine) continue;
      this.editor.replace(answer.text);
      return true;
    }
  }

  /** Decides where both changed the same lines. */
  settle(theirs, stamp, keepsMine) {
    Object.assign(this, { saved: theirs, stamp });
    if (!keepsMine) this.editor.replace(theirs);
  }
}

function keepHere(place, value) {
  try {
    localStorage.setItem(place, JSON.stringify(value));
    return true;
  } catch {
    return false; // a browser that keeps nothing: the server does
  }
}

function forgetHere(place) {
  try {
    localStorage.removeItem(place);
  } catch {
    // as above
  }
}

function readHere(place) {
  try {
    const found = JSON.parse(localStorage.getItem(place) ?? "null");
    return typeof found?.text === "string" ? found : null;
  } catch {
    return null;
  }
}
