// Touching the board: by pointer (touch and drag) and by keys. What is chosen is kept in a `Selection`.

import { UNIT } from "./layout.js";
import { attempts, optionsOf, Selection } from "./selection.js";
import { put } from "./svg.js";
import { turningOf } from "./turning.js";

const REST = 90; // milliseconds that a pointer rests on a place before a move is previewed
const FAR = 9; // pixels that a pointer moves before a touch becomes a drag
const AFTER_TOUCH = 350; // milliseconds within which a browser makes a click of a touch
const FEW = 4; // lines among which a finger chooses: their targets do not overlap
const WAYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class Hands {
  constructor(page) {
    this.page = page;
    this.selection = new Selection([]);
    Object.assign(this, { cursor: null, turning: null, hovered: null });
  }

  /** A new position: nothing is chosen. */
  begin() {
    const { page } = this;
    const { turn } = page.update.position;
    const options = page.actor === null ? [] : optionsOf(page.game, turn.actions, (place) => page.board.places.has(place));
    this.all = options;
    page.choices.asked = null;
    this.narrow(null);
    const rested = this.hovered && page.board?.element === this.attached && page.board.places.get(this.hovered);
    rested?.group.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" })); // the place was kept: a browser does not say it again
  }

  /** Goes on with some moves; null: with all. `value`: those with a value, `{kind, param, value}`, or those that name a thing, `{key,
   *  options}`. */
  narrow(value) {
    this.held = value;
    this.options = value === null ? this.all : value.options ?? this.all.filter((o) => o.kind === value.kind && o.values[value.param] === value.value);
    const { board, game } = this.page;
    this.turning = value === null ? null : turningOf(this.options, (id) => board.places.get(id)?.middle, board.ground === "hex" ? 60 : 90, cellsOf(game, value.key));
    if (this.turning && matchMedia("(pointer: coarse)").matches) this.page.parts.board.scrollIntoView({ block: "nearest" }); // the tray may lie far below
    this.#lay();
  }

  /** Nothing is touched yet; a board that one touch has made larger is whole again, if a move begins beyond the part that is shown. */
  #lay() {
    const selection = new Selection(this.laying);
    if (this.held) this.page.zoom.rest(selection.starts);
    this.set(selection);
  }

  /** The moves that touching the board can make: of a shape that is held, those that lay it as it is turned. */
  get laying() {
    return this.turning?.options ?? this.options;
  }

  /** Turns the shape that is held (`isBack`: counterclockwise), or flips it. Where one is laid to be confirmed, or the pointer rests, it is shown there. */
  turn(isFlip, isBack = false) {
    const { turning, pending } = this;
    const next = isFlip ? turning?.flipped() : turning?.turned(isBack);
    if (!next || next === turning) return false;
    this.turning = next;
    this.#lay();
    const laid = pending && this.selection.touch(pending.id);
    if (laid?.decided) {
      this.set(laid);
      this.pending = { id: pending.id, option: laid.decided };
      this.page.instruct();
    } else if (this.hovered) this.#preview(this.hovered);
    return true;
  }

  set(selection) {
    this.selection = selection;
    this.pending = null;
    const [only, ...others] = selection.touched.length ? selection.live : [];
    this.page.preview(only && !others.length ? only.number : null);
    this.#light();
    this.page.choices?.show();
    this.page.instruct();
  }

  /** Takes back what is chosen: the last touch, or all of it. False if nothing is chosen. */
  takeBack(all = false) {
    const { choices } = this.page;
    const { touched } = this.selection;
    this.page.zoom.rest();
    if (!touched.length) {
      const isHeld = Boolean(this.held);
      if (isHeld) this.narrow(null);
      return isHeld;
    }
    choices.asked = null;
    this.set(all ? new Selection(this.laying) : this.selection.back());
    return true;
  }

  /** Marks what is chosen and what can be touched next, and puts it into words. */
  #light() {
    const { board } = this.page;
    const { starts, targets, touched } = this.selection;
    const first = touched.length === 0;
    const few = [...starts].filter((id) => id.startsWith(`${board.scene.place}:`)).length * 3 < (board.scene.places[board.scene.place]?.names.length ?? 0);
    const live = new Set([...new Set(this.options.flatMap((o) => o.groups.flat()))].map((id) => id.split(":")[0]));
    if (!this.cursor || !board.places.has(this.cursor)) this.cursor = [...starts][0] ?? board.places.keys().next().value ?? null;
    for (const [id, place] of board.places) {
      const state = touched.includes(id) ? "chosen" : targets.has(id) ? "target" : first && starts.has(id) ? "start" : "";
      const words = { chosen: ", chosen", target: ", can be touched next", start: ", can be touched" }[state] ?? "";
      put(place.group, "class", `place on-${place.domain} ${state}${state === "start" && few ? " few" : ""}${board.spots.get(id)?.glyphs ? " held" : ""}${live.has(place.domain) ? "" : " asleep"}`);
      if (place.grip) put(place.grip, "class", `${place.kind} ${state}${state === "target" && targets.size <= FEW ? " alone" : ""}`);
      put(place.group, "aria-label", board.words(id) + words);
      put(place.group, "aria-selected", String(state === "chosen"));
      put(place.group, "tabindex", id === this.cursor ? "0" : "-1");
    }
  }

  // ------------------------------------------------------------------------------------------------- touching

  /** `pointer`: the kind of pointer that touches, such as a finger; `at`: where, in pixels of the window. */
  async touch(id, pointer = "", at = null) {
    const { page } = this;
    while (page.table.waits) {
      if (!(await page.table.waits && page.board.places.has(id))) return;
    }
    page.column.show(id);
    if (page.actor === null) return;
    if (this.pending?.id === id) {
      await page.play(this.pending.option.number);
      return;
    }
    if (page.zoom.enlarges(pointer, { id, at })) {
      page.instruct();
      return;
    }
    const changed = this.selection.touch(id);
    if (changed) page.speech.retract();
    if (changed?.decided && page.settings.confirms(pointer, page.board.reach(id))) {
      this.set(changed);
      this.pending = { id, option: changed.decided };
      page.instruct();
      return;
    }
    if (changed) {
      this.set(changed);
      if (!changed.decided) page.zoom.rest(changed.targets);
      await this.#go();
      return;
    }
    const touched = this.selection.touched;
    this.set(new Selection(this.laying));
    await this.#tellWhy(touched, id);
  }

  async #go() {
    const { decided, ambiguous, touched } = this.selection;
    if (decided) await this.page.play(decided.number);
    else if (ambiguous.length) this.page.choices.ask(ambiguous, touched.at(-1));
    else this.page.speech.say(`${this.page.board.places.get(touched.at(-1))?.name ?? ""}: ${this.selection.targets.size} places to continue`);
  }

  /** Why no move goes on at a place: the reasons of the kind of move that refuses it least, or that had to try it. */
  async #tellWhy(touched, id) {
    const { page } = this;
    const { kinds } = page.update.position.turn;
    const tried = attempts(page.game, kinds, [...touched, id]);
    const found = (await Promise.all(tried.map((numbers) => page.table.why(numbers, page.actor)))).filter((list) => list.length);
    const isAhead = (list) => list.some((one) => one.ahead);
    const [reasons] = found.sort((a, b) => isAhead(b) - isAhead(a) || a.length - b.length);
    const name = page.board.places.get(id)?.name ?? id;
    page.refuse(reasons ?? [], touched.length ? `No move continues at ${name}.` : `No move begins at ${name}.`);
  }

  // ------------------------------------------------------------------------------------------------- pointers

  attach() {
    const { element } = this.page.board;
    if (element === this.attached) return; // it was kept from the position before
    this.attached = element;
    element.addEventListener("pointerdown", (event) => this.#down(event));
    element.addEventListener("keydown", (event) => this.#pressed(event));
    element.addEventListener("contextmenu", (event) => { if (this.page.update.exploring) event.preventDefault(); });
    element.addEventListener("pointerover", (event) => this.#rest(event));
    element.addEventListener("pointerleave", () => this.#rest(null));
  }

  /** A mouse that rests on a place: the move that touching it would make is shown. */
  #rest(event) {
    clearTimeout(this.resting);
    if ((event && event.pointerType !== "mouse") || this.pending || this.page.notes.isMarking) return;
    const id = event && placeAt(event.target);
    this.hovered = id;
    this.page.column.show(id);
    this.#preview(id);
  }

  #preview(id) {
    const after = id ? this.selection.touch(id) : this.selection;
    const [only, ...others] = after?.touched.length ? after.live : [];
    const number = only && !others.length ? only.number : null;
    this.resting = setTimeout(() => this.page.preview(number), number === null ? 0 : REST);
  }

  #down(event) {
    const id = placeAt(event.target);
    if (id && this.page.notes.takes(event)) {
      this.page.notes.press(id, placeAt);
      return;
    }
    if (this.page.pen.isDrawing || event.button > 0 || !id) return;
    event.preventDefault();
    const board = this.page.board;
    const awaited = this.page.table.waits?.then((isShown) => isShown && this.page.board);
    this.cursor = id;
    const start = [event.clientX, event.clientY];
    const piece = board.element.querySelector(`.piece[data-on="${CSS.escape(id)}"]`);
    let dragged = null;
    const move = (e) => {
      if (!dragged && Math.hypot(e.clientX - start[0], e.clientY - start[1]) > FAR && piece && this.selection.starts.has(id)) dragged = this.#lift(id, piece);
      dragged?.to(e);
    };
    const stop = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", cancel);
    };
    const cancel = () => { stop(); dragged?.drop(); };
    const up = async (e) => {
      stop();
      dragged?.drop();
      swallowClick(e);
      const over = placeAt(document.elementFromPoint(e.clientX, e.clientY));
      if (this.page.zoom.pinched || this.page.board !== board && this.page.board !== await awaited) return; // another position: the touch was not meant for it
      if (!dragged) this.touch(id, e.pointerType, [e.clientX, e.clientY]);
      else if (over && over !== id) this.touch(over);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", cancel);
  }

  /** The piece follows the pointer; the place is chosen. */
  #lift(id, piece) {
    const board = this.page.board;
    if (!this.selection.touched.includes(id)) {
      const fresh = this.selection.touched.length ? this.selection.touch(id) : new Selection(this.laying).touch(id);
      if (fresh) this.set(fresh);
    }
    const rest = piece.getAttribute("transform") ?? "";
    const scale = /scale\(.*\)/.exec(rest)?.[0] ?? "";
    piece.parentNode.append(piece);
    piece.classList.add("lifted");
    return {
      to: (e) => piece.setAttribute("transform", `translate(${onBoard(board.element, e)}) ${scale}`),
      drop: () => { piece.setAttribute("transform", rest); piece.classList.remove("lifted"); },
    };
  }

  // ----------------------------------------------------------------------------------------------------- keys

  #pressed(event) {
    if (this.page.pen.isDrawing) return;
    if (WAYS[event.key]) this.#step(WAYS[event.key]);
    else if (event.key === "Enter" && this.page.notes.takes(event)) { if (this.cursor) this.page.notes.key(this.cursor, event.shiftKey); }
    else if (event.key === "Enter" || event.key === " ") { if (this.cursor) this.touch(this.cursor); }
    else if (event.key === "Backspace") this.takeBack();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** To the nearest place in a direction. */
  #step([dx, dy]) {
    const { places } = this.page.board;
    const here = places.get(this.cursor);
    const awake = [...places].filter(([, p]) => !p.group.classList.contains("asleep") || p.domain === here.domain);
    let best = null;
    for (const [id, place] of awake) {
      const [x, y] = [place.middle[0] - here.middle[0], place.middle[1] - here.middle[1]];
      const ahead = x * dx + y * dy;
      const aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (ahead < 5 || aside > ahead * 1.8) continue;
      const far = ahead + aside * 2;
      if (!best || far < best.far) best = { id, far };
    }
    if (best) this.focus(best.id);
  }

  focus(id) {
    const { places } = this.page.board;
    places.get(this.cursor)?.group.setAttribute("tabindex", "-1");
    this.cursor = id;
    this.page.column.show(id);
    places.get(id)?.group.setAttribute("tabindex", "0");
    places.get(id)?.group.focus();
  }
}

/** The squares of a shape as it lies in a tray, in units of the board. */
function cellsOf(game, key = "") {
  const [kind, thing, index] = key.split(":");
  return (kind === "thing" && game.things[thing].cells?.[index] || []).map(([row, column]) => [column * UNIT, row * UNIT]);
}

/** The click that a browser makes of a touch hits what lies under the finger by then, as the board may have changed its size: it is
 *  for nobody. */
function swallowClick({ clientX, clientY }) {
  const swallow = (event) => {
    if (Math.hypot(event.clientX - clientX, event.clientY - clientY) < FAR) { event.preventDefault(); event.stopPropagation(); }
  };
  const stop = () => removeEventListener("click", swallow, { capture: true });
  addEventListener("click", swallow, { capture: true, once: true });
  addEventListener("pointerdown", stop, { capture: true, once: true }); // what follows is the click of another touch
  setTimeout(stop, AFTER_TOUCH);
}

/** Turns the shape that is held by R, and flips it by F, wherever on the page the keys are pressed. */
export function watchTurns(page) {
  document.addEventListener("keydown", (event) => {
    const isFlip = { r: false, f: true }[event.key.toLowerCase()];
    if (isFlip === undefined || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("dialog, input, textarea")) return;
    if (page.hands.turn(isFlip)) event.preventDefault();
  });
}

const placeAt = (element) => element?.closest?.("[data-place]")?.dataset.place ?? null;

/** Where an event lies, in units of the board's SVG. */
export function onBoard(element, event) {
  const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(element.getScreenCTM().inverse());
  return `${spot.x} ${spot.y}`;
}
