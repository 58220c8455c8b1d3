"""The features of the protocol: each request → its answer, by the modules beside this one."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

from gamedsl.editor import call_hierarchy, hints, lens_commands, meanings, navigation, structure
from gamedsl.editor import completions as completing
from gamedsl.editor.desk import EXAMPLES
from gamedsl.editor.name_occurrences import name_at
from gamedsl.editor.outline import Declared, outline
from gamedsl.editor.protocol import SYMBOLS, path_of, uri_of
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
LEGEND = lsp.SemanticTokensLegend(list(structure.TOKEN_TYPES), ["declaration"])


def make_server(server: RulesetServer | None = None) -> RulesetServer:
    """Gives a server (a new one by default) all its features."""
    server = server or RulesetServer()
    _register_texts(server)
    _register_writing(server)
    _register_reading(server)
    _register_renaming(server)
    _register_structure(server)
    call_hierarchy.register(server)
    hints.register(server)
    lens_commands.register(server)
    return server


def _register_texts(server: RulesetServer) -> None:
    @server.feature(lsp.INITIALIZE)
    def initialize(ls: RulesetServer, params: lsp.InitializeParams) -> None:
        ls.take_options(params.initialization_options)

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def take_open(ls: RulesetServer, params: lsp.DidOpenTextDocumentParams) -> None:
        ls.change_text(params.text_document.uri, params.text_document.version)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def take_change(ls: RulesetServer, params: lsp.DidChangeTextDocumentParams) -> None:
        ls.change_text(params.text_document.uri, params.text_document.version)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def take_close(ls: RulesetServer, params: lsp.DidCloseTextDocumentParams) -> None:
        ls.close_text(params.text_document.uri)

    @server.feature(
        lsp.TEXT_DOCUMENT_DIAGNOSTIC,
        lsp.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier="gamedsl"),
    )
    async def pulled(
        ls: RulesetServer, params: lsp.DocumentDiagnosticParams
    ) -> lsp.RelatedFullDocumentDiagnosticReport:
        return lsp.RelatedFullDocumentDiagnosticReport(await ls.pulled(params.text_document.uri))


def _register_writing(server: RulesetServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", "@", '"', " "]))
    def complete(ls: RulesetServer, params: lsp.CompletionParams) -> lsp.CompletionList:
        source = ls.source(params.text_document.uri)
        offset = ls.positions.offset(source, params.position)
        path = source.path
        files = sorted(Path(p).name for p in ls.desk.around(path))
        found = completing.completions(source, offset, ls.desk.names(path), ls.desk.clauses(path), files)
        return lsp.CompletionList(is_incomplete=False, items=[_item(one) for one in found])

    @server.feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(["(", ","]))
    def signature(ls: RulesetServer, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        source = ls.source(params.text_document.uri)
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
    def format_all(ls: RulesetServer, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        return _format(ls, params.text_document.uri, None)

    @server.feature(lsp.TEXT_DOCUMENT_RANGE_FORMATTING)
    def format_range(ls: RulesetServer, params: lsp.DocumentRangeFormattingParams) -> list[lsp.TextEdit] | None:
        return _format(ls, params.text_document.uri, (params.range.start.line, params.range.end.line))

    @server.feature(lsp.TEXT_DOCUMENT_ON_TYPE_FORMATTING, lsp.DocumentOnTypeFormattingOptions("\n"))
    def format_typed(ls: RulesetServer, params: lsp.DocumentOnTypeFormattingParams) -> list[lsp.TextEdit] | None:
        line = params.position.line - 1
        return _format(ls, params.text_document.uri, (line, line)) if line >= 0 else None


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


def _format(ls: RulesetServer, uri: str, lines: tuple[int, int] | None) -> list[lsp.TextEdit] | None:
    """The edits that bring a text, or some of its lines, into the canonical form; None if it does not parse."""
    source = ls.source(uri)
    if not source.path.endswith(".gdl"):
        return None
    edits = structure.format_edits(ls.desk.parse(source), lines)
    if edits is None:
        return None
    return [lsp.TextEdit(lsp.Range(lsp.Position(first, 0), lsp.Position(end, 0)), text) for first, end, text in edits]


def _register_reading(server: RulesetServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(ls: RulesetServer, params: lsp.HoverParams) -> lsp.Hover | None:
        source = ls.source(params.text_document.uri)
        offset = ls.positions.offset(source, params.position)
        others = [o for o in (ls.desk.source(p) for _, _, p in ls.desk.links(source)) if o is not None]
        names, clauses = ls.desk.names(source.path), ls.desk.clauses(source.path)
        found = meanings.hover(source, offset, names, clauses, others)
        if found is None:
            return None
        text, start, end = found
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), ls.positions.range(source, start, end))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(ls: RulesetServer, params: lsp.DefinitionParams) -> list[lsp.Location]:
        source = ls.source(params.text_document.uri)
        found = navigation.find_definition(ls.desk, source, ls.positions.offset(source, params.position))
        return _locations(ls, found)

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def references(ls: RulesetServer, params: lsp.ReferenceParams) -> list[lsp.Location]:
        source = ls.source(params.text_document.uri)
        offset = ls.positions.offset(source, params.position)
        found = navigation.find_references(ls.desk, source, offset)
        if not params.context.include_declaration:
            declared = navigation.find_definition(ls.desk, source, offset)
            found = [place for place in found if place not in declared]
        return _locations(ls, found)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlight(ls: RulesetServer, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        source = ls.source(params.text_document.uri)
        offset = ls.positions.offset(source, params.position)
        found = navigation.find_references(ls.desk, source, offset)
        return [
            lsp.DocumentHighlight(ls.positions.range(source, place.start, place.end))
            for place in found
            if place.path == source.path
        ]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_LINK)
    def links(ls: RulesetServer, params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink]:
        source = ls.source(params.text_document.uri)
        return [
            lsp.DocumentLink(ls.positions.range(source, start + 1, end - 1), uri_of(path))
            for start, end, path in ls.desk.links(source)
        ]


def _register_renaming(server: RulesetServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(ls: RulesetServer, params: lsp.PrepareRenameParams) -> lsp.Range | None:
        source = ls.source(params.text_document.uri)
        offset = ls.positions.offset(source, params.position)
        one = name_at(source, offset)
        if one is None or isinstance(navigation.find_rename(ls.desk, source, offset, "fresh_name_"), str):
            return None
        return ls.positions.range(source, one.start, one.end)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def rename(ls: RulesetServer, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        source = ls.source(params.text_document.uri)
        offset = ls.positions.offset(source, params.position)
        found = navigation.find_rename(ls.desk, source, offset, params.new_name)
        if isinstance(found, str):
            raise JsonRpcInvalidParams(found)
        changes: dict[str, list[lsp.TextEdit]] = {}
        for place, location in zip(found, _locations(ls, found), strict=True):
            changes.setdefault(uri_of(place.path), []).append(lsp.TextEdit(location.range, params.new_name))
        return lsp.WorkspaceEdit(changes=changes)


def _locations(ls: RulesetServer, places: list[navigation.Place]) -> list[lsp.Location]:
    found = []
    for place in places:
        source = ls.desk.source(place.path)
        if source is not None:
            found.append(ls.positions.location(source, place.start, place.end))
    return found


def _register_structure(server: RulesetServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(ls: RulesetServer, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        source = ls.source(params.text_document.uri)
        if source.path.endswith(EXAMPLES):
            return hints.example_symbols(ls, source)
        return [_symbol(ls, source, one) for one in outline(source)]

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(ls: RulesetServer, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        source = ls.source(params.text_document.uri)
        return [lsp.FoldingRange(first, last, kind=kind) for first, last, kind in structure.folds(source)]

    @server.feature(lsp.TEXT_DOCUMENT_SELECTION_RANGE)
    def selection(ls: RulesetServer, params: lsp.SelectionRangeParams) -> list[lsp.SelectionRange]:
        source = ls.source(params.text_document.uri)
        return [_selection(ls, source, ls.positions.offset(source, position)) for position in params.positions]

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    def tokens(ls: RulesetServer, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        source = ls.source(params.text_document.uri)
        return lsp.SemanticTokens(_encoded(ls, source))


def _symbol(ls: RulesetServer, source: Source, one: Declared) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        one.name or one.kind,
        SYMBOLS.get(one.kind, lsp.SymbolKind.Object),
        ls.positions.range(source, min(one.full_start, one.start), max(one.full_end, one.end)),
        ls.positions.range(source, one.start, one.end),
        detail=one.kind,
        children=[_symbol(ls, source, child) for child in one.children],
    )


def _selection(ls: RulesetServer, source: Source, offset: int) -> lsp.SelectionRange:
    found: lsp.SelectionRange | None = None
    for start, end in reversed(structure.selections(source, offset)):
        found = lsp.SelectionRange(ls.positions.range(source, start, end), found)
    assert found is not None, "the whole text is around every place"
    return found


def _encoded(ls: RulesetServer, source: Source) -> list[int]:
    """Five numbers for every token, as the protocol wants them; one for each line of a long one."""
    data: list[int] = []
    line = character = 0
    for start, end, kind, declares in structure.semantic_tokens(source, ls.desk.names(source.path)):
        at, to = ls.positions.position(source, start), ls.positions.position(source, end)
        if at.line != to.line:
            continue
        data += [
            at.line - line, at.character - (character if at.line == line else 0), to.character - at.character,
            structure.TOKEN_TYPES.index(kind), int(declares),
        ]  # fmt: skip
        line, character = at.line, at.character
    return data
