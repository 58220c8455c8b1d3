// The studio: the text of a ruleset, its board and its figures on one screen.

import { Connection } from "./connection.js";
import { Editor, EXTENSIONS, LSPClient } from "./studio_editor.js";
import { OpenFile } from "./studio_files.js";
import { showGallery } from "./studio_gallery.js";
import { lineSentence, PANELS } from "./studio_panels.js";
import { PERSON, PLAYERS, StudioTable } from "./studio_table.js";
import { button, choose, html, icon, menu, toast } from "./studio_parts.js";

const COMMAND = "gamedsl.studio";
const QUIET = 250; // milliseconds after the last key, before playouts begin
const SEVERE = 1;
const PATIENCE = 150_000; // milliseconds

class Studio {
  constructor(element) {
    Object.assign(this, { element, files: new Map(), ruleset: null, tab: "rules", panel: "figures", figures: {}, narrow: "text", refusals: [], known: [] });
    this.nonce = document.querySelector('meta[name="csp-nonce"]').content;
    this.table = new StudioTable({ ask: (request) => this.ask(request), changed: (table, isNew) => this.#boardChanged(isNew), refused: (reasons) => this.#refused(reasons) });
    const key = location.hash.slice(1) || keptKey();
    this.connection = new Connection({ key, welcome: (facts) => this.#welcome(facts), state: (word) => this.#state(word) });
    addEventListener("beforeunload", (event) => [...this.files.values()].some((file) => file.isDirty) && !this.connection.isOpen && event.preventDefault());
    addEventListener("keydown", (event) => {
      if ((event.metaKey || event.ctrlKey) && event.key === "s") {
        event.preventDefault();
        this.save();
      }
    });
  }

  // -------------------------------------------------------------------------------------------------- the connection

  /** Asks the server; without a connection the answer is not `ok`. */
  async ask(request) {
    if (!this.connection.isOpen) return LOST;
    const lost = new Promise((done) => { this.losing = [...(this.losing ?? []), () => done(LOST)]; });
    try {
      return (await Promise.race([this.client.request("workspace/executeCommand", { command: COMMAND, arguments: [request] }), lost])) ?? LOST;
    } catch (error) {
      return { ok: false, message: error?.message ?? String(error) };
    }
  }

  #state(word) {
    if (word === "lost" || word === "open") {
      (this.losing ?? []).forEach((end) => end());
      this.losing = [];
    }
    if (word === "lost") this.client?.disconnect();
    if (word !== "open" && word !== "lost") {
      this.element.replaceChildren(html("main", { class: "refused", role: "alert" }, html("h1", {}, "gamedsl studio"), html("p", {}, word)));
      return;
    }
    this.element.classList.toggle("is-lost", word === "lost");
    this.#showState();
  }

  async #welcome(facts) {
    keepKey(facts.key);
    const isNew = !this.client || Boolean(this.wanted);
    this.words = facts.words;
    if (!this.client) {
      this.client = new LSPClient({ rootUri: facts.root, timeout: PATIENCE, extensions: [...EXTENSIONS, { clientCapabilities: CAPABILITIES }], notificationHandlers: this.#handlers() });
      this.root = facts.root;
    }
    this.folder = facts.folder;
    this.client.connect(this.#transport());
    await this.client.initializing;
    if (!isNew) {
      await this.#resume();
      return;
    }
    const { files } = await this.ask({ do: "files" });
    this.known = files;
    const first = [this.wanted, facts.first, ...files].find((name) => files.includes(name));
    this.wanted = null;
    if (first) await this.open(first);
    else await showGallery(this);
  }

  /** What the server asks of the page: to ask for messages again. */
  #transport() {
    const { transport } = this.connection;
    const handlers = new Map();
    return {
      send: (message) => transport.send(message),
      unsubscribe: (handler) => transport.unsubscribe(handlers.get(handler)),
      subscribe: (handler) => {
        const filtered = (data) => {
          const message = JSON.parse(data);
          if (message.method === "workspace/diagnostic/refresh") {
            transport.send(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: null }));
            for (const file of this.files.values()) file.editor.again();
          } else handler(data);
        };
        handlers.set(handler, filtered);
        transport.subscribe(filtered);
      },
    };
  }

  #handlers() {
    return {
      "gamedsl/figures": (_, part) => (this.#takeFigures(part), true),
      "gamedsl/outside": (_, { file, text, stamp }) => (this.#takeOutside(file, text, stamp), true),
      "window/showMessage": (_, { type, message }) => (toast(this.element, message, type === SEVERE), true),
      "window/logMessage": () => true,
    };
  }

  /** After the server was away: what it holds may have changed, and what was typed is not there yet. */
  async #resume() {
    for (const file of this.files.values()) {
      const answer = await this.ask({ do: "open", file: file.name });
      if (answer.ok && answer.stamp !== file.stamp) await this.#takeOutside(file.name, answer.text, answer.stamp);
      file.typed();
      file.editor.again();
    }
    toast(this.element, "The server is here again. Nothing that you typed was lost.");
  }

  // ------------------------------------------------------------------------------------------------------- files

  /** Shows a ruleset with its examples. */
  async open(name) {
    for (const file of this.files.values()) file.editor.close();
    this.files.clear();
    this.table.forget();
    Object.assign(this, { ruleset: name, figures: {}, tab: "rules", refusals: [] });
    this.table.file = name;
    this.#layOut();
    await this.#openFile(name, this.parts.rules);
    await this.#openFile(examplesOf(name), this.parts.examples);
    document.title = `${name} – gamedsl studio`;
    this.#showState();
    this.rules.view.focus();
  }

  async #openFile(name, parent) {
    const answer = await this.ask({ do: "open", file: name });
    if (!answer.ok) {
      toast(this.element, answer.message, true);
      return;
    }
    const actions = {
      changed: (editor) => this.#typed(editor),
      checked: (editor, found) => this.#checked(editor, found),
      cursor: (editor) => editor === this.rules && this.#showLine(),
      save: () => this.save(),
      run: ({ command, arguments: words }) => this.client.request("workspace/executeCommand", { command, arguments: words }),
    };
    const editor = new Editor({ parent, client: this.client, uri: answer.uri, name, text: answer.text ?? "", actions, nonce: this.nonce });
    const file = new OpenFile({ name, saved: answer.text, stamp: answer.stamp, editor, ask: (request) => this.ask(request), key: this.folder, kept: () => this.#showState() });
    this.files.set(name, file);
    if (answer.lost) toast(this.element, sentence(answer.lost), true);
    await this.#recover(file, answer.kept ?? file.keptHere());
  }

  /** Brings back what was typed and not saved. */
  async #recover(file, kept) {
    if (!kept || kept.text === file.editor.text) return;
    file.editor.replace(kept.text);
    const changed = kept.stamp !== file.stamp ? " The file was changed since." : "";
    toast(this.element, `What you typed into ${file.name} and did not save is here again.${changed}`, false, { label: "Use the saved text", run: () => file.editor.replace(file.saved) });
  }

  get rules() {
    return this.files.get(this.ruleset)?.editor;
  }

  get examples() {
    return this.files.get(examplesOf(this.ruleset))?.editor;
  }

  #typed(editor) {
    const file = this.files.get(editor.name);
    file?.typed();
    if (editor === this.rules) this.parts.line.textContent = "";
    clearTimeout(this.quiet);
    this.figures.isOld = true;
    this.#showState();
  }

  async save() {
    let fault = null;
    for (const file of this.files.values()) {
      if (file.isDirty) fault ??= await file.save((one, theirs, stamp) => this.#settle(one, theirs, stamp));
    }
    if (fault) toast(this.element, sentence(fault), true);
    else this.#askFigures(true);
    this.#showState();
    if (this.panel === "history") this.#showPanel();
    return !fault;
  }

  async #takeOutside(name, text, stamp) {
    const file = this.files.get(name);
    if (!file) return;
    const how = await file.takeOutside(text, stamp);
    const said = { taken: `${name} was changed outside of the studio; its new text is here.`, merged: `${name} was changed outside of the studio; both changes are here, yours not saved yet.` }[how];
    if (said) toast(this.element, said);
    else await this.#settle(file, text ?? "", stamp);
    this.#showState();
  }

  /** Asks whose text goes on, where two people changed the same lines. */
  async #settle(file, theirs, stamp) {
    const how = await file.takeOutside(theirs, stamp);
    if (how !== "differs") return true;
    const answer = await choose(this.element, `${file.name} was changed outside of the studio, in lines that you changed too.`, { mine: "Keep my text", theirs: "Take the other text" }, [["yours", file.editor.text], ["the other", theirs]]);
    if (!answer) return false;
    file.settle(theirs, stamp, answer === "mine");
    return true;
  }

  /** Shows a game that was just begun. */
  async begin({ file, root, folder }) {
    const isElsewhere = root !== this.root;
    Object.assign(this, { folder, parts: null, known: (await this.ask({ do: "files" })).files });
    if (isElsewhere) {
      Object.assign(this, { root, ruleset: null });
      this.client.disconnect();
      this.client = new LSPClient({ rootUri: root, timeout: PATIENCE, extensions: [...EXTENSIONS, { clientCapabilities: CAPABILITIES }], notificationHandlers: this.#handlers() });
      this.wanted = file;
      this.connection.renew();
      return;
    }
    await this.open(file);
  }

  // -------------------------------------------------------------------------------------------- every valid text

  async #checked(editor, found) {
    const faults = found.filter(({ severity, code }) => (severity ?? SEVERE) === SEVERE && !String(code).includes("-"));
    editor.faults = faults;
    this.#showState();
    if (this.rules.faults?.length !== 0) return;
    if (editor === this.rules) await this.table.refresh(true);
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => this.#askFigures(false), QUIET);
  }

  async #askFigures(isSaved) {
    if (this.rules?.faults?.length !== 0) return;
    this.figures.number = Infinity; // until the answer says which
    const answer = await this.ask(this.table.request({ do: "figures", plies: [], is_saved: isSaved }));
    if (answer.ok) this.figures.number = answer.number;
  }

  #takeFigures({ number, ...part }) {
    if (number < this.figures.number && this.figures.number !== Infinity) return;
    this.figures = { ...this.figures, ...part, number, isOld: false };
    if (part.coverage) this.rules.showUses(part.coverage.lines.map((line) => ({ ...line, title: lineSentence(line, part.coverage.games) })));
    this.#showLine();
    this.#showPanel();
  }

  #showLine() {
    const { coverage, isOld } = this.figures;
    const number = this.rules?.line;
    const line = coverage && !isOld && coverage.lines.find((one) => one.number === number);
    this.parts.line.textContent = line ? `Line ${number}: ${lineSentence(line, coverage.games)}` : "";
  }

  /** Marks the guards in the text that refuse a move on the board. */
  #refused(reasons) {
    this.refusals = reasons;
    const own = reasons.map(({ rule }) => /^(.*?):(\d+): /.exec(rule ?? "")).filter((found) => found && found[1] === this.ruleset);
    this.rules?.markLines(own.map((found) => Number(found[2])), "refusing");
  }

  // ------------------------------------------------------------------------------------------------------ the board

  #boardChanged(isNewGame) {
    const { table, parts } = this;
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
      this.#refused(parted.reasons);
    }
    this.#showSeats();
    if (isNewGame) this.#showPanel();
  }

  async #mount() {
    const { frame } = this.parts;
    if (!frame.contentWindow.openTable || this.parts.shown) return;
    this.parts.shown = frame.contentWindow.openTable(this.table);
    frame.contentWindow.setTheme(this.theme);
  }

  /** Options, players and whose eyes: above the board. */
  #showSeats() {
    const { table, parts } = this;
    if (!table.game) return;
    const options = table.declared.map((option) => optionField(option, (value) => {
      table.options.set(option.name, value);
      table.refresh(true);
      this.#askFigures(false);
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
    parts.seats.replaceChildren(...options, ...seats, ...eyes, button("Make an example", () => this.makeExample(), { class: "main", title: "add the game on the board to the examples, with what holds now" }));
  }

  /** Adds the game on the board to the examples. */
  async makeExample() {
    const illegal = this.refusals.length ? [] : [];
    const answer = await this.ask(this.table.request({ do: "example", plies: this.table.shownPlies, refused: illegal }));
    if (!answer.ok) {
      toast(this.element, sentence(answer.message), true);
      return;
    }
    this.examples.replace(answer.text);
    this.showPanel("examples");
    toast(this.element, "The game on the board is an example now.", false, { label: "Show its text", run: () => this.showTab("examples") });
  }

  /** Shows a game on the board. */
  async showGame(plies, options = null) {
    await this.table.showLine(plies, options);
    this.showNarrow("board");
  }

  // ------------------------------------------------------------------------------------------------------- the page

  #layOut() {
    const rules = html("div", { class: "editor" });
    const examples = html("div", { class: "editor", hidden: true });
    const frame = html("iframe", { src: "/board", title: "board" });
    const line = html("p", { class: "line-says", role: "status" });
    const state = html("div", { class: "state" });
    const parted = html("div", { class: "parted", role: "alert", hidden: true });
    const seats = html("div", { class: "seats-bar", "aria-label": "options and players" });
    const panel = html("div", { class: "panel-body", role: "tabpanel", tabindex: "0" });
    const tabs = html("div", { class: "tabs", role: "tablist", "aria-label": "text" });
    const panelTabs = html("div", { class: "tabs", role: "tablist", "aria-label": "about the rules" });
    const narrow = html("nav", { class: "narrow-tabs", "aria-label": "parts of the studio" });
    this.parts = { rules, examples, frame, line, state, parted, seats, panel, tabs, panelTabs, narrow, header: html("header", { class: "studio-header" }) };
    this.seatsShown = "";
    const text = html("section", { class: "text-pane", "aria-label": "text" }, tabs, rules, examples, line);
    const board = html("section", { class: "board-pane", "aria-label": "board" }, seats, parted, frame);
    const facts = html("section", { class: "facts-pane", "aria-label": "about the rules" }, panelTabs, panel);
    this.element.replaceChildren(this.parts.header, html("div", { class: "workbench" }, text, board, facts), narrow);
    frame.addEventListener("load", () => {
      if (this.table.data) this.#mount();
    });
    this.showNarrow(this.narrow);
    this.showTab("rules");
    this.showPanel(this.panel);
  }

  #showState() {
    if (!this.parts) return;
    const { header } = this.parts;
    const changed = [...this.files.values()].filter((file) => file.isDirty);
    const dirty = changed.length > 0;
    const kept = changed.every((file) => file.kept === file.editor.text);
    const faults = [...this.files.values()].reduce((sum, { editor }) => sum + (editor.faults?.length ?? 0), 0);
    const lost = !this.connection.isOpen;
    const now = JSON.stringify([dirty, kept, faults, lost, this.ruleset, this.known, this.theme]);
    if (now === this.stateShown && header.childNodes.length) return;
    this.stateShown = now;
    const files = menu("", Object.fromEntries(this.known.map((name) => [name, name])), this.ruleset, (name) => this.#switch(name), { "aria-label": "ruleset", class: "file-menu" });
    const health = lost ? ["lost", "The server is away. Go on writing: it is kept here."] : faults ? ["faulty", `${faults} mistake${faults === 1 ? "" : "s"}`] : ["fine", "No mistakes"];
    header.replaceChildren(
      html("span", { class: "brand" }, icon(), html("span", {}, "studio")), files, button("New", () => showGallery(this), { title: "another game, from a template" }),
      html("span", { class: `health ${health[0]}`, role: "status" }, health[1]), html("span", { class: "gap" }),
      html("span", { class: `saved ${dirty ? "is-dirty" : ""}` }, dirty ? (kept ? "kept, not saved" : "not saved") : "saved"),
      button("Save", () => this.save(), { class: dirty ? "main" : "", title: "Ctrl+S", disabled: lost || !dirty }),
      button("◐", () => this.#turnTheme(), { title: "dark or light", class: "round" }),
    );
    this.#showTabs();
  }

  async #switch(name) {
    if ([...this.files.values()].some((file) => file.isDirty)) await Promise.all([...this.files.values()].filter((file) => file.isDirty).map((file) => this.ask({ do: "keep", file: file.name, text: file.editor.text, stamp: file.stamp })));
    this.parts = null;
    await this.open(name);
  }

  #turnTheme() {
    const dark = this.theme ? this.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    this.theme = dark ? "light" : "dark";
    this.element.dataset.theme = this.theme;
    this.parts.frame.contentWindow.setTheme?.(this.theme);
    this.#showState();
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
    this.parts.tabs.replaceChildren(tab("rules", "Rules", this.rules), tab("examples", "Examples", this.examples));
  }

  showPanel(name) {
    this.panel = name;
    const { panelTabs } = this.parts;
    panelTabs.replaceChildren(...Object.entries(PANELS).filter(([, { isThere }]) => !isThere || isThere(this)).map(([id, { title }]) => html("button", { type: "button", role: "tab", "aria-selected": String(id === name), onclick: () => this.showPanel(id) }, title)));
    this.#showPanel();
  }

  #showPanel() {
    const { panel } = this.parts;
    const inside = panel.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent : null;
    if (document.activeElement?.matches?.("input, textarea, select") && panel.contains(document.activeElement) && PANELS[this.panel].isForm) return;
    const { scrollTop } = panel;
    panel.setAttribute("aria-label", PANELS[this.panel].title);
    panel.replaceChildren(...[PANELS[this.panel].show(this)].flat().filter(Boolean));
    panel.scrollTop = scrollTop;
    if (inside) [...panel.querySelectorAll("button, select, input")].find((one) => (one.getAttribute("aria-label") ?? one.textContent) === inside)?.focus({ preventScroll: true });
  }

  /** On a narrow screen one part is shown at a time. */
  showNarrow(part) {
    this.narrow = part;
    this.element.dataset.part = part;
    const labels = { text: "Text", board: "Board", facts: "Facts" };
    this.parts.narrow.replaceChildren(...Object.entries(labels).map(([id, label]) => html("button", { type: "button", "aria-pressed": String(id === part), onclick: () => this.showNarrow(id) }, label)));
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

export const examplesOf = (name) => `${name.replace(/\.gdl$/, "")}.examples.yaml`;
export const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
const LOST = { ok: false, message: "there is no connection to the server now" };
const CAPABILITIES = { workspace: { diagnostics: { refreshSupport: true } }, textDocument: { semanticTokens: { requests: { full: true }, tokenTypes: [], tokenModifiers: [], formats: ["relative"] } } };

function keptKey() {
  try {
    return sessionStorage.getItem("gamedsl studio") ?? "";
  } catch {
    return "";
  }
}

function keepKey(key) {
  history.replaceState(null, "", `#${key}`);
  try {
    sessionStorage.setItem("gamedsl studio", key);
  } catch {
    // the address holds it
  }
}

globalThis.studio = new Studio(document.getElementById("studio"));
