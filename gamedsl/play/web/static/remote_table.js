// A table of `gamedsl serve`, with the methods of docs/reference/web.md. The protocol: docs/reference/server.md.

import { called } from "./called.js";
import { isExploration } from "./exploration.js";
import { Variations } from "./remote_exploration.js";
import { editMarks } from "./setup.js";

const SILENT = 3000; // milliseconds of a move without an answer until the page says so
const LONGEST_PAUSE = 10_000; // milliseconds between two attempts to connect

/** The table with this name; `key` opens a seat, an empty one lets watch. Rejects where there is none. */
export async function openRemoteTable(name, key) {
  const answer = await fetch(`/api/tables/${encodeURIComponent(name)}`);
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.message);
  const table = new RemoteTable(name, key, told.game);
  await table.ready;
  return table;
}

class RemoteTable {
  constructor(name, key, game) {
    Object.assign(this, { name, key, game, seats: [], nodes: [], looked: null, wished: null, pause: 500, number: 0, asked: new Map(), values: {}, listeners: new Set(), online: false, said: [], talks: false, hear: () => {}, begins: () => {}, breaks: () => {}, plan: null, waits: null, silent: false });
    this.variations = new Variations(this, (fields) => this.#ask("explore", fields), () => this.#tell());
    this.ready = new Promise((done, failed) => Object.assign(this, { done, failed }));
    this.#connect();
  }

  // ------------------------------------------------------------------------------------------------- the socket

  #connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/live/${this.name}`);
    this.socket.onopen = () => this.#send({ do: "hello", key: this.key });
    this.socket.onmessage = (event) => this.#take(JSON.parse(event.data));
    this.socket.onclose = (event) => this.#closed(event.code);
  }

  #send(data) {
    this.socket.send(JSON.stringify(data));
  }

  #take(frame) {
    if (frame.kind === "welcome") this.#welcome(frame);
    else if (frame.kind === "update") this.#update(frame);
    else if (frame.kind === "messages") this.#messages(frame);
    else if (frame.kind === "answer") this.#answer(frame);
    else this.failure = frame.message;
  }

  #welcome(frame) {
    Object.assign(this, { seat: frame.seat, clock: frame.clock });
    if (this.plan) this.#breakPlan("The connection was lost");
    this.seats = frame.seat === null ? [] : [frame.seat];
    Object.assign(this, { nodes: [], said: [], talks: frame.talks, online: true, pause: 500, failure: "" });
  }

  #messages(frame) {
    this.said = [...this.said.slice(0, frame.from), ...frame.said];
    this.hear(); // the board is not drawn again: somebody may be in the middle of a move
  }

  #update(frame) {
    this.nodes = [...this.nodes.slice(0, frame.from), ...frame.nodes];
    if (this.frame?.stamp === frame.stamp) frame.position = this.frame.position; // the same position: what is chosen, planned or looked at stays
    else {
      if (this.plan) this.#breakPlan("While you planned, the position has changed");
      Object.assign(this, { looked: null, wished: null });
    }
    this.frame = frame;
    this.done(this);
    this.#tell();
  }

  #answer(frame) {
    const answered = this.asked.get(frame.id);
    this.asked.delete(frame.id);
    answered?.(frame);
  }

  #closed(code) {
    this.online = false;
    for (const answered of this.asked.values()) answered(lost);
    this.asked.clear();
    if (code === 4403 || code === 4404) {
      this.failed(new Error(this.failure || "This link opens no table."));
      return;
    }
    if (this.frame) this.#tell();
    setTimeout(() => this.#connect(), this.pause);
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
  }

  /** Asks the server; without a connection the answer is a refusal. */
  #ask(what, fields = {}) {
    if (!this.online) return Promise.resolve(lost);
    this.number += 1;
    this.#send({ do: what, id: this.number, ...fields });
    return new Promise((answered) => this.asked.set(this.number, answered));
  }

  // ------------------------------------------------------------------------------------------------- what is shown

  #tell() {
    if (this.variations.isOn) this.seats = this.variations.position.turn.to_act;
    this.listeners.forEach((listener) => listener(this.#shown()));
  }

  #shown() {
    const { frame, looked, plan, variations } = this;
    const tip = this.nodes.length - 1;
    if (variations.isOn) return this.#explored(tip);
    const notice = this.silent && this.online ? "The server has not answered yet; your move is not made." : this.online ? [frame.notice, this.#offer()].filter(Boolean).join(" ") : "The connection is lost; trying again ...";
    const position = plan?.position ?? looked?.position ?? frame.position;
    const can = plan ? { ...frame.can, undo: plan.line.length > 0, go: false } : frame.can;
    return { position, tree: { nodes: this.nodes, at: looked?.node ?? tip, tip }, can, notice: plan && this.online ? [planText(plan), this.#offer()].filter(Boolean).join(" ") : notice, cover: null, values: this.values, clocks: frame.clocks, marks: frame.marks, names: frame.names, trouble: this.online ? frame.trouble : null };
  }

  /** While somebody explores, they move for all. */
  #explored(tip) {
    const { frame, variations: { position, nodes, at } } = this;
    const notice = this.online ? "You explore; nobody else sees it." : "The connection is lost; trying again ...";
    return { position, tree: { nodes, at, tip }, can: { undo: at > 0, go: true, redraw: false, load: true }, notice, cover: null, values: this.values, proofs: {}, exploring: true, clocks: frame.clocks, marks: frame.marks, names: frame.names, trouble: null };
  }

  #offer() {
    const { open, rematch, over } = this.frame;
    const name = (seat) => called(this.game, this.frame.names, seat);
    if (open) return `${name(open.seat)} ${open.what === "draw" ? "offers a draw" : "asks to take a move back"}.`;
    return over && rematch.seats.length ? `${rematch.seats.map(name).join(" and ")} would like another game.` : "";
  }

  get tools() {
    if (!this.frame) return [];
    const { over, open, next } = this.frame;
    const ask = (id, label) => ({ id, label, run: () => this.#say(id) });
    if (next) return [{ id: "next", label: "Go to the rematch", run: () => location.assign(`/table/${next.table}${next.key ? `#${next.key}` : ""}`) }];
    if (this.variations.isOn) return [{ id: "explore", label: "Stop exploring", run: () => this.explore(false) }];
    if (over) return [...(this.canExplore ? [{ id: "explore", label: "Explore", run: () => this.explore(true) }] : []), ...(this.game.hides ? [] : [{ id: "study", label: "Evaluate", run: () => this.#study() }]), ...(this.seat === null ? [] : [ask("rematch", "Rematch")])];
    if (this.seat === null) return [];
    if (this.plan) return [...(this.plan.mine ? [{ id: "keep", label: "Keep this answer", run: () => this.#keepLine() }] : []), { id: "stop", label: "Stop planning", run: () => this.#endPlanning() }];
    const offer = !open ? [ask("offer", "Offer a draw")] : open.agree.includes(this.seat) ? [ask("decline", "Withdraw the offer")] : ["accept", "decline"].map((word) => ask(word, `${word === "accept" ? "Accept" : "Decline"} the ${open.what === "draw" ? "draw" : "undo"}`));
    const marks = this.game.marks ? [{ id: "marks", label: "Mark", run: () => this.#chooseMark() }] : [];
    const plan = this.game.hides || this.frame.position.turn.to_act.includes(this.seat) ? [] : [{ id: "plan", label: "Plan an answer", run: () => this.#imagine([], -1) }];
    return [...(open ? offer : []), ...marks, ...plan, ...(open ? [] : offer), { id: "resign", label: "Resign", run: () => (confirm("Resign?") ? this.#say("resign") : null) }];
  }

  async #chooseMark() {
    const fault = async (marks) => {
      const answer = await this.#ask("mark", { mark: marks[this.seat] });
      return answer.ok ? null : answer.reasons[0].message;
    };
    await editMarks(this.game, [this.seat], this.frame.marks, fault);
  }

  // ------------------------------------------------------------------------------------------------- exploring

  /** After the end, where nothing is hidden, variations can be tried. What players draw cannot be drawn anew. */
  get canExplore() {
    return Boolean(this.frame?.over) && !this.game.hides && this.game.scenes.every(({ kind }) => kind !== "drawing");
  }

  async explore(begins) {
    if (!begins) {
      this.seats = this.seat === null ? [] : [this.seat];
      return this.variations.end();
    }
    const answer = await this.variations.begin(() => this.wished ?? this.nodes.length - 1);
    if (answer.ok) return null;
    this.variations.end();
    return { say: answer.reasons[0].message };
  }

  note(id, notes) {
    this.variations.note(id, notes);
  }

  prune() {
    return this.variations.prune();
  }

  explored() {
    return this.variations.text();
  }

  link() {
    return this.variations.link();
  }

  /** Opens the exploration of a link. */
  openLink(letters, text) {
    return this.#open(text, false);
  }

  async #open(text, keeps) {
    if (!this.canExplore) return { ok: false, reasons: [{ message: "An exploration can be opened here once the game is over, if its rules hide nothing and nobody draws.", clauses: [] }] };
    return this.variations.open(text, keeps);
  }

  // ------------------------------------------------------------------------------------------------- planning

  /** Shows the position after a line, in which the next ply of the plan is chosen; whoever is to move, this person moves for them. */
  async #imagine(line, action) {
    if (this.waits) return { ok: true }; // the ply before is not shown yet
    const answered = this.#imagined(line, action);
    this.waits = answered.then(({ imagined }) => Boolean(imagined));
    const answer = await answered;
    this.waits = null;
    return answer;
  }

  async #imagined(line, action) {
    const { plan } = this;
    const answer = await this.#ask("imagine", { line, action });
    if (this.plan !== plan) return { ok: true }; // somebody has moved, which ended the plan
    if (!answer.ok) return plan ? answer : { say: answer.reasons[0].message };
    const { position, line: plies } = answer.imagined;
    if (!plan) this.begins();
    const mover = plan?.position.turn.to_act[0];
    const movers = action < 0 ? (plan?.movers ?? []).slice(0, plies.length) : [...plan.movers, mover];
    this.plan = { line: plies, movers, position, mine: movers.at(-1) === this.seat, names: this.game.players };
    this.seats = position.turn.to_act;
    Object.assign(this, { looked: null, wished: null });
    this.#tell();
    return answer;
  }

  /** The seat of this person, also while they plan for others. */
  get you() {
    return this.seat === null ? [] : [this.seat];
  }

  #stopPlanning() {
    this.plan = null;
    this.seats = [this.seat];
  }

  /** Ends a plan that this person has not ended: their next touch was meant for it, and must not be a move. */
  #breakPlan(reason) {
    this.#stopPlanning();
    this.breaks(`${reason}, so your plan has ended. What you had not kept is dropped, and nothing of it was played.`);
  }

  #endPlanning() {
    this.#stopPlanning();
    this.#tell();
    return null;
  }

  async #keepLine() {
    const answer = await this.setPlans([...this.frame.plans, this.plan.line]);
    if (!answer.ok) return { say: answer.reasons[0].message };
    return this.#endPlanning();
  }

  /** Prepares these answers instead of all before. */
  setPlans(lines) {
    return this.#ask("plan", { lines, stamp: this.frame.stamp });
  }

  async #say(what) {
    const answer = await this.#ask(what);
    return answer.ok ? null : { say: answer.reasons[0].message };
  }

  /** Says how the position stands that is shown, and then draws how all others stood. */
  async #study() {
    const { at } = this.#shown().tree;
    const answer = await this.#ask("study", { node: at });
    if (!answer.ok) return { say: answer.reasons[0].message };
    if (!answer.study.values) return { say: "There is no evaluation of this position." };
    [this.values[at]] = answer.study.values;
    this.#studyAll();
    const values = answer.study.values.map((v, i) => `${this.game.players[i].name} ${v > 0 ? "+" : ""}${v}`);
    return { say: `${values.join(", ")} (from -1, a loss, to 1, a win). Best: ${answer.study.best.map((b) => b.text).join(", ")}` };
  }

  async #studyAll() {
    for (const { id } of this.nodes) {
      if (id in this.values) continue;
      const { ok, study, code } = await this.#ask("study", { node: id });
      if (code === "rate" || code === "lost") return; // asked elsewhere, or gone
      if (ok && study.values) [this.values[id]] = study.values;
      this.#tell();
    }
  }

  // ------------------------------------------------------------------------------------------------- the table

  subscribe(listener) {
    this.listeners.add(listener);
    listener(this.#shown());
    return () => this.listeners.delete(listener);
  }

  play(action) {
    if (this.variations.isOn) return this.variations.play(action);
    if (this.plan) return this.#imagine(this.plan.line, action);
    return this.#now(() => this.#ask("play", { action, stamp: this.frame.stamp }));
  }

  draw(strokes) {
    return this.#now(() => this.#ask("draw", { strokes, stamp: this.frame.stamp }));
  }

  /** Says so while a move goes unanswered: a connection may be dead long before the browser finds out. */
  async #patiently(asked) {
    const timer = setTimeout(() => this.#setSilent(true), SILENT);
    const answer = await asked;
    clearTimeout(timer);
    this.#setSilent(false);
    return answer;
  }

  #setSilent(silent) {
    if (this.silent === silent) return;
    this.silent = silent;
    this.#tell();
  }

  /** Moves are made at the end of the play only. */
  #now(move) {
    if (!this.looked) return this.#patiently(move());
    return Promise.resolve({ ok: false, reasons: [{ message: "Go to the last move to play on.", clauses: [] }] });
  }

  async judge(strokes) {
    const answer = await this.#ask("judge", { strokes });
    return answer.judged ?? { strokes: [], done: false };
  }

  async preview(action) {
    if (this.plan || this.variations.isOn) return null;
    return (await this.#ask("preview", { action })).preview ?? null;
  }

  async why(actions) {
    if (this.plan || this.variations.isOn) return [];
    return (await this.#ask("why", { actions })).reasons ?? [];
  }

  async go(node) {
    if (this.variations.isOn) return this.variations.go(node);
    this.wished = node;
    const answer = node === this.nodes.length - 1 ? { ok: true } : await this.#ask("look", { node });
    if (this.wished !== node) return answer; // a person has gone elsewhere since
    if (answer.ok) this.looked = answer.position ? { node, position: answer.position } : null;
    else this.wished = this.looked?.node ?? null;
    this.#tell();
    return answer;
  }

  undo() {
    if (this.variations.isOn) return this.variations.undo();
    if (this.plan) return this.#imagine(this.plan.line.slice(0, -1), -1);
    return this.#ask("undo");
  }

  redraw() {
    return Promise.resolve({ ok: false, reasons: [{ message: "The sheet stays as it is here.", clauses: [] }] });
  }

  async record() {
    const answer = await this.#ask("record");
    return answer.record ?? answer.reasons[0].message;
  }

  load(text) {
    if (isExploration(text)) return this.#open(text, true);
    return Promise.resolve({ ok: false, reasons: [{ message: "A table of a server reads explorations, not records.", clauses: [] }] });
  }

  /** Writes a message to the table; `name` is that of a spectator. */
  say(text, name) {
    return this.#ask("say", this.seat === null ? { text, name } : { text });
  }

  /** Gives the player of this seat a name. */
  rename(name) {
    return this.#ask("name", { name });
  }

  /** Lets agents that failed think again. */
  async retry() {
    const answer = await this.#ask("retry");
    if (!answer.ok) this.#tell();
    return answer;
  }
}

/** What a plan is so far. */
function planText({ line, movers, names }) {
  const plies = line.map((text, i) => `${names[movers[i]].name} ${text}`);
  return `You plan, and nobody else sees it. ${plies.length ? `So far: ${plies.join(", ")}.` : "First choose what the others might play."}`;
}

const lost = { ok: false, code: "lost", reasons: [{ message: "There is no connection to the server now.", clauses: [] }] };
