// The rules of one game: a WebAssembly module and what `gamedsl export --to wasm` tells about it. No words on any game.
// A state is a Uint8Array, which nobody changes. Works in pages, in workers and in Node.

const PAGE = 65536; // bytes of a page of memory
const NOTES = 1 << 19; // words for noted positions, to begin with
const [CAPACITY, USED, PLIES, DRAWINGS] = [2, 3, 4, 5]; // words of the context
const MOST_DRAWN = 512; // drawings by hand, beside those prepared
const GIVEN = 64; // words of the arguments of a question
const KINDS = ["end", "player", "player", "chance", "together", "drawing"];

export class RulesError extends Error {}

/** Compiles a module. `facts`: the JSON beside it; `room`: see `Rules`. */
export async function loadRules(bytes, facts, room) {
  const { instance } = await WebAssembly.instantiate(bytes, {});
  return new Rules(instance.exports, facts, room);
}

export class Rules {
  /** `actions`: how many actions there is room for, or words of a tally; `notes`: words for noted positions. Both may grow. */
  constructor(code, facts, { actions = 1024, notes = NOTES } = {}) {
    this.code = code;
    this.facts = facts;
    this.players = facts.game.players.length;
    this.context = code.heap.value;
    this.at = this.context + facts.memory.context; // of the state that a function works on
    this.given = this.at + facts.memory.state;
    this.out = this.given + 8 * GIVEN;
    this.most = actions;
    this.#makeRoom(facts.memory.notes ? notes : 1);
  }

  /** Noted positions come last in memory, so that there can always be more. */
  #makeRoom(words) {
    this.table = this.out + 8 * Math.max(this.most, this.#tallyWords);
    this.notes = this.table + 8 * this.#drawingWords;
    this.end = this.notes + 8 * words;
    this.reach(this.end);
    this.code.prepare(this.context, this.notes, words);
    if (this.#drawingWords) this.#putDrawings();
  }

  get #drawingWords() {
    return this.facts.plan ? this.facts.words * (this.facts.drawings.length + MOST_DRAWN) : 0;
  }

  /** The records of drawings move to where there is room for more. */
  #putDrawings() {
    const { words, drawings } = this.facts;
    const at = this.#word(DRAWINGS).getUint32(0, true);
    this.records ??= drawings.map((_, i) => new BigInt64Array(this.code.memory.buffer, at + 8 * words * i, words).slice());
    this.records.forEach((record, i) => this.#record(i).set(record));
    this.#word(DRAWINGS).setUint32(0, this.table, true);
  }

  #record(number) {
    const { words } = this.facts;
    return new BigInt64Array(this.code.memory.buffer, this.table + 8 * words * number, words);
  }

  /** Adds a drawing by its record; returns its number. */
  addDrawing(record) {
    const room = this.facts.drawings.length + MOST_DRAWN;
    if (this.records.length === room) throw new RulesError(`there is no room for more than ${MOST_DRAWN} drawings`);
    this.records.push(record);
    this.#record(this.records.length - 1).set(record);
    return this.records.length - 1;
  }

  /** The state after somebody has made the drawing with this number. */
  takeDrawing(state, number) {
    const before = this.#record(this.drawing(state));
    const kept = before.slice(0, 2); // its first successor, and how many there are
    before.set([BigInt(number), 1n]);
    const after = this.takePrepared(state, 0);
    this.#record(this.drawing(state)).set(kept);
    return after;
  }

  get #tallyWords() {
    return 3 + 5 * this.players + this.facts.lengths;
  }

  /** Makes memory large enough for what ends there. */
  reach(end) {
    const pages = Math.ceil(end / PAGE) - this.code.memory.buffer.byteLength / PAGE;
    if (pages > 0) this.code.memory.grow(pages);
  }

  #word(number) {
    return new DataView(this.code.memory.buffer, this.context + 8 * number, 8);
  }

  /** The room used for noted positions. `used = mark` forgets what was noted since; states made since are lost. */
  get used() {
    return this.#word(USED).getUint32(0, true);
  }

  set used(words) {
    this.#word(USED).setUint32(0, words, true);
  }

  /** The number of plies after which a playout stops. */
  set longest(plies) {
    this.#word(PLIES).setUint32(0, plies, true);
  }

  #widen() {
    const capacity = this.#word(CAPACITY).getUint32(0, true);
    if (!this.facts.memory.notes || this.used * 2 < capacity) return;
    this.reach(this.notes + 16 * capacity);
    this.#word(CAPACITY).setUint32(0, 2 * capacity, true);
    this.end = this.notes + 16 * capacity;
  }

  /** The memory of the module as `bytes` and as `words`, until it grows. */
  get #memory() {
    const { buffer } = this.code.memory;
    if (this.seen?.bytes.buffer !== buffer) this.seen = { bytes: new Uint8Array(buffer), words: new BigInt64Array(buffer) };
    return this.seen;
  }

  #put(state) {
    this.#memory.bytes.set(state, this.at);
  }

  #state() {
    return this.#memory.bytes.slice(this.at, this.at + this.facts.memory.state);
  }

  #answer(n) {
    return this.#memory.words.slice(this.out / 8, this.out / 8 + n);
  }

  #numbers(n) {
    return Array.from(this.#answer(n), Number);
  }

  /** Throws the rules error that has occurred, and forgets it. */
  #fail() {
    const place = this.code.error(this.context, this.at);
    throw new RulesError(this.facts.messages[place - 1] ?? "the rules cannot be followed here");
  }

  #done(status) {
    if (status < 0) this.#fail();
    return this.#state();
  }

  initial() {
    return this.#done(this.code.initial(this.context, this.at));
  }

  /** "player", "together", "chance", "drawing" or "end". */
  kind(state) {
    this.#put(state);
    return KINDS[this.code.kind(this.context, this.at)];
  }

  /** The seats that are to act, in order. */
  actors(state) {
    this.#put(state);
    return [...new Set(this.#numbers(Math.max(0, this.code.actors(this.context, this.at, this.out))))];
  }

  /** The numbers of the legal actions of the first seat that is to act, or of the outcomes of chance. */
  legal(state) {
    return this.listed(state).sort((a, b) => a - b);
  }

  /** The same in the order of the rules. */
  listed(state) {
    this.#put(state);
    const n = this.code.legal(this.context, this.at, this.out, 2 * this.most);
    if (n < 0) this.#fail();
    if (n > 2 * this.most) {
      this.#moveNotes(n);
      return this.listed(state);
    }
    return Array.from(new Uint32Array(this.code.memory.buffer, this.out, n));
  }

  /** Makes room for so many actions before the noted positions, which move. */
  #moveNotes(actions) {
    const [from, used, capacity] = [this.notes, this.used, this.#word(CAPACITY).getUint32(0, true)];
    this.most = actions;
    const kept = new Uint8Array(this.code.memory.buffer, from, 8 * used).slice();
    this.#makeRoom(capacity);
    new Uint8Array(this.code.memory.buffer, this.notes, kept.length).set(kept);
    this.used = used;
  }

  #begin(state) {
    this.#put(state);
    this.code.entered(this.context, this.at); // forgets what was entered and what ended before
    this.#ends(0).setUint32(0, 0, true);
  }

  /** The state after an action, which must be legal. */
  act(state, action) {
    this.#widen();
    this.#begin(state);
    return this.#done(this.code.act(this.context, this.at, action));
  }

  /** The state after a ply: an action, or the record of a drawing. */
  take(state, ply) {
    return typeof ply === "number" ? this.act(state, ply) : this.takeDrawing(state, this.addDrawing(ply));
  }

  /** The state after a drawing, by its number among those prepared for this state. */
  takePrepared(state, number) {
    this.#begin(state);
    return this.#done(this.code.step(this.context, this.at, number));
  }

  /** The number of the drawing of a state; -1 where nobody draws. */
  drawing(state) {
    const at = this.facts.memory.drawing;
    return at < 0 ? -1 : new DataView(state.buffer, state.byteOffset + at, 8).getUint32(0, true);
  }

  /** The number of prepared drawings that can be taken here. */
  drawings(state) {
    this.#put(state);
    return this.code.count(this.context, this.at);
  }

  /** The state after chance has decided, by the index-th random numbers of a seed. */
  chance(state, seed, index) {
    this.#widen();
    this.#put(state);
    return this.#done(this.code.chance(this.context, this.at, seed, index));
  }

  /** What every seat has at the end. */
  returns(state) {
    this.#put(state);
    if (this.code.payoffs(this.context, this.at, this.out) < 0) this.#fail();
    return this.#numbers(this.players);
  }

  /** The words of the tally of `n` random plays from a state. */
  plays(state, n, seed, first = 0) {
    this.#put(state);
    this.#memory.words.fill(0n, this.out / 8, this.out / 8 + this.#tallyWords);
    if (this.code.batch(this.context, this.at, n, seed, first, this.out) < 0) this.#fail();
    return this.#answer(this.#tallyWords);
  }

  /** Answers a question that was compiled in, for these arguments: the words of a set, or one word, as BigInts. */
  ask(state, number, given, words) {
    this.#put(state);
    const { words: memory } = this.#memory;
    for (let i = 0; i < given.length; i += 1) memory[this.given / 8 + i] = BigInt(given[i]);
    if (this.code.ask(this.context, this.at, number, this.given, this.out) < 0) this.#fail();
    return this.#answer(words);
  }

  /** The parts that the last action began (again), as bits; to be asked once. */
  entered() {
    return this.code.entered(this.context, this.at);
  }

  #ends(offset) {
    return new DataView(this.code.memory.buffer, this.context + this.facts.memory.ended + offset);
  }

  /** The parts that the last action ended: the number of the block with which each ended, and the state before it. */
  ended() {
    const { last, state } = this.facts.memory;
    const count = this.#ends(0).getUint32(0, true);
    return Array.from({ length: count }, (_, i) => {
      const at = this.context + last + i * (8 + state);
      const block = new DataView(this.code.memory.buffer, at, 4).getUint32(0, true);
      return { block, state: new Uint8Array(this.code.memory.buffer, at + 8, state).slice() };
    });
  }

  /** The number of the place in the course of play. */
  block(state) {
    this.#put(state);
    return this.code.block(this.context, this.at);
  }

  /** The points of every player at the end, where points decide. */
  scores(state) {
    this.#put(state);
    if (this.code.scores(this.context, this.at, this.out) < 0) this.#fail();
    return this.#numbers(this.players);
  }

  /** The kind of an action, and the numbers of its values. */
  parts(action) {
    const { kinds } = this.facts.game;
    let number = kinds.length - 1;
    while (kinds[number].first > action) number -= 1;
    const values = [];
    let rest = action - kinds[number].first;
    for (const parameter of [...kinds[number].parameters].reverse()) {
      values.unshift(rest % parameter.names.length);
      rest = Math.floor(rest / parameter.names.length);
    }
    return { kind: number, values };
  }
}
