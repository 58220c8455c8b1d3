// A page about a ruleset, made by the command line: the page that plays, or the report.
const { execFile } = require("node:child_process");
const { mkdtemp, readFile, rm, writeFile } = require("node:fs/promises");
const { tmpdir } = require("node:os");
const path = require("node:path");

const LARGEST = 64 * 1024 * 1024;

// Returns { html } or, if the ruleset has mistakes or the command cannot be started, { problem }.
// `record`: the text of a game with which the page begins.
async function makePage(command, words, file, record) {
  const folder = await mkdtemp(path.join(tmpdir(), "gamedsl-"));
  try {
    const page = path.join(folder, "page.html");
    const [verb, ...options] = words;
    if (record !== undefined) {
      const game = path.join(folder, "game.txt");
      await writeFile(game, record, "utf-8");
      options.push("--from", game);
    }
    const problem = await run(command, [verb, file, ...options, "-o", page, "--color", "never"], path.dirname(file));
    return problem === null ? { html: await readFile(page, "utf-8") } : { problem };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(command, words, cwd) {
  return new Promise((done) => {
    execFile(command, words, { cwd, maxBuffer: LARGEST }, (error, out, messages) => {
      if (!error) done(null);
      else if (error.code === "ENOENT") done(`The command ${command} was not found. Install it: pip install 'gamedsl[all]'`);
      else done((messages + out).trim() || String(error.message));
    });
  });
}

// A page that shows a message as it is.
function messagePage(message) {
  const text = message.replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
  return (
    `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>gamedsl</title>` +
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">` +
    `<style>pre { font-family: var(--vscode-editor-font-family, monospace); white-space: pre-wrap; }</style></head>` +
    `<body><pre>${text}</pre></body></html>`
  );
}

module.exports = { makePage, messagePage };
