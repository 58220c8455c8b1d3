// Drawing on a sheet: strokes by mouse, pen or touch (or typed), judged while they are drawn; faults at their place.

import { onBoard } from "./hands.js";
import { pointsFrom, strokeFrom } from "./strokes.js";
import { html, points, svg } from "./svg.js";

const FIGURES = { "closed curve": { square: [[10, 10], [90, 10], [90, 90], [10, 90]], hexagon: [[30, 10], [70, 10], [95, 50], [70, 90], [30, 90], [5, 50]] } };

export class Pen {
  constructor(page) {
    this.page = page;
    this.own = []; // good strokes: [name, points]
    this.rough = null; // the line that a hand is drawing
    this.faults = [];
  }

  get isDrawing() {
    return this.page.actor !== null && this.page.update.position.turn.kind === "drawing";
  }

  get #plan() {
    const name = this.page.update.position.turn.strokes[this.own.length];
    return this.page.scene.plan?.strokes.find((s) => s.name === name) ?? null;
  }

  /** A new position, or the board drawn anew. */
  begin() {
    const due = this.isDrawing ? this.page.update.position.turn.strokes.join(" ") : "";
    if (due !== this.due) Object.assign(this, { own: [], faults: [], rough: null, due });
    if (!this.isDrawing) return;
    const { element } = this.page.board;
    element.classList.add("drawing");
    element.addEventListener("pointerdown", (event) => this.#down(event));
    this.#paint();
  }

  #down(event) {
    if (!this.isDrawing || !this.#plan || event.button > 0) return;
    event.preventDefault();
    const { element } = this.page.board;
    element.setPointerCapture(event.pointerId);
    this.faults = [];
    this.rough = [this.#point(event)];
    const move = (e) => {
      for (const one of e.getCoalescedEvents?.() ?? [e]) this.rough.push(this.#point(one));
      this.#paint();
      this.#judgeRough();
    };
    const up = () => {
      element.removeEventListener("pointermove", move);
      const drawn = this.rough;
      this.rough = null;
      if (drawn.length > 2) this.#finish(strokeFrom(this.#plan.shape, drawn));
      else this.#paint();
    };
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", up, { once: true });
    element.addEventListener("pointercancel", up, { once: true });
  }

  #point(event) {
    return this.page.board.layout.onBoard(onBoard(this.page.board.element, event).split(" ").map(Number));
  }

  /** Judges the line so far, as long as no other judgement is under way: only what is wrong already at a place. */
  async #judgeRough() {
    if (this.judging || this.#plan.shape === "closed curve") return;
    this.judging = true;
    const line = strokeFrom(this.#plan.shape, this.rough);
    const judged = line.length > 1 ? await this.page.table.judge([...this.own, [this.#plan.name, line]]) : null;
    this.judging = false;
    if (!this.rough || !judged) return;
    this.faults = judged.strokes.at(-1)?.faults ?? [];
    this.#paint();
  }

  async #finish(line) {
    const { name } = this.#plan;
    const judged = await this.page.table.judge([...this.own, [name, line]]);
    const last = judged.strokes[this.own.length];
    if (!last) return;
    this.faults = last.faults;
    this.failed = last.faults.length ? last.points : null;
    if (last.faults.length) this.page.refuse(last.faults);
    else {
      this.own = [...this.own, [name, last.points]];
      this.page.speech.say(`${name} drawn`);
    }
    this.#paint();
    this.page.choices.show();
  }

  #paint() {
    const { board } = this.page;
    const shown = [...this.own.map(([name, line]) => this.#line(name, line, "own")), ...(this.failed && this.faults.length ? [this.#line(this.#plan?.name, this.failed, "failed")] : [])];
    if (this.rough) shown.push(svg("polyline", { class: "stroke rough", points: points(this.rough.map((p) => board.layout.point(p))) }));
    for (const fault of this.faults.filter((f) => f.at)) {
      const [x, y] = board.layout.point(fault.at);
      shown.push(svg("g", { class: "fault", transform: `translate(${x} ${y})` }, svg("circle", { r: 20 }), svg("path", { d: "M-8 -8 L8 8 M8 -8 L-8 8" }), svg("title", {}, fault.message)));
    }
    board.layers.pen.replaceChildren(...shown);
  }

  #line(name, line, kind) {
    const closed = this.page.scene.plan.strokes.find((s) => s.name === name)?.shape === "closed curve";
    return svg(closed ? "polygon" : "polyline", { class: `stroke ${kind}`, points: points(line.map((p) => this.page.board.layout.point(p))) });
  }

  // ------------------------------------------------------------------------------------------------- controls

  controls() {
    if (!this.isDrawing) return [];
    const { strokes } = this.page.update.position.turn;
    const plan = this.#plan;
    const steps = html("ol", { class: "strokes" }, ...strokes.map((name, i) => html("li", { class: i < this.own.length ? "done" : i === this.own.length ? "due" : "" }, name)));
    const what = plan ? html("p", {}, `Draw ${plan.name}: a ${plan.shape}${plan.across ? ` across ${plan.across}` : ""}.`) : html("p", {}, "The drawing is complete.");
    return [html("div", { class: "pen" }, what, steps, html("div", { class: "tools" }, ...this.#buttons(strokes, plan)), ...(plan ? [this.#typed(plan)] : []), this.#faultList())];
  }

  #buttons(strokes, plan) {
    const press = (label, run, possible = true, kind = "") => html("button", { type: "button", class: kind, disabled: !possible, onclick: run }, label);
    const figures = Object.entries(FIGURES[plan?.shape] ?? {}).map(([name, line]) => press(name, () => this.#finish(line)));
    const drop = (count) => { this.own = this.own.slice(0, count); this.faults = []; this.#paint(); this.page.choices.show(); };
    return [...figures, press("Undo stroke", () => drop(-1), this.own.length > 0), press("Start over", () => drop(0), this.own.length > 0), press("Accept the drawing", () => this.#draw(), this.own.length === strokes.length, "main")];
  }

  /** Points as numbers: for keyboards and screen readers. */
  #typed(plan) {
    const field = html("input", { type: "text", "aria-label": `points of ${plan.name}`, placeholder: "10,10 90,10 50,80" });
    const read = (event) => {
      event.preventDefault();
      const line = pointsFrom(field.value);
      if (line) this.#finish(line);
      else this.page.speech.refuse([{ message: "write points such as 10,10 90,10 50,80", clauses: [] }]);
    };
    return html("form", { onsubmit: read }, field, html("button", {}, "Draw these points"));
  }

  #faultList() {
    if (!this.faults.length) return "";
    return html("ul", { class: "faults" }, ...this.faults.map((f) => html("li", {}, f.message, ...f.clauses.map((c) => html("small", {}, ` ${c.number} ${c.text}`)))));
  }

  async #draw() {
    const answer = await this.page.table.draw(this.own, this.page.actor);
    if (!answer.ok) this.page.refuse(answer.reasons);
  }
}
