// The commands of the extension with a small VS Code of the test's own, and the real command line (GAMEDSL, default: gamedsl).
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";

const require = createRequire(import.meta.url);
const { makeExtension } = require("../src/commands.js");
const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf-8"));

const GAME = `game "Take"
players one, two
state
  left: 0..3 = 3
move take
  take 1 from left
play
  turns from one until left = 0
    me plays take
  draw
`;

class Client {
  static made = [];
  constructor(id, name, server, client) {
    Object.assign(this, { server, client, running: false });
    Client.made.push(this);
  }
  async start() {
    if (this.server.command === "missing-command") throw new Error("spawn missing-command ENOENT");
    this.running = true;
  }
  async stop() {
    this.running = false;
  }
}

// What of VS Code the extension uses, with notes of what it did.
function makeEditor(file, settings = {}) {
  const editor = { registered: new Map(), executed: [], panels: [], terminals: [], shown: [], saving: [] };
  const document = { fileName: file, isDirty: false, save: async () => {} };
  const defaults = manifest.contributes.configuration.properties;
  const values = { "gamedsl.command": process.env.GAMEDSL ?? "gamedsl", ...settings };
  editor.document = document;
  editor.answer = undefined;
  editor.vscode = {
    ViewColumn: { Beside: -2 },
    commands: {
      registerCommand: (name, work) => editor.registered.set(name, work),
      executeCommand: async (...words) => {
        editor.executed.push(words);
        return editor.answer;
      },
    },
    workspace: {
      getConfiguration: (section) => ({
        get: (name) => values[`${section}.${name}`] ?? defaults[`${section}.${name}`].default,
      }),
      openTextDocument: async () => document,
      onDidSaveTextDocument: (work) => editor.saving.push(work),
    },
    window: {
      activeTextEditor: file && { document },
      showErrorMessage: (text) => editor.shown.push(text),
      showInformationMessage: (text) => editor.shown.push(text),
      createTerminal: (options) => {
        editor.terminals.push(options);
        return { show() {} };
      },
      createWebviewPanel: (kind, title, column, options) => {
        const panel = { kind, title, options, webview: { html: "" }, reveal() {}, onDidDispose: (w) => (panel.close = w) };
        editor.panels.push(panel);
        return panel;
      },
    },
  };
  return editor;
}

async function activated(text, settings) {
  const file = text && path.join(mkdtempSync(path.join(tmpdir(), "gamedsl-")), "take.gdl");
  if (file) writeFileSync(file, text);
  const editor = makeEditor(file, settings);
  editor.extension = makeExtension(editor.vscode, Client);
  await editor.extension.activate({ subscriptions: [] });
  return { ...editor, editor, file };
}

test("every command of the manifest is there, and no other", async () => {
  const { registered } = await activated(GAME);
  const ofLenses = ["gamedsl.showGame"]; // needs a line, so nobody can choose it
  assert.deepEqual([...registered.keys()].sort(), [...ofLenses, ...manifest.contributes.commands.map((c) => c.command)].sort());
});

test("the page that plays is shown beside the text, with its scripts, and made anew on saving", async () => {
  const { registered, panels, saving, document } = await activated(GAME);
  await registered.get("gamedsl.playBeside")();
  assert.equal(panels.length, 1);
  const first = panels[0].webview.html;
  assert.match(first, /<script/);
  assert.match(first, /<title>Take/);
  assert.ok(panels[0].options.enableScripts && panels[0].options.localResourceRoots.length === 0);
  writeFileSync(document.fileName, GAME.replace("Take", "Taken"));
  saving.forEach((work) => work(document));
  for (let n = 0; n < 600 && panels[0].webview.html === first; n++) await new Promise((r) => setTimeout(r, 100));
  assert.match(panels[0].webview.html, /<title>Taken/);
  await registered.get("gamedsl.playBeside")();
  assert.equal(panels.length, 1, "one panel for a file");
});

test("a ruleset with a mistake shows the message as text", async () => {
  const { registered, panels } = await activated(GAME.replace("take 1 from left", 'take 1 from <b>'));
  await registered.get("gamedsl.playBeside")();
  assert.match(panels[0].webview.html, /take\.gdl/);
  assert.match(panels[0].webview.html, /&lt;b&gt;/);
  assert.doesNotMatch(panels[0].webview.html, /<script|<b>/);
});

test("claims and examples run on the server", async () => {
  const { registered, executed, file } = await activated(GAME);
  await registered.get("gamedsl.verifyFile")();
  await registered.get("gamedsl.testFile")({ fsPath: file });
  assert.deepEqual(executed, [["gamedsl.verify", file, null, 10], ["gamedsl.test", file]]);
});

test("a game that a lens shows is a page that begins with it, where people play every seat", async () => {
  const { registered, executed, panels, file, shown, editor } = await activated(GAME);
  await registered.get("gamedsl.showGame")(file, 3);
  assert.match(shown[0], /no game leads/);
  editor.answer = { record: "1. take\n", plies: [[0, "take"]], options: {}, seats: 2, ruleset: file };
  await registered.get("gamedsl.showGame")(file, 3);
  assert.deepEqual(executed.at(-1), ["gamedsl.game", file, 3]);
  assert.equal(panels[0].title, "take.gdl:4");
  assert.match(panels[0].webview.html, /<title>Take/);
  await registered.get("gamedsl.showGame")(file, 5);
  assert.equal(panels.length, 1, "one board for a ruleset");
});

test("a terminal gets the command and the file as words, not through a shell", async () => {
  const { registered, terminals, file } = await activated(GAME);
  await registered.get("gamedsl.playInTerminal")();
  assert.deepEqual(terminals[0].shellArgs, ["play", file]);
});

test("without a ruleset, and without the command, a message says what to do", async () => {
  const none = await activated(undefined, { "gamedsl.command": "missing-command" });
  await none.registered.get("gamedsl.playBeside")();
  assert.match(none.shown[0], /pip install/);
  assert.match(none.shown[1], /open a ruleset/);
  const missing = await activated(GAME, { "gamedsl.command": "missing-command" });
  await missing.registered.get("gamedsl.playBeside")();
  assert.match(missing.panels[0].webview.html, /pip install/);
});

test("restarting stops the server that runs", async () => {
  const before = Client.made.length;
  const { registered, extension } = await activated(GAME);
  await registered.get("gamedsl.restart")();
  assert.deepEqual(Client.made.slice(before).map((c) => c.running), [false, true]);
  await extension.deactivate();
  assert.equal(Client.made.at(-1).running, false);
});
