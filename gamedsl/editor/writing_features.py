"""The features of the protocol for what is being written: completion, signatures, quick fixes, formatting."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types as lsp

from gamedsl.editor import completions as completing
from gamedsl.editor import data_features, hints, structure
from gamedsl.editor.data_features import DATA
from gamedsl.editor.protocol import path_of
from gamedsl.editor.server import RulesetServer
from gamedsl.language.cures import cured
from gamedsl.language.source import Diagnostic, Fix, Source

_ITEMS = {
    "keyword": lsp.CompletionItemKind.Keyword, "snippet": lsp.CompletionItemKind.Snippet, "function": lsp.CompletionItemKind.Function,
    "file": lsp.CompletionItemKind.File, "clause": lsp.CompletionItemKind.Reference, "local": lsp.CompletionItemKind.Variable,
    "define": lsp.CompletionItemKind.Function, "move": lsp.CompletionItemKind.Method, "action": lsp.CompletionItemKind.Method,
    "option": lsp.CompletionItemKind.Constant, "type": lsp.CompletionItemKind.Enum, "piece": lsp.CompletionItemKind.Class,
    "element": lsp.CompletionItemKind.EnumMember, "players": lsp.CompletionItemKind.EnumMember, "field": lsp.CompletionItemKind.Field,
}  # fmt: skip


def register(server: RulesetServer) -> None:
    """Gives a server completion, signatures, quick fixes and formatting."""

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", "@", '"', " "]))
    async def complete(ls: RulesetServer, params: lsp.CompletionParams) -> lsp.CompletionList:
        source = ls.source(params.text_document.uri)
        offset = ls.positions.offset(source, params.position)
        path, kind = source.path, ls.desk.kind(source)
        if kind in DATA:
            written, is_all = await data_features.complete_data(ls, source, kind, offset)
            items = [_data_item(number, *one) for number, one in enumerate(written)]
            return lsp.CompletionList(is_incomplete=not is_all, items=items)
        if kind != "rules":
            return lsp.CompletionList(is_incomplete=False, items=[])

        def files() -> list[str]:
            return sorted(Path(p).name for p in ls.desk.around(path))

        found = completing.completions(source, offset, ls.desk.names(path), ls.desk.clauses(path), files)
        return lsp.CompletionList(is_incomplete=False, items=[_item(one) for one in found])

    @server.feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(["(", ","]))
    def signature(ls: RulesetServer, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        source = ls.source(params.text_document.uri)
        if ls.desk.kind(source) != "rules":
            return None
        found = hints.signature_at(source, ls.positions.offset(source, params.position))
        if found is None:
            return None
        label, text, names, active = found
        parameters = [lsp.ParameterInformation(name) for name in names]
        return lsp.SignatureHelp([lsp.SignatureInformation(label, text, parameters)], 0, active)

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll]),
    )
    async def actions(ls: RulesetServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        answer = await ls.found_in(path_of(params.text_document.uri))
        return [] if answer is None else _actions(ls, params, *answer)

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    async def format_all(ls: RulesetServer, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        return await _format(ls, params.text_document.uri, None)

    @server.feature(lsp.TEXT_DOCUMENT_RANGE_FORMATTING)
    async def format_range(ls: RulesetServer, params: lsp.DocumentRangeFormattingParams) -> list[lsp.TextEdit] | None:
        return await _format(ls, params.text_document.uri, (params.range.start.line, params.range.end.line))

    @server.feature(lsp.TEXT_DOCUMENT_ON_TYPE_FORMATTING, lsp.DocumentOnTypeFormattingOptions("\n"))
    async def format_typed(ls: RulesetServer, params: lsp.DocumentOnTypeFormattingParams) -> list[lsp.TextEdit] | None:
        line = params.position.line - 1
        return await _format(ls, params.text_document.uri, (line, line)) if line >= 0 else None


def _item(one: completing.Candidate) -> lsp.CompletionItem:
    is_snippet = one.kind == "snippet"
    return lsp.CompletionItem(
        one.label,
        kind=_ITEMS.get(one.kind, lsp.CompletionItemKind.Variable),
        detail=one.detail or None,
        documentation=one.documentation or None,
        insert_text=one.text or None,
        insert_text_format=lsp.InsertTextFormat.Snippet if is_snippet else None,
        sort_text=f"{'1' if one.kind in ('keyword', 'snippet') else '2' if one.kind == 'function' else '0'}{one.label}",
    )


def _data_item(number: int, one: completing.Candidate, edit: lsp.TextEdit) -> lsp.CompletionItem:
    """A candidate in a text that is data, in the order in which it was found."""
    return lsp.CompletionItem(
        one.label,
        kind=_ITEMS.get(one.kind, lsp.CompletionItemKind.Variable),
        detail=one.detail or None,
        documentation=one.documentation or None,
        text_edit=edit,
        filter_text=edit.new_text,
        sort_text=f"{number:04}",
    )


def _actions(
    ls: RulesetServer, params: lsp.CodeActionParams, source: Source, found: list[Diagnostic]
) -> list[lsp.CodeAction]:
    start = ls.positions.offset(source, params.range.start)
    end = ls.positions.offset(source, params.range.end)
    only = params.context.only
    actions = []
    near = [d for d in found if d.span.source.path == source.path and d.span.start <= end and start <= d.span.end]
    if only is None or any(lsp.CodeActionKind.QuickFix.value.startswith(str(getattr(k, "value", k))) for k in only):
        for d in cured(near):
            shown = ls.positions.diagnostic(d, source)
            for number, fix in enumerate(d.fixes):
                edit = ls.positions.workspace_edit([fix])
                preferred = number == 0 and fix.safe
                actions.append(lsp.CodeAction(fix.title, lsp.CodeActionKind.QuickFix, [shown], preferred, edit=edit))
    safe: list[Fix] = []
    for d in cured(found):
        first = next((f for f in d.fixes if f.safe), None)
        if first is not None and all(first.end < f.start or f.end < first.start for f in safe):
            safe.append(first)
    if safe and (only is None or any("source".startswith(str(getattr(k, "value", k)).split(".")[0]) for k in only)):
        edit = ls.positions.workspace_edit(safe)
        actions.append(lsp.CodeAction("Apply all safe fixes", lsp.CodeActionKind.SourceFixAll, edit=edit))
    return actions


async def _format(ls: RulesetServer, uri: str, lines: tuple[int, int] | None) -> list[lsp.TextEdit] | None:
    """The edits that bring a text, or some of its lines, into the canonical form; None if it does not parse, or has changed meanwhile."""
    source = ls.source(uri)
    if not source.path.endswith(".gdl"):
        return None
    edits = await ls.beside(lambda: structure.format_edits(ls.desk.parse(source), lines))
    if edits is None or ls.source_is_other(source):
        return None
    return [lsp.TextEdit(lsp.Range(lsp.Position(first, 0), lsp.Position(end, 0)), text) for first, end, text in edits]
