"""The features of the protocol: each request → its answer, by the modules beside this one."""

from __future__ import annotations

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

from gamedsl.editor import (
    call_hierarchy,
    data_features,
    example_lenses,
    hints,
    lens_commands,
    meanings,
    navigation,
    structure,
    writing_features,
)
from gamedsl.editor.data_features import DATA
from gamedsl.editor.data_rulesets import data_outline
from gamedsl.editor.name_occurrences import name_at
from gamedsl.editor.outline import Declared, outline
from gamedsl.editor.protocol import SYMBOLS
from gamedsl.editor.server import RulesetServer
from gamedsl.language.source import Source

MOST_AT_ONCE = 100_000  # characters that are colored at once, before anything else is answered
LEGEND = lsp.SemanticTokensLegend(list(structure.TOKEN_TYPES), ["declaration"])


def make_server(server: RulesetServer | None = None) -> RulesetServer:
    """Gives a server (a new one by default) all its features."""
    server = server or RulesetServer()
    _register_texts(server)
    writing_features.register(server)
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
        document = params.text_document
        ls.take_text(document.uri, document.version, document.text)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def take_change(ls: RulesetServer, params: lsp.DidChangeTextDocumentParams) -> None:
        for change in params.content_changes[-1:]:
            ls.change_text(params.text_document.uri, params.text_document.version, change.text)

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


def _register_reading(server: RulesetServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(ls: RulesetServer, params: lsp.HoverParams) -> lsp.Hover | None:
        source = ls.source(params.text_document.uri)
        offset = ls.positions.offset(source, params.position)
        kind = ls.desk.kind(source)
        if kind in DATA:
            return _hover(ls, source, await data_features.hover_data(ls, source, kind, offset))
        if kind != "rules":
            return None
        others = [o for o in (ls.desk.source(p) for _, _, p in ls.desk.links(source)) if o is not None]
        names, clauses = ls.desk.names(source.path), ls.desk.clauses(source.path)
        return _hover(ls, source, meanings.hover(source, offset, names, clauses, others))

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
        return [
            lsp.DocumentHighlight(ls.positions.range(source, place.start, place.end))
            for place in navigation.find_here(ls.desk, source, offset)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_LINK)
    def links(ls: RulesetServer, params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink]:
        source = ls.source(params.text_document.uri)
        return [
            lsp.DocumentLink(ls.positions.range(source, start + 1, end - 1), ls.address(path))
            for start, end, path in ls.desk.links(source)
        ]


def _hover(ls: RulesetServer, source: Source, found: tuple[str, int, int] | None) -> lsp.Hover | None:
    if found is None:
        return None
    text, start, end = found
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), ls.positions.range(source, start, end))


def _register_renaming(server: RulesetServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(ls: RulesetServer, params: lsp.PrepareRenameParams) -> lsp.Range | None:
        source = ls.source(params.text_document.uri)
        offset = ls.positions.offset(source, params.position)
        one = name_at(source, offset)
        if one is None or navigation.why_not_renamed(ls.desk, source, offset):
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
            changes.setdefault(ls.address(place.path), []).append(lsp.TextEdit(location.range, params.new_name))
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
        kind = ls.desk.kind(source)
        if kind == "examples":
            return example_lenses.example_symbols(ls, source)
        if kind == "data":
            return [_symbol(ls, source, one) for one in data_outline(source)]
        if kind != "rules":
            return []
        return [_symbol(ls, source, one) for one in outline(source)]

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(ls: RulesetServer, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        source = ls.source(params.text_document.uri)
        if ls.desk.kind(source) != "rules":
            return []  # editors fold data themselves
        return [lsp.FoldingRange(first, last, kind=kind) for first, last, kind in structure.folds(source)]

    @server.feature(lsp.TEXT_DOCUMENT_SELECTION_RANGE)
    def selection(ls: RulesetServer, params: lsp.SelectionRangeParams) -> list[lsp.SelectionRange]:
        source = ls.source(params.text_document.uri)
        return [_selection(ls, source, ls.positions.offset(source, position)) for position in params.positions]

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    async def tokens(ls: RulesetServer, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        source = ls.source(params.text_document.uri)
        if ls.desk.kind(source) != "rules":
            return lsp.SemanticTokens([])  # editors color data themselves
        if len(source.text) <= MOST_AT_ONCE:
            return lsp.SemanticTokens(_encoded(ls, source))
        return lsp.SemanticTokens(await ls.beside(lambda: _encoded(ls, source)))


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
