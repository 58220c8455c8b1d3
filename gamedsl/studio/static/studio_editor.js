// The text editor: CodeMirror over its language client, with what that lacks: messages with their cures as buttons, colors by the
// server's tokens, hints, lenses, the use of lines in playouts, and marks for guards and lines that part from a game.

import {
  Compartment, Decoration, EditorState, EditorView, GutterMarker, LSPPlugin, RangeSet, StateEffect, StateField, WidgetType, bracketMatching,
  closeBrackets, closeBracketsKeymap, completionKeymap, defaultKeymap, drawSelection, findReferencesKeymap, foldGutter, foldKeymap, formatKeymap, gutter, highlightActiveLine,
  highlightActiveLineGutter, highlightSelectionMatches, history, historyKeymap, hoverTooltips, indentOnInput, indentUnit, indentWithTab,
  jumpToDefinitionKeymap, keymap, lineNumbers, lintGutter, renameKeymap, rules, search, searchKeymap, serverCompletion, setDiagnostics, signatureHelp,
} from "./codemirror.js";

export { LSPClient } from "./codemirror.js";
export { EditorView } from "./codemirror.js";

const SEVERITIES = [null, "error", "warning", "info", "hint"];
const MOST_COLORED = 200_000; // characters
export const EXTENSIONS = [serverCompletion(), hoverTooltips(), signatureHelp()];

// ------------------------------------------------------------------------------------------------- decorations from outside

/** A field of decorations that an effect replaces, and that moves with the text. */
function replaced(provide) {
  const effect = StateEffect.define();
  const field = StateField.define({
    create: () => RangeSet.empty,
    update(value, transaction) {
      const mapped = transaction.docChanged ? value.map(transaction.changes) : value;
      return transaction.effects.reduce((now, one) => (one.is(effect) ? one.value : now), mapped);
    },
    provide,
  });
  return { effect, field };
}

const decorations = () => replaced((field) => EditorView.decorations.from(field));
const [colors, hints, lenses, marks, tints] = Array.from({ length: 5 }, decorations);
const uses = replaced(() => []);

class Hint extends WidgetType {
  constructor(text) {
    super();
    this.text = text;
  }

  eq(other) {
    return other.text === this.text;
  }

  toDOM() {
    const element = document.createElement("span");
    element.className = "hint";
    element.textContent = this.text;
    return element;
  }
}

class Lens extends WidgetType {
  constructor(title, run) {
    super();
    Object.assign(this, { title, run });
  }

  eq(other) {
    return other.title === this.title;
  }

  toDOM() {
    const element = document.createElement("button");
    element.type = "button";
    element.className = "lens";
    element.textContent = this.title;
    element.onclick = this.run;
    return element;
  }

  ignoreEvent() {
    return true;
  }
}

/** How much a line was used in playouts: a stripe beside its number. */
class Use extends GutterMarker {
  constructor(mark, title) {
    super();
    Object.assign(this, { mark, title });
  }

  eq(other) {
    return other.mark === this.mark && other.title === this.title;
  }

  toDOM() {
    const element = document.createElement("div");
    element.className = `use use-${this.mark}`;
    element.title = this.title;
    return element;
  }
}

// --------------------------------------------------------------------------------------------------------------- one editor

export class Editor {
  /** `actions`: `changed(editor)` after every change of the text, `pointed(editor, line)` with the line under the mouse (null: none), `checked(editor, found)` with the messages about it, `isOnline()`, `cursor(editor)`,
   *  `run(command)` for a lens, `tooLong(length)` of a text that an author may not make: it has more than `most` characters. */
  constructor({ parent, client, uri, name, text, actions, most, nonce }) {
    Object.assign(this, { client, uri, name, actions, version: 0, found: [] });
    const keys = [{ key: "Mod-.", run: () => this.cure() }];
    this.theme = new Compartment();
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        doc: text,
        extensions: [
          EditorView.cspNonce.of(nonce), lintGutter(), lineNumbers(), this.#useGutter(), ...(name.endsWith(".gdl") ? [rules(), foldGutter()] : []), highlightActiveLineGutter(), highlightActiveLine(), history(), drawSelection(),
          indentOnInput(), indentUnit.of("  "), bracketMatching(), closeBrackets(), highlightSelectionMatches(), search({ top: true }), EditorState.allowMultipleSelections.of(true),
          EditorView.contentAttributes.of({ "aria-label": name, spellcheck: "false" }), EditorView.lineWrapping,
          keymap.of([...keys, ...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...formatKeymap, ...renameKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap, ...defaultKeymap, indentWithTab]),
          colors.field, hints.field, lenses.field, marks.field, tints.field, uses.field, this.theme.of([]),
          EditorState.changeFilter.of((transaction) => this.#fits(transaction, most)),
          EditorView.updateListener.of((update) => this.#take(update)),
          EditorView.domEventHandlers({ mousemove: (event) => this.#point(event), mouseleave: () => actions.pointed(this, null) }),
          client.plugin(uri, name.endsWith(".yaml") ? "yaml" : "gamedsl"),
        ],
      }),
    });
    queueMicrotask(() => this.#sync());
  }

  get text() {
    return this.view.state.doc.toString();
  }

  get line() {
    const { state } = this.view;
    return state.doc.lineAt(state.selection.main.head).number;
  }

  /** Whether a text is short enough to be kept, or becomes shorter. */
  #fits({ startState, newDoc, docChanged }, most) {
    if (!docChanged || newDoc.length <= Math.max(most, startState.doc.length)) return true;
    this.actions.tooLong(newDoc.length);
    return false;
  }

  /** The line under the mouse. */
  #point({ clientX, clientY }) {
    const at = this.view.posAtCoords({ x: clientX, y: clientY });
    this.actions.pointed(this, at === null ? null : this.view.state.doc.lineAt(at).number);
  }

  #take(update) {
    if (update.docChanged) {
      this.version += 1;
      this.actions.changed(this);
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.#sync(), 10);
    }
    if (update.selectionSet || update.docChanged) this.actions.cursor(this);
  }

  // ------------------------------------------------------------------------------------------------- the server's answers

  /** Sends the text, and asks for everything that belongs to it: about one text at a time, and in the end about the newest. */
  #sync() {
    if (!this.actions.isOnline()) return; // it is asked again when the server is here
    this.client.sync();
    if (this.isAsking) return;
    const { version } = this;
    const asking = (this.isAsking = {}); // what belongs to a connection that was lost is never answered
    this.#ask(version).catch(() => null).then(() => { // refused: the text has changed meanwhile
      if (this.isAsking !== asking) return;
      this.isAsking = null;
      if (version !== this.version) this.#sync();
    });
  }

  async #ask(version) {
    const { client } = this;
    const textDocument = { uri: this.uri };
    const isRules = this.name.endsWith(".gdl");
    const colored = isRules ? await client.request("textDocument/semanticTokens/full", { textDocument }) : null;
    if (version !== this.version) return;
    if (colored) this.#color(colored.data ?? []);
    const report = await client.request("textDocument/diagnostic", { textDocument });
    if (version !== this.version) return;
    const items = this.text.trim() ? report.items : []; // a file that is not begun has no mistakes
    const range = { start: { line: 0, character: 0 }, end: this.#position(this.view.state.doc.length) };
    const [cures, hinted, lensed] = await Promise.all([
      items.length ? client.request("textDocument/codeAction", { textDocument, range, context: { diagnostics: [], only: ["quickfix"] } }) : [],
      isRules ? client.request("textDocument/inlayHint", { textDocument, range }) : [],
      client.request("textDocument/codeLens", { textDocument }),
    ]);
    if (version !== this.version) return;
    this.#show(items, cures ?? []);
    this.#hint(hinted ?? []);
    this.#offer(lensed ?? []);
    this.found = items;
    this.actions.checked(this, items);
  }

  /** Asks again about the same text. */
  again() {
    this.isAsking = null;
    this.#sync();
  }

  #position(offset) {
    const line = this.view.state.doc.lineAt(offset);
    return { line: line.number - 1, character: offset - line.from };
  }

  #offset({ line, character }) {
    const { doc } = this.view.state;
    if (line >= doc.lines) return doc.length;
    const found = doc.line(line + 1);
    return Math.min(found.from + character, found.to);
  }

  #show(items, cures) {
    const { version } = this;
    const same = (a, b) => a.code === b.code && JSON.stringify(a.range) === JSON.stringify(b.range);
    const shown = items.map((item) => {
      const fitting = cures.filter((cure) => cure.edit && cure.diagnostics?.some((one) => same(one, item)));
      const actions = fitting.map((cure) => ({ name: cure.title, apply: () => version === this.version && this.apply(cure.edit) }));
      const [from, to] = [this.#offset(item.range.start), this.#offset(item.range.end)];
      return { from, to: Math.max(from, to), severity: SEVERITIES[item.severity ?? 1], message: item.message, source: item.code, actions };
    });
    this.cures = shown.flatMap((one) => one.actions.map((action) => ({ from: one.from, to: one.to, ...action })));
    this.view.dispatch(setDiagnostics(this.view.state, shown));
  }

  /** Applies the first cure at the cursor. */
  cure() {
    const { head } = this.view.state.selection.main;
    const line = this.view.state.doc.lineAt(head);
    const found = (this.cures ?? []).find(({ from, to }) => from <= line.to && line.from <= to);
    found?.apply();
    return Boolean(found);
  }

  /** Applies the edits of this file. */
  apply({ changes }) {
    const edits = (changes?.[this.uri] ?? []).map(({ range, newText }) => ({ from: this.#offset(range.start), to: this.#offset(range.end), insert: newText }));
    this.view.dispatch({ changes: edits, userEvent: "input.cure" });
    this.view.focus();
  }

  #color(data) {
    const { doc } = this.view.state;
    if (doc.length > MOST_COLORED) return;
    const { tokenTypes } = this.client.serverCapabilities.semanticTokensProvider.legend;
    const found = [];
    let [line, character] = [0, 0];
    for (let i = 0; i + 4 < data.length; i += 5) {
      character = data[i] ? data[i + 1] : character + data[i + 1];
      line += data[i];
      const from = this.#offset({ line, character });
      const to = Math.min(from + data[i + 2], doc.length);
      if (from < to) found.push(Decoration.mark({ class: `token-${tokenTypes[data[i + 3]]}${data[i + 4] & 1 ? " token-declaration" : ""}` }).range(from, to));
    }
    this.view.dispatch({ effects: colors.effect.of(Decoration.set(found, true)) });
  }

  #hint(items) {
    const found = items.map(({ position, label }) => Decoration.widget({ widget: new Hint(typeof label === "string" ? label : label.map(({ value }) => value).join("")), side: 1 }).range(this.#offset(position)));
    this.view.dispatch({ effects: hints.effect.of(Decoration.set(found, true)) });
  }

  #offer(items) {
    const found = items.map(({ range, command }) => {
      const line = this.view.state.doc.lineAt(this.#offset(range.start));
      return Decoration.widget({ widget: new Lens(command.title, () => this.actions.run(command)), side: 2 }).range(line.to);
    });
    this.view.dispatch({ effects: lenses.effect.of(Decoration.set(found, true)) });
  }

  // ------------------------------------------------------------------------------------------------- marks from outside

  #useGutter() {
    return gutter({ class: "uses", markers: (view) => view.state.field(uses.field) });
  }

  /** `lines`: per line its number, how much it was used (`mark`), and a sentence. */
  showUses(lines) {
    const { doc } = this.view.state;
    const inside = lines.filter(({ number }) => number <= doc.lines);
    const found = inside.map(({ number, mark, title }) => new Use(mark, title).range(doc.line(number).from));
    const tinted = inside.filter(({ mark }) => mark !== "used").map(({ number, mark }) => Decoration.line({ class: `tinted-${mark}` }).range(doc.line(number).from));
    this.view.dispatch({ effects: [uses.effect.of(RangeSet.of(found, true)), tints.effect.of(Decoration.set(tinted, true))] });
  }

  /** Marks lines, such as guards that refuse a move; `kind` is a class. The first one is scrolled to, if `scrolls`. */
  markLines(numbers, kind, scrolls = true) {
    const { doc } = this.view.state;
    const lines = [...new Set(numbers)].filter((number) => number >= 1 && number <= doc.lines).map((number) => doc.line(number));
    const found = lines.map((line) => Decoration.line({ class: `marked marked-${kind}` }).range(line.from));
    const scroll = scrolls && lines.length ? [EditorView.scrollIntoView(lines[0].from, { y: "nearest", yMargin: 60 })] : [];
    this.view.dispatch({ effects: [marks.effect.of(Decoration.set(found, true)), ...scroll] });
  }

  goTo(number) {
    this.#moveTo(this.view.state.doc.line(Math.min(number, this.view.state.doc.lines)).from);
  }

  /** Moves the cursor to the first mistake. */
  goToFault() {
    const places = (this.faults ?? []).map(({ range }) => this.#offset(range.start));
    if (places.length) this.#moveTo(Math.min(...places));
  }

  #moveTo(anchor) {
    this.view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.view.focus();
  }

  /** Replaces the text by another, changing only what differs. */
  replace(text) {
    const old = this.text;
    if (old === text) return;
    let start = 0;
    while (start < old.length && start < text.length && old[start] === text[start]) start += 1;
    let end = 0;
    while (end < old.length - start && end < text.length - start && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1;
    this.view.dispatch({ changes: { from: start, to: old.length - end, insert: text.slice(start, text.length - end) }, filter: false });
  }

  /** Text with units of its own (such as a new claim) at the end of the file, or before another line. */
  append(text) {
    const { doc } = this.view.state;
    const before = doc.length && !doc.toString().endsWith("\n") ? "\n" : "";
    this.view.dispatch({ changes: { from: doc.length, insert: `${before}${text}` }, selection: { anchor: doc.length + before.length }, scrollIntoView: true });
  }

  close() {
    clearTimeout(this.timer);
    this.view.destroy();
  }
}
