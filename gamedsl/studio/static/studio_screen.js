// What the studio looks like: header, text, board, panels, and one part at a time on a narrow screen.

import { showGallery } from "./studio_gallery.js";
import { PANELS } from "./studio_panels.js";
import { PERSON, PLAYERS } from "./studio_table.js";
import { button, html, icon, menu, sentence } from "./studio_parts.js";

export class Screen {
  constructor(studio) {
    Object.assign(this, { studio, tab: "rules", panel: "figures", narrow: "text", parts: null });
  }

  layOut() {
    const rules = html("div", { class: "editor" });
    const examples = html("div", { class: "editor", hidden: true });
    const frame = html("iframe", { src: "/board", title: "board" });
    const line = html("p", { class: "line-says", role: "status" });
    const state = html("div", { class: "state" });
    const parted = html("div", { class: "parted", role: "alert", hidden: true });
    const unkept = html("div", { class: "unkept", role: "alert", hidden: true });
    const behind = html("div", { class: "behind", role: "status", hidden: true }, html("span"), button("Go to the first mistake", () => this.#goToFault()));
    const seats = html("div", { class: "seats-bar", "aria-label": "options and players" });
    const panel = html("div", { class: "panel-body", role: "tabpanel", tabindex: "0" });
    const tabs = html("div", { class: "tabs", role: "tablist", "aria-label": "text" });
    const panelTabs = html("div", { class: "tabs", role: "tablist", "aria-label": "about the rules" });
    const narrow = html("nav", { class: "narrow-tabs", "aria-label": "parts of the studio" });
    this.parts = { rules, examples, frame, line, state, parted, unkept, behind, seats, panel, tabs, panelTabs, narrow, header: html("header", { class: "studio-header" }) };
    this.seatsShown = "";
    const text = html("section", { class: "text-pane", "aria-label": "text" }, tabs, unkept, rules, examples, line);
    const board = html("section", { class: "board-pane", "aria-label": "board" }, html("div", { class: "above-board" }, seats, behind), parted, frame);
    const facts = html("section", { class: "facts-pane", "aria-label": "about the rules" }, panelTabs, panel);
    this.studio.element.replaceChildren(this.parts.header, html("div", { class: "workbench" }, text, board, facts), narrow);
    frame.addEventListener("load", () => {
      if (this.studio.table.data) this.#mount();
    });
    this.showNarrow(this.narrow);
    this.showTab("rules");
    this.showPanel(this.panel);
  }

  showState() {
    if (!this.parts) return;
    const { header } = this.parts;
    const changed = [...this.studio.files.values()].filter((file) => file.isDirty);
    const dirty = changed.length > 0;
    const kept = changed.every((file) => file.kept === file.editor.text);
    const faults = [...this.studio.files.values()].reduce((sum, { editor }) => sum + (editor.faults?.length ?? 0), 0);
    const lost = !this.studio.connection.isOpen;
    const troubles = changed.map(({ trouble }) => trouble).filter(Boolean);
    this.#showBehind();
    const now = JSON.stringify([dirty, kept, faults, lost, troubles, !this.studio.rules, this.studio.ruleset, this.studio.known, this.theme]);
    if (now === this.stateShown && header.childNodes.length) return;
    this.stateShown = now;
    const files = menu("", Object.fromEntries(this.studio.known.map((name) => [name, name])), this.studio.ruleset, (name) => this.studio.switchTo(name), { "aria-label": "ruleset", class: "file-menu" });
    const health = lost ? ["lost", "The server is away. Go on writing: it is kept here."] : this.studio.files.size && !this.studio.rules ? ["faulty", "Not readable"] : faults ? ["faulty", `${faults} mistake${faults === 1 ? "" : "s"}`] : ["fine", "No mistakes"];
    header.replaceChildren(
      html("span", { class: "brand" }, icon(), html("span", {}, "studio")), files, button("New", () => showGallery(this.studio), { title: "another game, from a template" }),
      html("span", { class: `health ${health[0]}`, role: "status" }, health[1]), html("span", { class: "gap" }),
      html("span", { class: `saved ${dirty ? "is-dirty" : ""}` }, dirty ? (kept ? "kept, not saved" : "not saved") : "saved"),
      button("Save", () => this.studio.save(), { class: dirty ? "main" : "", title: "Ctrl+S", disabled: lost || !dirty }),
      button("◐", () => this.#turnTheme(), { title: "dark or light", class: "round" }),
    );
    this.parts.unkept.hidden = troubles.length === 0;
    this.parts.unkept.replaceChildren(html("strong", {}, "Not saved. "), troubles.map(sentence).join(" "));
    this.#showTabs();
  }

  /** Says that the board shows other rules than the text, in the place of what works only without mistakes. */
  #showBehind() {
    const { behind, frame } = this.parts;
    const { data, failed } = this.studio.table;
    behind.hidden = !this.studio.rules?.faults?.length || Boolean(failed);
    behind.firstChild.textContent = data ? "The board follows the last text without mistakes." : "The board appears once the text has no mistakes.";
    frame.classList.toggle("is-behind", !behind.hidden);
  }

  #goToFault() {
    this.showTab("rules");
    this.studio.rules.goToFault();
  }

  #turnTheme() {
    const dark = this.theme ? this.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    this.theme = dark ? "light" : "dark";
    this.studio.element.dataset.theme = this.theme;
    this.parts.frame.contentWindow.setTheme?.(this.theme);
    this.showState();
  }

  showTab(tab) {
    this.tab = tab;
    this.parts.rules.hidden = tab !== "rules";
    this.parts.examples.hidden = tab !== "examples";
    this.#showTabs();
    this.showNarrow("text");
  }

  #showTabs() {
    const count = (editor) => (editor?.faults?.length ? html("span", { class: "count" }, editor.faults.length) : "");
    const tab = (id, label, editor) => html("button", { type: "button", role: "tab", "aria-selected": String(this.tab === id), onclick: () => this.showTab(id) }, label, count(editor));
    this.parts.tabs.replaceChildren(tab("rules", "Rules", this.studio.rules), tab("examples", "Examples", this.studio.examples));
  }

  showPanel(name) {
    this.panel = name;
    this.#showPanelTabs();
    this.refreshPanel();
  }

  #showPanelTabs() {
    this.parts.panelTabs.replaceChildren(...Object.entries(PANELS).filter(([, { isThere }]) => !isThere || isThere(this.studio)).map(([id, { title }]) => html("button", { type: "button", role: "tab", "aria-selected": String(id === this.panel), onclick: () => this.showPanel(id) }, title)));
  }

  refreshPanel() {
    const { panel } = this.parts;
    const inside = panel.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent : null;
    if (document.activeElement?.matches?.("input, textarea, select") && panel.contains(document.activeElement) && PANELS[this.panel].isForm) return;
    const { scrollTop } = panel;
    panel.setAttribute("aria-label", PANELS[this.panel].title);
    panel.replaceChildren(...[PANELS[this.panel].show(this.studio)].flat(Infinity).filter(Boolean));
    panel.scrollTop = scrollTop;
    if (inside) [...panel.querySelectorAll("button, select, input")].find((one) => (one.getAttribute("aria-label") ?? one.textContent) === inside)?.focus({ preventScroll: true });
  }

  /** The panel again, if it shows what the server was asked. */
  showAsked() {
    if (PANELS[this.panel].isAsked) this.refreshPanel();
  }

  /** On a narrow screen one part is shown at a time. */
  showNarrow(part) {
    this.narrow = part;
    this.studio.element.dataset.part = part;
    const labels = { text: "Text", board: "Board", facts: "Facts" };
    this.parts.narrow.replaceChildren(...Object.entries(labels).map(([id, label]) => html("button", { type: "button", "aria-pressed": String(id === part), onclick: () => this.showNarrow(id) }, label)));
  }

  /** What is said of a line, and a panel that shows the text, follow the text. */
  typed() {
    this.parts.line.textContent = "";
    this.parts.panel.querySelectorAll(".of-this-text").forEach((said) => { said.textContent = "This is the text before your last change."; });
    if (PANELS[this.panel].isText) this.refreshPanel();
  }

  /** A panel that shows figures follows them; what others show (such as a link that was made) stays. */
  counted() {
    if (PANELS[this.panel].isCounted) this.refreshPanel();
  }

  boardChanged(isNewGame) {
    const { parts } = this;
    const { table } = this.studio;
    const { parted } = table.data ?? {};
    if (isNewGame && parts.shown) parts.shown.renew();
    else if (table.game && !parts.shown) this.#mount();
    parts.parted.hidden = !parted && !table.failed;
    if (table.failed) parts.parted.replaceChildren(html("strong", {}, "There is no board now. "), sentence(table.failed.message));
    else if (parted) {
      parts.parted.replaceChildren(
        html("strong", {}, `The game and these rules part at ply ${parted.ply + 1}: `), html("code", {}, parted.text), " ", html("span", {}, parted.reasons.map(({ message }) => message).join("; ")), " ",
        button("Go on from here", () => table.showLine(table.line)),
      );
      this.studio.refuse(parted.reasons);
    }
    this.#showBehind();
    this.#showSeats();
    if (!isNewGame) return;
    if (PANELS[this.panel].isThere?.(this.studio) === false) this.showPanel("figures");
    else if (PANELS[this.panel].isMade) this.#showPanelTabs();
    else this.showPanel(this.panel);
  }

  async #mount() {
    const { frame } = this.parts;
    if (!frame.contentWindow.openTable || this.parts.shown) return;
    this.parts.shown = frame.contentWindow.openTable(this.studio.table, (reasons) => this.studio.hint(reasons));
    frame.contentWindow.setTheme(this.theme);
  }

  /** Options, players and whose eyes: above the board. */
  #showSeats() {
    const { parts } = this;
    const { table } = this.studio;
    if (!table.game) return;
    const options = table.declared.map((option) => optionField(option, (value) => {
      table.options.set(option.name, value);
      table.refresh(true);
      this.studio.askFigures();
    }));
    const seats = table.game.players.map(({ name }, seat) => menu(name, PLAYERS, table.players[seat] ?? PERSON, (value) => {
      table.players[seat] = value;
      table.refresh();
    }));
    const eyes = table.game.hides ? [menu("seen by", { "": "everybody's eyes", ...Object.fromEntries(table.game.players.map(({ name }, i) => [i, name])) }, String(table.seenBy ?? ""), (value) => {
      table.seenBy = value === "" ? null : Number(value);
      table.refresh();
    })] : [];
    const now = JSON.stringify([table.declared, table.game.players, table.players, table.seenBy]);
    if (now === this.seatsShown) return; // what is being chosen stays under the pointer
    this.seatsShown = now;
    parts.seats.replaceChildren(...options, ...seats, ...eyes, button("Make an example", () => this.studio.makeExample(), { class: "main", title: "add the game on the board to the examples, with what holds now" }));
  }
}

/** A field for the value of an option. */
function optionField({ name, value, type, text }, take) {
  const range = /^(-?\d+)\.\.(-?\d+)$/.exec(type.replaceAll(" ", ""));
  const words = /^\{(.*)\}$/.exec(type.trim());
  const label = { "aria-label": name, title: text || name };
  const values = words ? words[1].split(",").map((word) => word.trim()) : ["yes", "no"].includes(value) ? ["yes", "no"] : null;
  if (values) return menu(name, Object.fromEntries(values.map((word) => [word, word])), value, take, label);
  const field = html("input", { type: range ? "number" : "text", value, min: range?.[1], max: range?.[2], ...label, onchange: () => take(field.value) });
  return html("label", { class: "field" }, html("span", {}, name), field);
}
