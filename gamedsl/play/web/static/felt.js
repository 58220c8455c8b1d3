// What lies beside a board, or on a table without one: hands, piles, dice and the score sheet, each at its owner's side. What a move
// names is touched where it lies.

import { seatColour } from "./colours.js";
import { back, empty, face, hasFace } from "./faces.js";
import { lineItem, without } from "./panel_lines.js";
import { disc } from "./pieces.js";
import { namesOf, placeKey, thingKey } from "./thing_names.js";
import { html, svg } from "./svg.js";
import { chanceView } from "./things.js";

const CHOSEN = "chosen"; // what is held while several things are chosen
const MOST_LEVELS = 4; // of a pile, as drawn

export class Felt {
  constructor(page) {
    this.page = page;
    this.element = html("section", { class: "felt", "aria-label": "table" });
    this.pending = null; // the key of what is touched and waits for a second touch
    this.chosen = new Set(); // places of a holding, of which a move takes several
  }

  /** The moves that can be made here, by what they name: all moves of a kind, or none. */
  #find() {
    const { page } = this;
    const { game, hands } = page;
    const here = new Set(this.#places().flatMap(({ keys }) => keys));
    const named = new Map(hands.all.map((option) => [option, namesOf(game, option).find((key) => here.has(key))]));
    const missing = new Set(hands.all.filter((option) => !named.get(option)).map(({ kind }) => kind));
    this.moves = new Map();
    for (const [option, key] of named) if (!missing.has(option.kind)) this.moves.set(key, [...(this.moves.get(key) ?? []), option]);
    const held = new Set(page.update.position.picture.held.map(({ holding }) => holding));
    this.choosing = game.kinds.map((kind, number) => ({ kind: number, ...kind.chosen })).find(({ kind, holding }) => held.has(holding) && hands.all.some((option) => option.kind === kind)) ?? null;
    if (hands.held?.key !== CHOSEN) this.chosen.clear();
  }

  /** Is a move made by touching something here? */
  covers(option) {
    if (option.kind === this.choosing?.kind) return this.page.hands.held?.key !== CHOSEN;
    return namesOf(this.page.game, option).some((key) => this.moves.get(key)?.includes(option));
  }

  /** What can be touched here, in words. */
  get nouns() {
    const { game } = this.page;
    const { phrases } = game;
    const called = (number) => { const { kind, cells } = game.things[number]; return kind === "die" ? phrases.die : cells ? phrases.shape : phrases.card; };
    const noun = (key) => {
      const [kind, number] = key.split(":");
      if (kind === "pile") return phrases.pile;
      const isListed = this.#places().some(({ holding, keys }) => holding.form === "list" && keys.includes(key));
      return isListed ? phrases.line : called(number);
    };
    const among = this.choosing ? [called(game.holdings[this.choosing.holding].thing)] : [];
    return [...new Set([...among, ...[...this.moves.keys()].map(noun)])];
  }

  // ------------------------------------------------------------------------------------------------------ what is held

  /** All places of all holdings: their owner, what lies there, and the keys by which moves name that. */
  #places() {
    const { game, update } = this.page;
    const { picture, turn } = update.position;
    const found = picture.held.flatMap(({ holding: number, places, sizes }) => {
      const holding = game.holdings[number];
      return places.map((things, slot) => {
        const indices = indicesOf(holding.keys, slot);
        const seat = holding.owners ? seatNamed(picture.seats, holding.owners[indices[0]]) : null;
        const label = indices.slice(holding.owners ? 1 : 0).map((index, i) => holding.keys[i + (holding.owners ? 1 : 0)][index]).join(" ");
        const reachable = seat === null || seat === turn.seat;
        const shown = holding.form === "pile" ? (things ?? []).slice(-1) : things ?? [];
        const all = holding.form === "list" ? game.things[holding.thing].names.map((_, i) => i).filter((i) => !things?.includes(i)) : shown;
        const keys = !reachable ? [] : [...(holding.form === "pile" ? [placeKey(number, slot)] : []), ...(holding.component === null ? all.map((index) => thingKey(holding.thing, index)) : [])];
        return { number, slot, holding, seat, label, things, keys, size: sizes?.[slot] ?? null };
      });
    });
    const own = new Set(found.filter(({ seat }) => seat !== null).flatMap(({ keys }) => keys));
    return found.map((place) => (place.seat === null ? { ...place, keys: place.keys.filter((key) => !own.has(key)) } : place));
  }

  show() {
    const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.thing : null;
    this.#find();
    const { page } = this;
    const { picture, turn } = page.update.position;
    this.isAlone = page.scene.kind === "none";
    const places = this.#places();
    const me = turn.seat ?? page.table.seats[0] ?? picture.seats.length - 1;
    const order = picture.seats.map((_, i) => (me + 1 + i) % picture.seats.length);
    const areas = order.map((seat) => this.#area(seat, places.filter((p) => p.seat === seat && p.holding.form !== "list"))).filter(Boolean);
    const middle = this.#middle(places.filter((p) => p.seat === null));
    const sheet = this.#sheet(places.filter((p) => p.holding.form === "list"));
    const own = areas.length === order.length || this.isAlone ? areas.pop() : null;
    const others = areas.length ? html("div", { class: "others" }, ...areas) : null;
    const choices = this.isAlone ? page.parts.ask : null; // what is due lies in the middle of the table
    this.element.replaceChildren(...[others, middle, choices, own, sheet].filter(Boolean));
    this.element.hidden = !this.element.children.length;
    if (focused) this.element.querySelector(`[data-thing="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  #area(seat, places) {
    const { page } = this;
    const { picture, turn } = page.update.position;
    const lines = this.isAlone ? this.#lines(seat) : [];
    if (!places.length && !this.isAlone) return null;
    const { name, acts, roles } = picture.seats[seat];
    const person = page.update.names?.[seat];
    const secret = turn.kind === "together" ? html("span", { class: "secret" }, acts ? "is choosing" : "has chosen", acts ? "" : back({ kind: "card" })) : "";
    const role = roles.length ? html("small", {}, ` ${roles.join(", ")}`) : "";
    return html("div", { class: `area${acts ? " acts" : ""}` },
      html("h3", {}, this.#disc(seat), person ? [html("bdi", { class: "person" }, person), " "] : "", name, role, secret),
      html("div", { class: "holdings" }, ...this.#groups(places, seat)),
      lines.length ? html("ul", { class: "lines" }, ...lines.map((line) => lineItem(page, line, without(line.label, name)))) : "");
  }

  #disc(seat) {
    const { players } = this.page.game;
    return svg("svg", { class: "seat-disc", viewBox: "-50 -50 100 100", "aria-hidden": "true" }, disc(seatColour(players, seat), "", players[seat].colour ? null : seat));
  }

  /** Lines beside the board that are neither held nor in the score sheet. */
  #lines(seat) {
    const { rows } = this.#scores();
    return this.page.update.position.picture.beside.filter((line) => line.seat === seat && !line.held && !rows.some((row) => row.lines.includes(line)));
  }

  #middle(places) {
    const { page } = this;
    const { picture } = page.update.position;
    const { heaps, lines } = splitHeaps(this.isAlone ? this.#lines(null) : []);
    const hasDice = places.some(({ holding }) => page.game.things[holding.thing].kind === "die");
    const fallen = this.isAlone && !hasDice ? picture.fallen.map((one) => chanceView(page.game, one)) : [];
    if (!places.length && !lines.length && !heaps.length && !fallen.length) return null;
    return html("div", { class: "middle" }, html("div", { class: "holdings" }, ...this.#groups(places, null), ...heaps.map(heap)), ...fallen,
      lines.length ? html("ul", { class: "lines" }, ...lines.map((line) => lineItem(page, line, line.label))) : "");
  }

  /** The places of each holding beside each other, under its name. */
  #groups(places, seat) {
    const numbers = [...new Set(places.map(({ number }) => number))];
    return numbers.map((number) => {
      const own = places.filter((place) => place.number === number);
      const { holding } = own[0];
      const thing = this.page.game.things[holding.thing];
      const holds = ({ things, size }) => (things === null ? size !== 0 || seat === null : things.length) || holding.form === "pile";
      if (!own.some(holds)) return "";
      const kind = thing.kind === "die" ? " of-dice" : thing.cells ? " of-shapes" : "";
      const rows = own.filter(holds).map((place) => this.#place(place, thing, seat));
      return html("figure", { class: `holding form-${holding.form}${kind}` }, html("div", { class: "slots" }, ...rows), html("figcaption", {}, holding.name));
    });
  }

  #place(place, thing, seat) {
    const { holding, things, label, number } = place;
    const cards = things === null ? this.#hidden(place, thing) : holding.form === "pile" ? [this.#pile(place, thing)] : things.map((index, i) => this.#item(thing, index, seat, place, i));
    const isNamed = label && (holding.form === "pile" || thing.kind !== "die");
    return html("div", { class: "slot", "data-holding": number }, html("div", { class: "fan", style: `--count: ${cards.length}` }, ...cards), isNamed ? html("small", {}, label) : "");
  }

  /** What is hidden: as many backs as everybody knows to be there, in a hand or in a pile; or one, for any number. */
  #hidden({ size, seat, holding }, thing) {
    if (size === 0) return [html("span", { class: "item" }, empty())];
    if (size === null || (size === 1 && seat !== null)) return [html("span", { class: "item" }, back(thing))];
    const tally = () => html("span", { class: "tally", "aria-label": `${size} hidden` }, String(size));
    if (seat === null || holding.form === "pile") return [html("span", { class: "item pile", style: `--levels: ${Math.min(MOST_LEVELS, size)}` }, back(thing), tally())];
    return Array.from({ length: size }, (_, i) => html("span", { class: "item backs" }, back(thing), i === size - 1 && thing.kind !== "die" ? tally() : ""));
  }

  #item(thing, index, seat, { number, slot, holding, keys }, i) {
    const { page } = this;
    const key = thingKey(holding.thing, index);
    const word = seat === null ? "grey" : seatColour(page.game.players, seat);
    const picture = holding.component === null ? face(this.page.game.scenes, thing, index, word) : html("span", { class: "thing" }, thing.parts[holding.component][0][index]);
    if (this.choosing?.holding === number) return this.#toggle(slot, picture);
    return this.#button(keys.includes(key) ? key : null, thing, picture, `--i: ${i}`);
  }

  #pile({ things, keys }, thing) {
    const key = keys.find((one) => this.moves.has(one)) ?? null;
    const top = things.length ? face(this.page.game.scenes, thing, things.at(-1)) : empty();
    const levels = Math.min(MOST_LEVELS, things.length);
    return this.#button(key, thing, [top, things.length ? html("span", { class: "tally" }, String(things.length)) : ""], `--levels: ${levels}`, " pile");
  }

  /** One of several things among which a move chooses. */
  #toggle(slot, picture) {
    const isChosen = this.chosen.has(slot);
    return html("button", { type: "button", class: `item live${isChosen ? " chosen" : ""}`, "data-thing": `chosen:${slot}`, "aria-pressed": String(isChosen), onclick: () => this.#choose(slot) }, picture);
  }

  /** Takes a thing to those that are chosen, or from them; a button makes the move with these, if there is one. */
  #choose(slot) {
    const { hands, game } = this.page;
    const { kind, places } = this.choosing;
    if (!this.chosen.delete(slot)) this.chosen.add(slot);
    const found = hands.all.filter((option) => option.kind === kind && option.values.every((value, i) => Boolean(value) === this.chosen.has(places[i])));
    const name = game.kinds[kind].words.name.slice(1, -1);
    hands.narrow(this.chosen.size ? { key: CHOSEN, options: found.map((option) => ({ ...option, text: name })) } : null);
  }

  /** Something that can be touched, if a move names it. */
  #button(key, thing, inside, style, kind = "") {
    const { hands } = this.page;
    const options = key === null ? [] : this.moves.get(key) ?? [];
    const content = [inside].flat();
    if (!options.length) return html("span", { class: `item${kind}`, style }, ...content);
    const isChosen = hands.held?.key === key || this.pending === key;
    const [show, hide] = [() => this.page.preview(options.length === 1 ? options[0].number : null), () => this.page.preview(null)];
    const button = html("button", { type: "button", class: `item live${isChosen ? " chosen" : ""}${kind}`, style, "data-thing": key, "aria-pressed": String(isChosen), onclick: (event) => this.#touch(key, options, event), onpointerenter: show, onpointerleave: hide }, ...content);
    if (thing && !hasFace(thing)) this.page.choices.picture([button], [options[0]]);
    return button;
  }

  async #touch(key, options, event) {
    const { page } = this;
    const { hands } = page;
    if (hands.held?.key === key && !(this.pending === key)) {
      hands.takeBack(true);
      return;
    }
    const [only, ...others] = options;
    if (!others.length && !only.groups.length) {
      if (this.pending !== key && page.settings.confirms(event.pointerType, narrowest(event.currentTarget))) {
        hands.narrow({ key, options });
        this.pending = key;
        hands.pending = { name: event.currentTarget.querySelector("[aria-label]")?.getAttribute("aria-label") ?? "it", option: only };
        page.choices.show();
        page.instruct();
        return;
      }
      await page.play(only.number);
      return;
    }
    hands.narrow({ key, options });
    if (options.every(({ groups }) => !groups.length)) page.choices.ask(options);
  }

  // -------------------------------------------------------------------------------------------------- score sheet

  /** The lines of numbers that every player has, as rows of a score sheet. */
  #scores(picture = this.page.update.position.picture) {
    const rows = new Map();
    for (const line of picture.beside) {
      if (line.seat === null || line.held || line.values.length !== 1 || !/^-?\d+$/.test(line.values[0])) continue;
      const label = without(line.label, picture.seats[line.seat].name);
      rows.set(label, [...(rows.get(label) ?? []), line]);
    }
    const whole = [...rows].filter(([, lines]) => lines.length === picture.seats.length && new Set(lines.map(({ seat }) => seat)).size === lines.length);
    return { rows: this.isAlone ? whole.map(([label, lines]) => ({ label, lines })) : [] };
  }

  #sheet(lists) {
    const { page } = this;
    const { picture } = page.update.position;
    const { rows } = this.#scores();
    const listed = [...new Map(lists.map(({ number, holding }) => [number, holding]))];
    if (!rows.length && !listed.length) return null;
    const head = html("tr", {}, html("th", {}), ...picture.seats.map(({ name }, seat) => html("th", { scope: "col" }, this.#disc(seat), name)));
    const list = ([number, holding]) => page.game.things[holding.thing].names.map((name, index) => html("tr", {}, html("th", { scope: "row" }, name),
      ...picture.seats.map((_, seat) => this.#tick(lists.find((p) => p.number === number && p.seat === seat), index, name))));
    const score = ({ label, lines }) => html("tr", { class: "score" }, html("th", { scope: "row" }, label), ...picture.seats.map((_, seat) => this.#score(lines.find((line) => line.seat === seat))));
    return html("table", { class: "sheet" }, html("thead", {}, head), html("tbody", {}, ...listed.flatMap(list), ...rows.map(score)));
  }

  #tick(place, index, name) {
    if (!place) return html("td", {});
    const key = thingKey(place.holding.thing, index);
    if (place.things === null) return html("td", {}, "?");
    if (place.things.includes(index)) return html("td", { class: "ticked", "aria-label": `${name}: done` }, "✓");
    if (!this.moves.has(key) || !place.keys.includes(key)) return html("td", {});
    const worth = html("span", { "aria-label": name }, "○");
    const [only, ...others] = this.moves.get(key);
    if (!others.length) this.#tellWorth(worth, only, place.seat, name);
    return html("td", {}, this.#button(key, null, worth, ""));
  }

  /** What a move adds to the score of its player, where the sheet can tell. */
  async #tellWorth(element, { number }, seat, name) {
    const before = this.#scoreOf(this.page.update.position.picture, seat);
    const after = await this.page.after(number);
    const gain = after && before !== null ? this.#scoreOf(after, seat) - before : NaN;
    if (!Number.isInteger(gain)) return;
    element.textContent = gain < 0 ? String(gain) : `+${gain}`;
    element.setAttribute("aria-label", `${name}, ${element.textContent}`);
  }

  /** The only score that a seat has in the sheet; null if there are several, or none. */
  #scoreOf(picture, seat) {
    const { rows } = this.#scores(picture);
    const own = rows.flatMap(({ lines }) => lines.filter((line) => line.seat === seat));
    return own.length === 1 ? Number(own[0].values[0]) : null;
  }

  #score(line) {
    const because = line.because ? html("small", {}, line.because) : "";
    const light = line.because ? { onpointerenter: () => this.page.board.count(line.places), onpointerleave: () => this.page.board.count([]) } : {};
    return html("td", light, html("strong", {}, line.values[0]), because);
  }
}

/** The indices of a combination of keys by its number; the last key varies fastest. */
function indicesOf(keys, slot) {
  return [...keys].reverse().reduce(({ found, rest }, { length }) => ({ found: [rest % length, ...found], rest: Math.floor(rest / length) }), { found: [], rest: slot }).found;
}

function seatNamed(seats, name) {
  const found = seats.findIndex((seat) => [seat.name, ...seat.roles].some((one) => one.replaceAll("_", " ") === name));
  return found >= 0 ? found : null;
}

function narrowest(element) {
  const { width, height } = element.getBoundingClientRect();
  return Math.min(width, height);
}

const [LEAST_HEAPS, LARGEST_HEAP] = [2, 30];

/** Numbers of the table that are told for each of several things are heaps of counters; others are lines of text. */
function splitHeaps(lines) {
  const counted = lines.filter(({ values, because }) => !because && values.length === 1 && /^\d+$/.test(values[0]) && Number(values[0]) <= LARGEST_HEAP);
  const heaps = counted.length >= LEAST_HEAPS && counted.length === lines.filter(({ values }) => values.length).length ? counted : [];
  return { heaps, lines: lines.filter((line) => !heaps.includes(line)) };
}

/** Counters that lie together, with their number. */
function heap({ label, values: [value] }) {
  const counter = () => svg("svg", { class: "counter", viewBox: "-50 -50 100 100", "aria-hidden": "true" }, disc("grey", "", null));
  return html("figure", { class: "holding heap" }, html("div", { class: "counters" }, ...Array.from({ length: Number(value) }, counter)), html("figcaption", {}, `${label.replace(/:$/, "")}: `, html("strong", {}, value)));
}
