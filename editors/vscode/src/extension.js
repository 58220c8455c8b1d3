// The extension: the client of `gamedsl lsp`, and commands that show a game beside its text. What is known about the language
// is known by the server and the command line; nothing of it is written here.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { makeExtension } = require("./commands");

const extension = makeExtension(vscode, LanguageClient);
exports.activate = extension.activate;
exports.deactivate = extension.deactivate;
