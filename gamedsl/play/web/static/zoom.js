// The size of the board: it is enlarged by a touch where its targets are small, by a pinch, by buttons, by the wheel and by keys.
// What is chosen in the enlarged board is chosen as in the whole one.

import { fill, html } from "./svg.js";
import { TwoFingers } from "./turn_gestures.js";

const LARGE = { touch: 48, pen: 32, mouse: 28 }; // pixels: the size that a touch gives to a target
const ANY_FINGER = 44; // pixels: larger targets need no buttons
const SMALL = { touch: 30, pen: 16, mouse: 16 }; // pixels: a target below is enlarged by the first touch
const MOST = 8; // times
const STEP = 1.6; // of a button or a key
const ACROSS = 4.5; // cells that an enlarged board shows side by side at least
const KEYS = { "+": STEP, "=": STEP, "-": 1 / STEP };

export class Zoom {
  constructor(page) {
    Object.assign(this, { page, factor: 1, isBrief: false, pinch: null, pinched: false });
    this.view = html("div", { class: "board-view" });
    const tool = (sign, label, act) => html("button", { type: "button", "aria-label": label, title: label, onclick: act }, sign);
    this.tools = html("div", { class: "zoom-tools" }, tool("−", "smaller board", () => this.#step(1 / STEP)), tool("+", "larger board", () => this.#step(STEP)));
    this.view.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.view.addEventListener("keydown", (event) => this.#pressed(event));
    this.view.addEventListener("touchstart", (event) => this.#spread(event), { passive: true });
    this.view.addEventListener("touchmove", (event) => this.#pinched(event), { passive: false });
    this.view.addEventListener("touchend", () => { this.pinch = null; }, { passive: true });
    this.view.addEventListener("scroll", () => { this.isScrolled = true; }, { passive: true, once: true });
    this.width = innerWidth;
    addEventListener("resize", () => this.#turned());
  }

  /** A screen that is turned shows all of the board; while the first one is covered, there is none. */
  #turned() {
    if (innerWidth === this.width) return;
    this.width = innerWidth;
    if (this.page.board) this.whole();
  }

  /** What is shown of a board: the part of it that was shown before. */
  attach(board) {
    const at = this.isScrolled ? [this.view.scrollLeft, this.view.scrollTop] : null; // to ask for it costs a layout
    if (this.scene !== this.page.scene.part) this.#forget();
    this.scene = this.page.scene.part;
    fill(this.view, [board.element]);
    this.#size();
    if (at) [this.view.scrollLeft, this.view.scrollTop] = at;
    board.sized = () => this.#offer(); // to ask for sizes earlier costs a layout
  }

  /** Enlarges the board where a target is too small to be touched; false if it is large enough. */
  enlarges(pointer, { id, at }) {
    const { page } = this;
    const size = page.board.places.get(id).size * page.board.pixels;
    if (!at || !(size < SMALL[pointer]) || page.settings.kept.enlarge === "never") return false;
    const most = Math.max(1, this.view.clientWidth / ACROSS / (100 * page.board.pixels));
    const by = Math.min(LARGE[pointer] / size, most);
    if (by < STEP / 1.2) return false;
    if (this.factor === 1) this.isBrief = true;
    this.#scale(by, at);
    return true;
  }

  /** Shows all of the board, so that the sentence need not say that it is larger. */
  whole() {
    this.#forget();
    this.#size();
    this.#offer();
    this.page.instruct();
  }

  /** Ends what one touch has enlarged; of a choice that goes on, only if it goes on beyond the part that is shown. */
  rest(places = null) {
    if (!this.isBrief) return;
    const box = this.view.getBoundingClientRect();
    const isShown = (id) => {
      const { left, right, top, bottom } = this.page.board.places.get(id).group.getBoundingClientRect();
      return left + right > 2 * box.left && left + right < 2 * box.right && top + bottom > 2 * box.top && top + bottom < 2 * box.bottom;
    };
    if (!places || ![...places].every(isShown)) this.whole();
  }

  #forget() {
    Object.assign(this, { factor: 1, isBrief: false });
  }

  /** Buttons for boards whose targets are small, and for those that are enlarged. */
  #offer() {
    const { board } = this.page;
    if (!board?.element.isConnected) return;
    const sizes = [...board.places.values()].map(({ size }) => size);
    const least = Math.min(...sizes) * board.pixels;
    const pointer = matchMedia("(pointer: coarse)").matches ? ANY_FINGER : SMALL.mouse;
    const [smaller, larger] = this.tools.children;
    this.tools.hidden = !(sizes.length && least < pointer) && this.factor === 1;
    smaller.disabled = this.factor === 1;
    larger.disabled = this.factor >= MOST;
  }

  #size() {
    const { style } = this.page.board.element;
    const [, , wide, high] = this.page.board.view;
    const isLarge = this.factor > 1;
    this.view.classList.toggle("enlarged-board", isLarge);
    const px = (length) => (isLarge ? `${length}px` : "");
    style.width = px(wide * this.pixels * this.factor);
    style.height = px(high * this.pixels * this.factor);
    this.view.style.height = px(this.height);
  }

  /** Enlarges by a factor; the point of the board at `at`, in pixels of the window, stays there. */
  #scale(by, at) {
    const { board } = this.page;
    if (this.factor === 1) {
      this.pixels = board.pixels; // of a unit
      this.height = Math.max(this.view.clientHeight, Math.min(this.view.clientWidth, innerHeight * 0.6)); // of a flat board there is room for more
    }
    const factor = Math.min(MOST, Math.max(1, this.factor * by));
    if (factor === this.factor) return;
    if (factor === 1) {
      this.whole();
      return;
    }
    const point = new DOMPoint(...at).matrixTransform(board.element.getScreenCTM().inverse());
    this.factor = factor;
    this.#size();
    const now = point.matrixTransform(board.element.getScreenCTM());
    this.isScrolled = true;
    this.view.scrollLeft += now.x - at[0];
    this.view.scrollTop += now.y - at[1];
    this.#offer();
  }

  #middle() {
    const focused = document.activeElement?.closest?.("[data-place]");
    const { left, top, width, height } = (focused ?? this.view).getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  }

  #step(by) {
    this.isBrief = false;
    this.#scale(by, this.#middle());
  }

  #wheel(event) {
    if (!event.ctrlKey) return; // which a pinch on a touchpad sets, too
    event.preventDefault();
    this.isBrief = false;
    this.#scale(Math.exp(-event.deltaY / 200), [event.clientX, event.clientY]);
  }

  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (KEYS[event.key]) this.#step(KEYS[event.key]);
    else if (event.key === "0") this.whole();
    else return;
    event.preventDefault();
  }

  #spread({ touches }) {
    this.pinched = touches.length > 1;
    this.pinch = touches.length === 2 ? new TwoFingers(this.page.hands, touches) : null;
  }

  #pinched(event) {
    if (this.pinch === null || event.touches.length !== 2) return;
    event.preventDefault();
    const [a, b] = event.touches;
    const by = this.pinch.moved(event.touches);
    if (by === 1) return;
    this.isBrief = false;
    this.#scale(by, [(a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2]);
  }
}
