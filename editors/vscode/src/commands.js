// The commands of the extension. `vscode` and the client are given, so that tests can give others.
const path = require("node:path");
const { makePage, messagePage } = require("./pages");

function makeExtension(vscode, LanguageClient) {
  const { commands, window, workspace, ViewColumn } = vscode;
  const panels = new Map(); // by kind and file
  let client;

  const setting = (name) => workspace.getConfiguration("gamedsl").get(name);

  async function start() {
    const server = { command: setting("command"), args: ["lsp"] };
    const documentSelector = [
      { scheme: "file", language: "gamedsl" },
      { scheme: "untitled", language: "gamedsl" }, // a text that has no file yet
      { scheme: "file", pattern: "**/*.{yaml,yml,json}" }, // examples, clauses, rulesets as data; the server knows which are
    ];
    client = new LanguageClient("gamedsl", "gamedsl", server, { documentSelector, initializationOptions: { board: true } });
    try {
      await client.start();
    } catch (problem) {
      window.showErrorMessage(
        `gamedsl: the language server did not start (${problem.message}). Install it by pip install 'gamedsl[all]', ` +
          "or set gamedsl.command to the path of the command.",
      );
    }
  }

  // The ruleset that a command is about: the one given, else the one that is open in front; saved, so that the command sees it.
  async function rulesetFile(given) {
    const document = given?.fsPath
      ? await workspace.openTextDocument(given)
      : window.activeTextEditor && window.activeTextEditor.document;
    if (!document || !document.fileName.endsWith(".gdl")) {
      window.showInformationMessage("gamedsl: open a ruleset (.gdl) first.");
      return undefined;
    }
    if (document.isDirty) await document.save();
    return document.fileName;
  }

  const KINDS = {
    play: { title: "Play", words: () => ["export", "--to", "html"], follows: true },
    report: { title: "Report", words: () => ["report", "--time", String(setting("report.seconds"))], follows: false },
  };

  // The panel of a kind and a file: the one that is open already, brought to the front, or a new one.
  function panelOf(kind, file, title) {
    const key = `${kind} ${file}`;
    let one = panels.get(key);
    if (one === undefined) {
      const panel = window.createWebviewPanel(`gamedsl.${kind}`, title, ViewColumn.Beside, {
        enableScripts: true,
        retainContextWhenHidden: true,
        localResourceRoots: [],
      });
      one = { kind, file, panel, newest: 0 };
      panels.set(key, one);
      panel.onDidDispose(() => panels.delete(key));
    } else {
      one.panel.reveal(ViewColumn.Beside, true);
    }
    return one;
  }

  async function showPage(kind, given) {
    const file = await rulesetFile(given);
    if (file === undefined) return;
    await fill(panelOf(kind, file, `${KINDS[kind].title}: ${path.basename(file)}`));
  }

  // The page of the newest text: an older one that took longer is dropped.
  async function fill(one) {
    const number = ++one.newest;
    if (!one.panel.webview.html) one.panel.webview.html = messagePage("One moment ...");
    const { html, problem } = await makePage(setting("command"), one.words ?? KINDS[one.kind].words(), one.file, one.record);
    if (number === one.newest) one.panel.webview.html = html ?? messagePage(problem);
  }

  // The game of an example or of a claim, as a page that begins with it; people play every seat, so that nobody answers at once.
  async function showGame(file, line) {
    const found = await commands.executeCommand("gamedsl.game", file, line);
    if (!found) {
      window.showInformationMessage("gamedsl: no game leads to this position under the rules as they are now.");
      return;
    }
    const options = Object.entries(found.options).flatMap(([name, value]) => ["--set", `${name}=${value}`]);
    const title = `${path.basename(file)}:${line + 1}`;
    const one = panelOf("game", found.ruleset, title);
    one.panel.title = title;
    one.words = ["export", "--to", "html", "--seats", Array(found.seats).fill("human").join(","), ...options];
    one.record = found.record;
    await fill(one);
  }

  async function playInTerminal(given) {
    const file = await rulesetFile(given);
    if (file === undefined) return;
    const options = { name: "gamedsl", cwd: path.dirname(file), shellPath: setting("command"), shellArgs: ["play", file] };
    window.createTerminal(options).show();
  }

  // A command of the server, about a whole file.
  async function runOnServer(name, given, ...more) {
    const file = await rulesetFile(given);
    if (file !== undefined) await commands.executeCommand(name, file, ...more);
  }

  async function activate(context) {
    const added = {
      "gamedsl.playBeside": (file) => showPage("play", file),
      "gamedsl.report": (file) => showPage("report", file),
      "gamedsl.showGame": showGame,
      "gamedsl.playInTerminal": playInTerminal,
      "gamedsl.testFile": (file) => runOnServer("gamedsl.test", file),
      "gamedsl.verifyFile": (file) => runOnServer("gamedsl.verify", file, null, setting("verify.seconds")),
      "gamedsl.restart": async () => {
        await client?.stop();
        await start();
      },
    };
    for (const [name, work] of Object.entries(added)) context.subscriptions.push(commands.registerCommand(name, work));
    context.subscriptions.push(
      workspace.onDidSaveTextDocument((document) => {
        for (const one of panels.values()) {
          if (KINDS[one.kind]?.follows && one.file === document.fileName) fill(one);
        }
      }),
    );
    await start();
  }

  return { activate, deactivate: () => client?.stop() };
}

module.exports = { makeExtension };
