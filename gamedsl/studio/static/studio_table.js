// The table beside the text: a line of moves that is played again under every new text. The members are those of
// docs/reference/web.md; the server answers from the text as it is open.

export const PERSON = "person";
export const PLAYERS = { [PERSON]: "you", random: "random", "mcts:200ms": "program, quick", "mcts:1s": "program, 1 s", "mcts:4s": "program, 4 s" };

export class StudioTable {
  /** `ask(request)` asks the server; `changed(table)` is called with every new position; `refused(reasons)` with the rules that
   *  refuse a move. */
  constructor({ ask, changed, refused }) {
    Object.assign(this, { ask, changed, refused, listeners: new Set() });
    this.forget();
  }

  /** Begins with another file; the page that showed the one before is gone. */
  forget() {
    this.listeners.clear();
    Object.assign(this, { plies: [], at: null, seed: Math.floor(Math.random() * 2 ** 30), players: [], options: new Map(), seenBy: null, data: null, game: null, number: 0, notice: "", trouble: null, declared: [], lastRefused: {}, isNewText: true });
  }

  get seats() {
    return this.game ? this.game.players.map((_, seat) => seat).filter((seat) => (this.players[seat] ?? PERSON) === PERSON) : [];
  }

  /** The line as far as the rules know it. */
  get line() {
    return this.data ? this.data.plies : [];
  }

  /** A request about this line. */
  request(fields) {
    return { file: this.file, plies: this.plies, options: [...this.options], seed: this.seed, ...fields };
  }

  // ------------------------------------------------------------------------------------------------- what is shown

  /** Plays the line again. `isNewText`: under other rules than before. One request is under way at a time: what comes while it is, is
   *  answered by one more. */
  refresh(isNewText = false) {
    this.number += 1;
    this.isNewText ||= isNewText || !this.game;
    this.running ??= this.#play().finally(() => { this.running = null; });
    return this.running;
  }

  async #play() {
    let [number, answer] = [0, null];
    do {
      ({ number } = this);
      const facts = this.isNewText ? {} : { facts: false, digest: this.game.digest };
      this.isNewText = false;
      answer = await this.ask(this.request({ do: "position", at: this.at, seen_by: this.seenBy, ...facts }));
      if (number !== this.number && answer.game) this.isNewText = true; // it is not shown: the next one brings it again
    } while (number !== this.number);
    this.failed = answer.ok ? null : answer;
    if (answer.ok) {
      if (answer.game) Object.assign(this, { game: answer.game, declared: answer.options });
      this.data = answer;
    }
    this.changed(this, Boolean(answer.game));
    if (!answer.ok) return;
    this.#tell();
    this.#letPrograms(number);
  }

  #tell() {
    const update = this.update();
    this.listeners.forEach((listener) => listener(update));
  }

  update() {
    const { data, notice } = this;
    const tip = data.plies.length;
    const nodes = [{ id: 0, parent: null, seat: null, text: "", secret: false }, ...data.plies.map(([seat, text], i) => ({ id: i + 1, parent: i, seat, text, secret: false }))];
    return { position: data.position, tree: { nodes, at: data.at, tip }, can: { undo: tip > 0, go: true, redraw: false, load: true }, notice, cover: null, values: {}, clocks: null, trouble: this.trouble, marks: [] };
  }

  subscribe(listener) {
    this.listeners.add(listener);
    listener(this.update());
    return () => this.listeners.delete(listener);
  }

  /** Lets the programs move whose turn it is, at the end of the line. */
  async #letPrograms(number) {
    const { turn } = this.data.position;
    if (turn.outcome || this.data.at !== this.data.plies.length || this.data.parted) return;
    const seat = turn.to_act.find((one) => (this.players[one] ?? PERSON) !== PERSON);
    if (seat === undefined) return;
    this.notice = `${this.game.players[seat].name} is thinking ...`;
    this.#tell();
    const answer = await this.ask(this.request({ do: "choose", plies: this.data.plies, seat, agent: this.players[seat] }));
    if (number !== this.number) return;
    this.notice = "";
    this.trouble = answer.ok ? null : `${this.game.players[seat].name} could not move: ${answer.message}`;
    if (answer.ok) await this.#follow(answer.plies);
    else this.#tell();
  }

  async retry() {
    this.trouble = null;
    await this.refresh();
  }

  async #follow(plies) {
    Object.assign(this, { plies, at: null, lastRefused: {} });
    await this.refresh();
  }

  // ------------------------------------------------------------------------------------------------- what is done

  /** The plies up to the position that is shown. */
  get shownPlies() {
    return this.data.plies.slice(0, this.data.at);
  }

  async play(action, seat) {
    return this.#made({ action, seat });
  }

  async draw(strokes, seat) {
    return this.#made({ strokes, seat });
  }

  async #made(move) {
    const answer = await this.ask(this.request({ do: "play", plies: this.shownPlies, ...move }));
    if (!answer.ok) return { ok: false, reasons: [{ message: answer.diagnostics ? `the text has mistakes: ${answer.message}` : answer.message, clauses: [] }] };
    if (answer.reasons) {
      this.lastRefused = "action" in move ? { refused: [move.action], seat: move.seat } : {};
      this.refused(answer.reasons);
      return { ok: false, reasons: answer.reasons };
    }
    this.refused([]);
    await this.#follow(answer.plies);
    return { ok: true };
  }

  async why(actions, seat) {
    const { reasons = [] } = await this.ask(this.request({ do: "why", plies: this.shownPlies, actions, seat }));
    this.lastRefused = reasons.length ? { refused: actions.slice(0, 1), seat } : {};
    this.refused(reasons);
    return reasons;
  }

  /** The rules that refuse what a pointer rests on: of the kind of move that refuses it least. `tried`: actions by kind of move. */
  async hover(tried, seat) {
    const answers = await Promise.all(tried.map((actions) => this.ask(this.request({ do: "hover", plies: this.shownPlies, actions, seat }))));
    const found = answers.map(({ reasons = [] }) => reasons).filter((reasons) => reasons.length);
    const isAhead = (reasons) => reasons.some((one) => one.ahead);
    const [best = []] = found.sort((a, b) => isAhead(b) - isAhead(a) || a.length - b.length);
    return best;
  }

  async preview(action, seat) {
    return (await this.ask(this.request({ do: "preview", plies: this.shownPlies, action, seat }))).preview ?? null;
  }

  async judge(strokes) {
    const seat = this.data.position.turn.seat ?? 0;
    return (await this.ask(this.request({ do: "judge", plies: this.shownPlies, strokes, seat }))).judged ?? { strokes: [], done: false };
  }

  async go(node) {
    this.at = node === this.line.length ? null : node;
    await this.refresh();
    return { ok: true };
  }

  /** Takes the last ply of a person back, with what followed it. */
  async undo() {
    const { plies } = this.data;
    let keep = plies.length - 1;
    while (keep > 0 && !this.seats.includes(plies[keep][0])) keep -= 1;
    await this.#follow(plies.slice(0, Math.max(0, keep)));
    return { ok: true };
  }

  async redraw() {
    return { ok: false, reasons: [] };
  }

  async record() {
    const answer = await this.ask(this.request({ do: "record", name: this.file }));
    return answer.ok ? answer.record : answer.message;
  }

  async load(text) {
    const answer = await this.ask(this.request({ do: "load", record: text }));
    if (!answer.ok) return { ok: false, reasons: [{ message: answer.message, clauses: [] }] };
    await this.#follow(answer.plies);
    return { ok: true };
  }

  /** Shows a line of moves, with these values of the options where they are given. */
  async showLine(plies, options = null) {
    if (options) this.options = new Map(options);
    Object.assign(this, { plies, at: null, lastRefused: {} });
    await this.refresh(Boolean(options));
  }

  async restart() {
    this.seed = Math.floor(Math.random() * 2 ** 30);
    await this.showLine([]);
  }

  get tools() {
    return [{ id: "new", label: "New game", run: () => this.restart() }];
  }
}
