// The page of one table: board, panel, moves, choices. `mount(element, table)` is the only entry.
// What a table offers stands in docs/reference/web.md.

import { Board } from "./board.js";
import { Choices } from "./choices.js";
import { drawGhost, removed } from "./ghost.js";
import { Felt } from "./felt.js";
import { guide, watchTakeBack } from "./guide.js";
import { steady } from "./steady.js";
import { Hold } from "./hold.js";
import { Hands, watchTurns } from "./hands.js";
import { groundOf } from "./layout.js";
import { leaf, movesView } from "./moves.js";
import { Marks } from "./marks.js";
import { Notes } from "./notes.js";
import { Ticker } from "./clock.js";
import { panel, statusLine } from "./panel.js";
import { Pen } from "./pen.js";
import { fillings } from "./pieces.js";
import { pastBoards } from "./picture_view.js";
import { redraw } from "./press.js";
import { Records } from "./records.js";
import { groupsOf } from "./selection.js";
import { Settings } from "./settings.js";
import { StackColumn } from "./stack_column.js";
import { Speech } from "./speech.js";
import { fill, html } from "./svg.js";
import { Zoom } from "./zoom.js";

const NEWEST = 1; // the version of the data that this page understands

export function mount(element, table) {
  if (table.game.version > NEWEST) {
    element.replaceChildren(html("p", { role: "alert" }, "This game was made for a newer page."));
    return null;
  }
  return new Page(element, table);
}

class Page {
  constructor(element, table) {
    this.element = element;
    this.table = table;
    this.game = table.game;
    this.turned = null; // until a person turns the board, it is turned for the seat that plays here
    this.grounds = new Map(); // part -> kind of ground, as it was first
    this.speech = new Speech();
    this.settings = new Settings();
    this.ticker = new Ticker(element);
    this.hold = new Hold(this);
    this.hands = new Hands(this);
    this.choices = new Choices(this);
    this.pen = new Pen(this);
    this.felt = new Felt(this);
    this.column = new StackColumn(this);
    this.records = new Records(this);
    this.notes = new Notes(this);
    this.zoom = new Zoom(this);
    this.parts = this.#frame();
    this.#introduce();
    element.classList.add("gamedsl");
    element.replaceChildren(this.parts.header, this.parts.main, this.speech.live, this.records.dialog, this.parts.rules, this.parts.cover, fillings());
    document.addEventListener("keydown", (event) => leaf(this, event));
    watchTakeBack(this);
    steady(this.parts.header, this.parts.guide);
    watchTurns(this);
    this.#watchFaults();
    this.parts.moves.append(this.parts.played, this.notes.element);
    this.end = table.subscribe((update) => this.show(update));
  }

  #frame() {
    const part = (name, attributes = {}) => html("section", { class: name, ...attributes });
    const rules = html("dialog", { class: "rules", "aria-label": "rules" });
    const status = html("p", { class: "status" });
    const header = html("header", {}, html("h1"), status, html("div", { class: "head-tools" },
      button("Rules", () => rules.showModal()), button("Turn", () => this.turn(), "turn the board"), button("◐", () => this.theme(), "dark or light"), button("⚙", () => this.settings.edit(this.element), "settings")));
    const board = part("board-area", { "aria-label": "board" });
    const ask = part("choices", { "aria-label": "your move" });
    const side = part("panel", { "aria-label": "players and game" });
    const moves = part("moves", { "aria-label": "moves" });
    const played = html("div");
    const guide = html("p", { class: "guide", role: "status" });
    const turning = html("div", { class: "turning", role: "group", "aria-label": "the shape that you lay" });
    const beside = html("div", { class: "beside-board" }, turning, this.speech.element, this.felt.element, this.column.element, ask);
    const main = html("main", {}, guide, board, beside, side, moves);
    const cover = html("dialog", { class: "cover", "aria-label": "hand over" });
    return { rules, status, header, guide, board, beside, turning, ask, side, moves, played, main, cover };
  }

  #introduce() {
    const { rules, header } = this.parts;
    header.querySelector("h1").textContent = this.game.title;
    rules.innerHTML = this.game.rulebook || "<p>No rulebook.</p>"; // escaped by whoever made it
    rules.prepend(html("button", { class: "close", onclick: () => rules.close(), "aria-label": "close the rules" }, "×"));
  }

  /** Begins anew with the game of the table, whose rules are others now; the next update shows it. */
  renew() {
    Object.assign(this, { game: this.table.game, board: undefined, update: undefined, drawn: null });
    this.grounds.clear();
    this.#introduce();
  }

  /** What breaks in this page is shown, and can be tried again. */
  #watchFaults() {
    const broken = (error) => this.speech.fail(`The page could not continue: ${error?.message ?? error}.`, () => (this.table.retry ?? (() => this.show(this.told))).call(this.table));
    addEventListener("unhandledrejection", ({ reason }) => broken(reason));
    addEventListener("error", ({ error, message }) => broken(error ?? message));
  }

  /** Shows an update of the table. */
  show(update) {
    if (this.hold.keeps(update)) return;
    const before = this.update;
    const drawn = { position: update.position, rest: JSON.stringify([update.tree.at, update.marks, this.table.seats]) };
    const isDrawn = this.#isDrawn(update, drawn);
    this.drawn = null; // until all of it is shown
    this.marks = new Marks(this.table.game, update);
    this.game = this.marks.game(this.table.game);
    this.told = update;
    this.update = this.marks.update(update);
    this.#messages(before);
    const { position } = update;
    this.scene = this.game.scenes.find((scene) => scene.part === position.scene);
    this.#cover(update.cover);
    if (update.cover !== null && update.cover !== undefined) return;
    if (isDrawn && JSON.stringify(before.names) !== JSON.stringify(update.names)) this.#nameAgain();
    if (!isDrawn) this.#keepFocus(() => this.#position(before));
    this.#anew(this.parts.side, panel);
    this.#anew(this.parts.played, movesView);
    this.notes.show();
    this.parts.status.replaceChildren(...statusLine(this));
    this.ticker.begin(update.clocks);
    this.#announce(before);
    this.drawn = drawn;
    this.hold.begin(before);
  }

  /** Does the board show this already? Then what is chosen there stays: only names, offers or clocks are others. */
  #isDrawn(update, { position, rest }) {
    const { drawn, told } = this;
    return Boolean(drawn && told !== update && drawn.position === position && drawn.rest === rest);
  }

  #position(before) {
    this.previews = new Map();
    this.#board(before);
    this.column.begin();
    this.hands.begin();
  }

  /** People have other names now: all else stays as it is. */
  #nameAgain() {
    this.felt.show();
    this.instruct();
  }

  #anew(part, view) {
    redraw(part, () => this.#keepFocus(() => fill(part, view(this))));
  }

  /** The button that was pressed keeps the focus when it is drawn anew; if it can't be pressed any more, the list of moves has it. */
  #keepFocus(draw) {
    const label = document.activeElement?.closest?.(".moves, .choices, .panel") && document.activeElement.getAttribute("aria-label");
    draw();
    if (!label || document.activeElement?.getAttribute("aria-label") === label) return;
    const again = this.element.querySelector(`[aria-label="${CSS.escape(label)}"]`);
    (again && !again.disabled ? again : this.parts.moves.querySelector(".move-list"))?.focus({ preventScroll: true });
  }

  /** A message belongs to the position at which it was made; a failure stays until the table goes on. */
  #messages(before) {
    const { trouble, tree } = this.update;
    if (trouble) this.speech.fail(trouble, () => this.table.retry());
    else if (this.speech.kind === "failure" || (before && (before.tree.at !== tree.at || before.tree.nodes.length !== tree.nodes.length))) this.speech.close();
  }

  #board(before) {
    const { picture } = this.update.position;
    if (!this.grounds.has(this.scene.part) && this.scene.place) this.grounds.set(this.scene.part, groundOf(this.scene, picture));
    const focused = document.activeElement?.closest?.("[data-place]")?.dataset.place;
    const [old, lay] = [this.board, this.#lying()];
    this.board = new Board(this.scene, picture, this.isTurned, this.grounds.get(this.scene.part), () => this.#inUse(), old);
    this.parts.board.hidden = this.scene.kind === "none";
    this.element.classList.toggle("no-board", this.scene.kind === "none");
    if (this.scene.kind === "none") this.parts.board.after(this.felt.element);
    else fill(this.parts.beside, [this.parts.turning, this.speech.element, this.felt.element, this.column.element, this.parts.ask]);
    this.zoom.attach(this.board);
    fill(this.parts.board, [this.zoom.view, this.zoom.tools, ...pastBoards(picture, this.game.scenes)]);
    this.pen.begin();
    this.hands.attach();
    if (focused) this.board.places.get(focused)?.group.focus();
    if (!old || !before || before.position.scene !== this.scene.part) return;
    this.#glide(lay);
    if (this.#isNext(before) && !before.position.picture.over) this.board.mark("removed", removed(old.picture, picture));
  }

  /** The places that legal actions name by their parameters. */
  #inUse() {
    const named = this.update.position.turn.actions.flatMap(([number, kind, values]) => groupsOf(this.game.kinds[kind], number, values, () => true).flat());
    return [...new Set(named)].map((id) => [id.split(":")[0], Number(id.split(":")[1])]);
  }

  /** Is the position that is shown one ply after another? */
  #isNext(before) {
    const { nodes, at } = this.update.tree;
    return nodes.find(({ id }) => id === at)?.parent === before.tree.at;
  }

  /** The pieces that stand on the board. */
  #pieces() {
    return [...(this.board?.element.querySelectorAll(".piece[data-on]") ?? [])];
  }

  /** Where pieces stand, and of which kinds they are. */
  #lying() {
    return this.#pieces().map(({ dataset: { on, kind } }) => ({ on, kind }));
  }

  /** A piece that moved glides there. `before`: where pieces stood. */
  #glide(before) {
    if (!this.settings.moves) return;
    const spot = ({ on, kind }) => `${on} ${kind}`;
    const [was, is] = [new Set(before.map(spot)), new Set(this.#lying().map(spot))];
    const gone = before.filter((one) => !is.has(spot(one)));
    for (const p of this.#pieces().filter(({ dataset }) => !was.has(spot(dataset)))) {
      const from = gone.find(({ kind }) => kind === p.dataset.kind);
      const [a, b] = [from && this.board.places.get(from.on)?.middle, this.board.places.get(p.dataset.on)?.middle];
      if (!a || !b) continue;
      gone.splice(gone.indexOf(from), 1);
      const rest = p.getAttribute("transform") ?? "";
      const scale = /scale\(.*\)/.exec(rest)?.[0] ?? "";
      p.animate([{ transform: `translate(${a[0]}px, ${a[1]}px) ${scale}` }, { transform: `translate(${b[0]}px, ${b[1]}px) ${scale}` }], { duration: 180, easing: "ease-out" });
    }
  }

  #announce(before) {
    const { position, notice } = this.update;
    if (!before) return;
    const { picture, turn } = position;
    const said = [];
    if (picture.last !== before.position.picture.last || this.update.tree.at !== before.tree.at) said.push(picture.last);
    if (turn.outcome) said.push(turn.outcome.text);
    else if (this.#mine(turn)) said.push("your move");
    if (notice && notice !== before.notice) said.push(notice);
    this.speech.say(said.filter(Boolean).join(". "));
  }

  #mine(turn) {
    return turn.seat !== null && turn.to_act.includes(turn.seat) && this.table.seats.includes(turn.seat);
  }

  #cover(seat) {
    const { cover } = this.parts;
    if (seat === null || seat === undefined) {
      cover.close();
      return;
    }
    const name = this.game.players[seat].name;
    cover.replaceChildren(html("h2", {}, `Hand the screen to ${name}`), html("p", {}, "The rules hide things from the others."), button(`I am ${name}`, () => this.table.uncover()));
    if (!cover.open) cover.showModal();
  }

  /** Shows what to do now. */
  instruct() {
    this.parts.guide.textContent = guide(this);
  }

  /** Draws what an action would change on the board; `null`: nothing. */
  async preview(number) {
    this.previewed = number;
    const { board } = this;
    if (number === null) drawGhost(board, null);
    const shown = number === null ? null : await this.after(number);
    if (this.previewed === number && this.board === board) drawGhost(board, shown);
  }

  /** The picture of the board after an action; null if it cannot be shown. */
  async after(number) {
    const { previews, table, told } = this;
    if (!table.preview || this.actor === null) return null;
    if (!previews.has(number)) previews.set(number, table.preview(number, this.actor));
    const found = await previews.get(number);
    if (!found || this.told.position !== told.position || found.scene !== this.scene.part) return null;
    return this.marks.update({ ...told, position: { ...told.position, picture: found.picture } }).position.picture;
  }

  /** May something be played now, and for which seat? */
  get actor() {
    const { turn } = this.update.position;
    return this.#mine(turn) ? turn.seat : null;
  }

  get isTurned() {
    if (this.turned !== null) return this.turned;
    const [only, ...others] = this.table.you ?? this.table.seats;
    return this.game.players.length === 2 && only === 1 && !others.length && this.scene.kind !== "none";
  }

  turn() {
    this.turned = !this.isTurned;
    this.show(this.told);
  }

  theme() {
    const dark = this.element.dataset.theme ? this.element.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    this.element.dataset.theme = dark ? "light" : "dark";
  }

  /** Plays an action; a refusal is told with its rule and clause. */
  async play(number) {
    this.zoom.rest();
    const answer = await this.table.play(number, this.actor);
    if (!answer.ok) this.refuse(answer.reasons);
  }

  /** `before`: a sentence about what was tried. */
  refuse(reasons, before = "") {
    this.speech.refuse(reasons, before);
  }
}

export function button(label, onclick, title) {
  return html("button", { type: "button", onclick, "aria-label": title, title }, label);
}
