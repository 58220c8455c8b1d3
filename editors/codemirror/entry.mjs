// What the studio uses of CodeMirror; gamedsl/studio/static/studio_editor.js imports it.
export { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
export { bracketMatching, ensureSyntaxTree, foldGutter, foldKeymap, foldable, getIndentation, indentOnInput, indentUnit } from "@codemirror/language";
export { lintGutter, nextDiagnostic, setDiagnostics, setDiagnosticsEffect } from "@codemirror/lint";
export { LSPClient, LSPPlugin, Workspace, findReferencesKeymap, formatKeymap, hoverTooltips, jumpToDefinitionKeymap, renameKeymap, serverCompletion, signatureHelp } from "@codemirror/lsp-client";
export { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from "@codemirror/search";
export { Annotation, Compartment, EditorState, RangeSet, StateEffect, StateField, Transaction } from "@codemirror/state";
export { Decoration, EditorView, GutterMarker, ViewPlugin, WidgetType, drawSelection, gutter, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
export { highlightTree } from "@lezer/highlight";
export { TreeFragment } from "@lezer/common";
export { highlighter, language, rules } from "./language.mjs";
