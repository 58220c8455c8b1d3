// The people at a table of the server: their names, and what they write to each other. All of it is shown as text, each piece in
// an element of its own direction (`bdi`), so that nobody's letters reach beyond their own line.

import { disc } from "./pieces.js";
import { keep, readKept } from "./kept.js";
import { seatColour } from "./colours.js";
import { html, svg } from "./svg.js";

const KEY = "gamedsl name";
const [MOST_NAME, MOST_TEXT] = [24, 300];

export class People {
  /** `page`: the page of the table, into which the section goes. */
  constructor(page, table) {
    Object.assign(this, { page, table, name: String(readKept(KEY, "")) });
    this.list = html("ol", { class: "messages", role: "log", tabindex: "0", "aria-label": "messages" });
    this.field = html("input", { type: "text", maxlength: MOST_TEXT, autocomplete: "off", "aria-label": "your message", placeholder: "Write to the table" });
    this.fault = html("p", { class: "fault", role: "alert" });
    this.form = html("form", { class: "say", onsubmit: (event) => this.#say(event) }, this.field, html("button", { type: "submit" }, "Send"));
    this.called = html("button", { type: "button", class: "called", onclick: () => this.#ask() });
    this.element = html("section", { class: "people", "aria-label": "people" }, html("div", { class: "people-head" }, html("h2", {}, table.talks ? "Messages" : "Name"), this.called), this.list, this.form, this.fault);
    page.parts.side.after(this.element);
    this.element.hidden = !table.talks && table.seat === null;
    this.list.hidden = this.form.hidden = !table.talks;
    table.hear = () => this.show();
    table.subscribe(() => this.show());
    if (table.seat !== null && this.name && !table.frame.names[table.seat]) table.rename(this.name);
  }

  show() {
    const { table, list } = this;
    const mine = table.seat === null ? this.name : table.frame.names[table.seat];
    this.called.replaceChildren(...(mine ? ["You are ", html("bdi", {}, mine)] : ["Choose a name"]));
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

  async #say(event) {
    event.preventDefault();
    const text = this.field.value.trim();
    if (!text) return;
    const answer = await this.table.say(text, this.name);
    this.fault.textContent = answer.ok ? "" : sentence(answer);
    if (answer.ok) this.field.value = "";
    this.list.scrollTop = this.list.scrollHeight;
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
