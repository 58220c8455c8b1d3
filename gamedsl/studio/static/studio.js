// The studio: the text of a ruleset, its board and its figures on one screen.

import { Connection } from "./connection.js";
import { Editor, EXTENSIONS, LSPClient } from "./studio_editor.js";
import { OpenFile } from "./studio_files.js";
import { showGallery } from "./studio_gallery.js";
import { lineSentence } from "./studio_panels.js";
import { Screen } from "./studio_screen.js";
import { StudioTable } from "./studio_table.js";
import { choose, html, sentence, toast } from "./studio_parts.js";

const COMMAND = "gamedsl.studio";
const [KEY, FILE] = ["gamedsl studio", "gamedsl studio file"];
const QUIET = 250; // milliseconds after the last key, before playouts begin
const SEVERE = 1;
const PROOF = 60; // seconds
const PATIENCE = 150_000; // milliseconds

class Studio {
  constructor(element) {
    Object.assign(this, { element, files: new Map(), ruleset: null, figures: {}, refusals: [], known: [], pointed: null, hinted: false });
    this.screen = new Screen(this);
    this.nonce = document.querySelector('meta[name="csp-nonce"]').content;
    this.table = new StudioTable({ ask: (request) => this.ask(request), changed: (table, isNew) => this.screen.boardChanged(isNew), refused: (reasons) => this.refuse(reasons) });
    const key = location.hash.slice(1) || remembered(KEY);
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
    if (word === "open") this.element.querySelectorAll(".toast.is-of-loss").forEach((note) => note.remove());
    this.screen.showState();
  }

  async #welcome(facts) {
    history.replaceState(null, "", `#${facts.key}`);
    remember(KEY, facts.key);
    const isNew = !this.client || Boolean(this.wanted);
    Object.assign(this, { words: facts.words, most: facts.most });
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
    const first = [this.wanted, remembered(FILE), facts.first, ...files].find((name) => files.includes(name));
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
    this.screen.showAsked();
    toast(this.element, "The server is here again. Nothing that you typed was lost.");
  }

  // ------------------------------------------------------------------------------------------------------- files

  /** Shows a ruleset with its examples. */
  async open(name) {
    for (const file of this.files.values()) file.editor.close();
    this.files.clear();
    this.table.forget();
    Object.assign(this, { ruleset: name, figures: { number: Infinity }, refusals: [], pointed: null, hinted: false }); // none belong to it yet
    this.table.file = name;
    remember(FILE, name); // a page that is loaded again goes on with it
    this.screen.tab = "rules";
    this.screen.layOut();
    await this.#openFile(name, this.screen.parts.rules);
    await this.#openFile(examplesOf(name), this.screen.parts.examples);
    document.title = `${name} – gamedsl studio`;
    this.screen.showState();
    this.rules?.view.focus();
  }

  async switchTo(name) {
    if ([...this.files.values()].some((file) => file.isDirty)) await Promise.all([...this.files.values()].filter((file) => file.isDirty).map((file) => this.ask({ do: "keep", file: file.name, text: file.editor.text, stamp: file.stamp, base: file.saved })));
    await this.open(name);
  }

  async #openFile(name, parent) {
    const answer = await this.ask({ do: "open", file: name });
    if (!answer.ok) {
      parent.replaceChildren(html("p", { class: "refused", role: "alert" }, `${name} cannot be shown: ${answer.message}.`));
      return;
    }
    const actions = {
      changed: (editor) => this.#typed(editor),
      checked: (editor, found) => this.#checked(editor, found),
      cursor: (editor) => editor === this.rules && this.#showLine(),
      pointed: (editor, number) => {
        if (editor !== this.rules || number === this.pointed) return;
        this.pointed = number;
        this.#showLine();
      },
      isOnline: () => this.connection.isOpen,
      tooLong: (length) => toast(this.element, tooLong(name, length, this.most), true),
      run: ({ command, arguments: words }) => this.#run(command, words),
    };
    const editor = new Editor({ parent, client: this.client, uri: answer.uri, name, text: answer.text ?? "", actions, most: this.most, nonce: this.nonce });
    const file = new OpenFile({ name, saved: answer.text, stamp: answer.stamp, editor, ask: (request) => this.ask(request), key: this.root, kept: () => this.screen.showState() });
    this.files.set(name, file);
    if (answer.lost) toast(this.element, sentence(answer.lost), true);
    await this.#recover(file, file.keptHere() ?? answer.kept); // here only while the server did not have it
  }

  /** Brings back what was typed and not saved. */
  async #recover(file, kept) {
    if (!kept || kept.text === file.editor.text) return;
    const how = await file.recover(kept);
    if (how === "differs") {
      await this.#choose(file, file.saved, file.stamp, `${file.name} was changed since you typed into it, in lines that you changed too.`);
      return;
    }
    const changed = how === "merged" ? " The file was changed since; both changes are here." : "";
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
    if (editor === this.rules) this.screen.typed();
    clearTimeout(this.quiet);
    if (!this.figures.isOld) {
      this.figures.isOld = true;
      this.screen.counted();
    }
    this.screen.showState();
  }

  async save() {
    let fault = null;
    for (const file of this.files.values()) {
      if (file.isDirty) fault ??= await file.save((one, theirs, stamp) => this.#settle(one, theirs, stamp));
    }
    if (fault) toast(this.element, sentence(fault), true);
    else this.askFigures();
    this.screen.showState();
    if (this.screen.panel === "history") this.screen.refreshPanel();
    return !fault;
  }

  async #takeOutside(name, text, stamp) {
    const file = this.files.get(name);
    if (!file) return;
    const how = await file.takeOutside(text, stamp);
    const said = { taken: `${name} was changed outside of the studio; its new text is here.`, merged: `${name} was changed outside of the studio; both changes are here, yours not saved yet.`, gone: `${name} was deleted or moved outside of the studio. Its text is still here; saving writes the file again.` }[how];
    if (said) toast(this.element, said);
    else await this.#settle(file, text, stamp);
    this.screen.showState();
  }

  /** Asks whose text goes on, where two people changed the same lines. */
  async #settle(file, theirs, stamp) {
    const how = await file.takeOutside(theirs, stamp);
    if (how !== "differs") return true;
    return this.#choose(file, theirs, stamp, `${file.name} was changed outside of the studio, in lines that you changed too.`);
  }

  async #choose(file, theirs, stamp, why) {
    const answer = await choose(this.element, why, { mine: "Keep my text", theirs: "Take the other text" }, [["yours", file.editor.text], ["the other", theirs]]);
    if (!answer) return false;
    file.settle(theirs, stamp, answer === "mine");
    return true;
  }

  /** Shows a game that was just begun. */
  async begin({ file, root, folder }) {
    const isElsewhere = root !== this.root;
    Object.assign(this, { folder, known: (await this.ask({ do: "files" })).files });
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
    this.screen.showState();
    if (this.rules?.faults?.length !== 0) {
      if (!this.figures.summary) this.screen.counted(); // no games are being played
      return;
    }
    if (editor === this.rules) await this.table.refresh(true);
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => this.askFigures(), QUIET);
  }

  async askFigures() {
    if (this.rules?.faults?.length !== 0) return;
    this.figures.number = Infinity; // until the answer says which
    const answer = await this.ask(this.table.request({ do: "figures", plies: [], saved: this.files.get(this.ruleset).saved }));
    if (answer.ok) this.figures.number = answer.number;
  }

  #takeFigures({ number, ...part }) {
    if (!this.rules || number < this.figures.number) return; // of another text or file
    this.figures = { ...this.figures, ...part, number, isOld: false };
    if (part.coverage) this.rules.showUses(part.coverage.lines.map((line) => ({ ...line, title: lineSentence(line, part.coverage.games) })));
    this.#showLine();
    this.screen.counted();
  }

  #showLine() {
    const { coverage, isOld } = this.figures;
    const number = this.pointed ?? this.rules?.line;
    const line = coverage && !isOld && coverage.lines.find((one) => one.number === number);
    clearTimeout(this.lighting);
    if (this.hinted) return;
    if (this.rules) this.lighting = setTimeout(() => this.#light(line && (line.kind === "guard" || line.kind === "forbid") ? number : null), QUIET);
    this.screen.parts.line.textContent = line ? `Line ${number}: ${lineSentence(line, coverage.games)}` : "";
  }

  /** Lights on the board what the guard at a line refuses now. */
  async #light(line) {
    const { frame, shown } = this.screen.parts;
    if (!shown || (line === null && !this.isLit)) return;
    const at = this.table.data?.at;
    const { actions = [] } = line === null ? {} : await this.ask(this.table.request({ do: "refused_at", plies: this.table.line, at, line }));
    this.isLit = actions.length > 0;
    frame.contentWindow.light(actions);
  }

  /** Searches for a minute whether a claim holds; the answer stands at its line. */
  prove(line) {
    const path = decodeURIComponent(new URL(this.rules.uri).pathname);
    toast(this.element, "The search takes up to a minute. Its answer stands at the claim.");
    return this.client.request("workspace/executeCommand", { command: "gamedsl.verify", arguments: [path, line - 1, PROOF] });
  }

  /** Marks the guards in the text that refuse a move on the board. */
  refuse(reasons) {
    this.refusals = reasons;
    this.rules?.markLines(this.#linesOf(reasons), "refusing");
  }

  /** Marks the guards that refuse what the mouse rests on; without any, those of the last refusal. */
  hint(reasons) {
    this.hinted = reasons.length > 0;
    this.rules?.markLines(this.#linesOf(this.hinted ? reasons : this.refusals), "refusing", false);
    const [first] = this.#linesOf(reasons);
    if (this.hinted) this.screen.parts.line.textContent = `${first ? `Line ${first} refuses` : "Refused"}: ${sentence(reasons[0].message)}`;
    else this.#showLine();
  }

  #linesOf(reasons) {
    const own = reasons.map(({ rule }) => /^(.*?):(\d+): /.exec(rule ?? "")).filter((found) => found && found[1] === this.ruleset);
    return own.map((found) => Number(found[2]));
  }

  // ------------------------------------------------------------------------------------------------------ the board

  /** Adds the game on the board to the examples. */
  async makeExample() {
    const answer = await this.ask(this.table.request({ do: "example", plies: this.table.shownPlies, ...this.table.lastRefused }));
    if (!answer.ok) {
      toast(this.element, sentence(answer.message), true);
      return;
    }
    this.examples.replace(answer.text);
    this.screen.showPanel("examples");
    this.screen.showNarrow("facts");
    toast(this.element, "The game on the board is an example now.", false, { label: "Show its text", run: () => this.screen.showTab("examples") });
  }

  /** Runs the command of a lens. */
  async #run(command, words) {
    if (!command) return;
    const isGame = command === "gamedsl.showGame";
    const found = await this.client.request("workspace/executeCommand", { command: isGame ? "gamedsl.game" : command, arguments: words });
    if (isGame && found) await this.showGame(found.plies, Object.entries(found.options));
    else if (isGame) toast(this.element, "No game leads to this position under the rules as they are now.", true);
  }

  /** Shows a game on the board. */
  async showGame(plies, options = null) {
    await this.table.showLine(plies, options);
    this.screen.showNarrow("board");
  }

}

export const examplesOf = (name) => `${name.replace(/\.gdl$/, "")}.examples.yaml`;
const tooLong = (name, length, most) => `${name} would have ${length.toLocaleString("en")} characters, and a file in the studio has at most ${most.toLocaleString("en")}. Insert less, or put a part of the rules into another file and name that by use.`;
const LOST = { ok: false, isLost: true, message: "there is no connection to the server now" };
const CAPABILITIES = { workspace: { diagnostics: { refreshSupport: true } }, textDocument: { semanticTokens: { requests: { full: true }, tokenTypes: [], tokenModifiers: [], formats: ["relative"] } } };

/** What this tab remembers. */
function remembered(what) {
  try {
    return sessionStorage.getItem(what) ?? "";
  } catch {
    return "";
  }
}

function remember(what, text) {
  try {
    sessionStorage.setItem(what, text);
  } catch {
    // a browser that remembers nothing: the address holds the key
  }
}

globalThis.studio = new Studio(document.getElementById("studio"));
