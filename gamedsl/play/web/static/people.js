// The people at a table of the server: their names, and what they write to each other. All of it is shown as text, each piece in
// an element of its own direction (`bdi`), so that nobody's letters reach beyond their own line.

import { disc } from "./pieces.js";
import { ruleText } from "./durations.js";
import { keep, readKept } from "./kept.js";
import { redraw } from "./press.js";
import { Cue } from "./cue.js";
import { addressOf, askMine, myTables, noteTable } from "./my_tables.js";
import { invitations } from "./seat_links.js";
import { seatColour } from "./colours.js";
import { html, svg } from "./svg.js";

const KEY = "gamedsl name";
const [MOST_NAME, MOST_TEXT] = [24, 300];
const COUNT = 60_000; // milliseconds between two looks at the other tables

export class People {
  /** `page`: the page of the table, into which the section goes. A seat has more to do here than a spectator. */
  constructor(page, table) {
    Object.assign(this, { page, table, name: String(readKept(KEY, "")) });
    this.list = html("ol", { class: "messages", role: "log", tabindex: "0", "aria-label": "messages" });
    this.field = html("input", { type: "text", maxlength: MOST_TEXT, autocomplete: "off", "aria-label": "your message", placeholder: "Write to the table" });
    this.fault = html("p", { class: "fault", role: "alert" });
    this.form = html("form", { class: "say", onsubmit: (event) => this.#say(event) }, this.field, html("button", { type: "submit" }, "Send"));
    this.called = html("button", { type: "button", class: "called", onclick: () => this.#ask() });
    this.cue = new Cue(page, table);
    this.plans = html("div", { class: "plans" });
    table.begins = () => { page.turned = page.isTurned; }; // a plan shows the board from the same side
    table.breaks = (text) => this.#notice(text);
    this.element = html("section", { class: "people", "aria-label": "people" }, html("div", { class: "people-head" }, html("h2", {}, table.talks ? "Messages" : "Name"), this.called), this.list, this.form, this.fault, this.plans, this.#tools());
    page.parts.side.after(this.element);
    this.called.hidden = !table.talks && table.seat === null;
    this.element.querySelector("h2").hidden = this.called.hidden;
    this.list.hidden = this.form.hidden = !table.talks;
    table.hear = () => this.show();
    table.subscribe(() => this.show());
    if (table.seat !== null) noteTable({ table: table.name, key: table.key, title: table.game.title, role: table.game.players[table.seat].name });
    if (table.seat !== null && this.name && !table.frame.names[table.seat]) table.rename(this.name);
  }

  show() {
    const { table, list } = this;
    const mine = table.seat === null ? this.name : table.frame.names[table.seat];
    redraw(this.called, () => this.called.replaceChildren(...(mine ? ["You are ", html("bdi", {}, mine)] : ["Choose a name"])));
    redraw(this.plans, () => this.#showPlans());
    if (this.invite) this.invite.hidden = table.frame.over; // nobody joins a game that has ended
    this.page.element.classList.toggle("planning", table.plan !== null);
    if (this.said === table.said && this.names === table.frame.names.join("\n")) return;
    const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    Object.assign(this, { said: table.said, names: table.frame.names.join("\n") });
    list.replaceChildren(...table.said.map((one) => this.#message(one)));
    if (isAtEnd) list.scrollTop = list.scrollHeight;
  }

  #message({ seat, name, text, at }) {
    const { game, frame } = this.table;
    const role = seat === null ? "watching" : game.players[seat].name;
    const called = seat === null ? name : frame.names[seat];
    const mark = seat === null ? "" : svg("svg", { class: "seat-disc", viewBox: "-50 -50 100 100", "aria-hidden": "true" }, disc(seatColour(game.players, seat), "", seat));
    return html("li", {}, mark, html("b", {}, called ? html("bdi", {}, called) : "", " ", html("small", {}, role)), html("time", { datetime: new Date(at).toISOString() }, clockOf(at)), html("bdi", { class: "text" }, text));
  }

  /** The rule of the clock, and the answers that this seat has prepared. */
  #showPlans() {
    const { clock, frame } = this.table;
    const rule = ruleText(clock);
    const lines = frame.plans.map((line, i) => html("li", {}, html("span", {}, line.join(" → ")), html("button", { type: "button", "aria-label": `drop the answer ${line.join(" → ")}`, onclick: () => this.#drop(i) }, "Drop")));
    this.plans.replaceChildren(...(rule ? [html("p", { class: "soft" }, `Clock: ${rule}.`)] : []), ...(lines.length ? [html("h2", {}, "Your answers"), html("ul", {}, ...lines)] : []));
  }

  /** A plan has ended by itself: the next touch or key closes this notice, and does nothing else. */
  #notice(text) {
    this.page.element.querySelector("dialog.broken-plan")?.close();
    const dialog = html("dialog", { class: "broken-plan", "aria-label": "your plan has ended", onclick: () => dialog.close(), onclose: () => dialog.remove() },
      html("p", {}, text), html("div", { class: "tools" }, html("button", { type: "button", class: "main" }, "Go on")));
    this.page.element.append(dialog);
    dialog.showModal();
  }

  async #drop(number) {
    const answer = await this.table.setPlans(this.table.frame.plans.filter((_, i) => i !== number));
    this.fault.textContent = answer.ok ? "" : sentence(answer);
  }

  async #say(event) {
    event.preventDefault();
    const text = this.field.value.trim();
    if (!text) return;
    const answer = await this.table.say(text, this.name);
    this.fault.textContent = answer.ok ? "" : sentence(answer);
    if (answer.ok) this.field.value = "";
    this.list.scrollTop = this.list.scrollHeight;
  }

  #tools() {
    this.mine = html("a", { class: "tool", href: "/" }, "All tables");
    this.notify = html("button", { type: "button", onclick: async () => { this.fault.textContent = await this.cue.toggle(); this.#showNotify(); } });
    this.#showNotify();
    this.#count();
    const made = myTables().find(({ table, links }) => table === this.table.name && links?.length > 1);
    this.invite = made && this.table.seat !== null ? html("button", { type: "button", onclick: () => this.#invite(made) }, "Invite") : null;
    const seated = this.table.seat === null ? [] : [...(this.invite ? [this.invite] : []), html("button", { type: "button", onclick: () => this.#move() }, "Move to a phone"), ...("Notification" in globalThis ? [this.notify] : [])];
    return html("div", { class: "tools" }, ...seated, this.mine);
  }

  #showNotify() {
    this.notify.textContent = this.cue.isOn ? "Notifications are on" : "Notify me";
    this.notify.setAttribute("aria-pressed", String(this.cue.isOn));
  }

  /** How many other tables wait for this person. */
  async #count() {
    const others = (await askMine().catch(() => [])).filter(({ table, state, isSeated }) => isSeated && state === "yours" && table !== this.table.name);
    this.mine.textContent = others.length ? `Your turn at ${others.length} other ${others.length === 1 ? "table" : "tables"}` : "All tables";
    this.mine.href = others.length === 1 ? addressOf(others[0]) : "/";
    setTimeout(() => this.#count(), COUNT);
  }

  /** Shows the code that opens this seat on another device. */
  async #move() {
    const answer = await fetch("/api/qr", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ table: this.table.name, key: this.table.key }) });
    const told = await answer.json();
    if (!answer.ok) {
      this.fault.textContent = told.message;
      return;
    }
    const link = html("input", { readonly: "", value: told.link, "aria-label": "the link of this seat", onclick: (event) => event.target.select() });
    const dialog = html("dialog", { class: "move-seat", "aria-label": "move to a phone", onclose: () => dialog.remove() }, html("h2", {}, "Move to a phone"),
      html("p", {}, "Scan this with the phone, and continue there; this page follows. Whoever has this code plays your seat: show it to nobody else."),
      html("img", { src: told.qr, alt: "QR code of this seat" }), link, html("div", { class: "tools" }, html("button", { type: "button", onclick: () => dialog.close() }, "Close")));
    this.page.element.append(dialog);
    dialog.showModal();
  }

  /** The links of the other seats, for whoever has made the table in this browser. */
  #invite(made) {
    const close = html("button", { type: "button", class: "close", "aria-label": "close", onclick: () => dialog.close() }, "×");
    const dialog = html("dialog", { class: "invite", "aria-label": "invite", onclose: () => dialog.remove() }, close, ...invitations(made, this.table.key));
    this.page.element.append(dialog);
    dialog.showModal();
  }

  /** Asks for the name in a dialog. */
  #ask() {
    const field = html("input", { type: "text", maxlength: MOST_NAME, autocomplete: "nickname", "aria-label": "your name", value: this.name });
    const fault = html("p", { class: "fault", role: "alert" });
    const take = async (event) => {
      event.preventDefault();
      const answer = this.table.seat === null ? { ok: true } : await this.table.rename(field.value);
      if (!answer.ok) {
        fault.textContent = sentence(answer);
        return;
      }
      this.name = field.value.trim();
      keep(KEY, this.name);
      dialog.close();
      this.show();
    };
    const form = html("form", { onsubmit: take }, html("h2", {}, "Your name"), html("p", {}, "Everybody at the table sees it. This browser keeps it for the next table."), html("label", { class: "setup" }, html("span", {}, "Name"), field), fault,
      html("div", { class: "tools" }, html("button", { type: "submit", class: "main" }, "Take this name"), html("button", { type: "button", onclick: () => dialog.close() }, "Cancel")));
    const dialog = html("dialog", { "aria-label": "what you are called", onclose: () => dialog.remove() }, form);
    this.page.element.append(dialog);
    dialog.showModal();
  }
}

const sentence = ({ reasons }) => `${reasons[0].message[0].toUpperCase()}${reasons[0].message.slice(1)}.`;

/** The time of a message: of the day, or its date if it is older than a day. */
function clockOf(at) {
  const when = new Date(at);
  return Date.now() - at < 86_400_000 ? when.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }) : when.toLocaleDateString([], { day: "numeric", month: "short" });
}
