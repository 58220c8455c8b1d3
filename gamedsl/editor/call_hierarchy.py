"""The call hierarchy in the protocol: what mentions a declaration, and what it mentions."""

from __future__ import annotations

from lsprotocol import types as lsp

from gamedsl.editor import callers
from gamedsl.editor.outline import Declared
from gamedsl.editor.protocol import SYMBOLS
from gamedsl.editor.server import RulesetServer
from gamedsl.language.source import Source


def register(server: RulesetServer) -> None:
    """Gives a server the call hierarchy."""

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
    def prepare(ls: RulesetServer, params: lsp.CallHierarchyPrepareParams) -> list[lsp.CallHierarchyItem] | None:
        source = ls.source(params.text_document.uri)
        found = callers.called_at(ls.desk, source, ls.positions.offset(source, params.position))
        home = None if found is None else ls.desk.source(found[0])
        return None if found is None or home is None else [_item(ls, home, found[1])]

    @server.feature(lsp.CALL_HIERARCHY_INCOMING_CALLS)
    def incoming(
        ls: RulesetServer, params: lsp.CallHierarchyIncomingCallsParams
    ) -> list[lsp.CallHierarchyIncomingCall]:
        source, offset = _place(ls, params.item)
        return [
            lsp.CallHierarchyIncomingCall(_item(ls, home, one.declared), _ranges(ls, home, one))
            for one in callers.callers(ls.desk, source, offset)
            if (home := ls.desk.source(one.path)) is not None
        ]

    @server.feature(lsp.CALL_HIERARCHY_OUTGOING_CALLS)
    def outgoing(
        ls: RulesetServer, params: lsp.CallHierarchyOutgoingCallsParams
    ) -> list[lsp.CallHierarchyOutgoingCall]:
        source, offset = _place(ls, params.item)
        declared = callers.declaration_at(source, offset)
        return [
            lsp.CallHierarchyOutgoingCall(_item(ls, home, one.declared), _ranges(ls, source, one))
            for one in (() if declared is None else callers.callees(ls.desk, source, declared))
            if (home := ls.desk.source(one.path)) is not None
        ]


def _place(ls: RulesetServer, item: lsp.CallHierarchyItem) -> tuple[Source, int]:
    source = ls.source(item.uri)
    return source, ls.positions.offset(source, item.selection_range.start)


def _item(ls: RulesetServer, source: Source, one: Declared) -> lsp.CallHierarchyItem:
    return lsp.CallHierarchyItem(
        one.name or one.kind,
        SYMBOLS.get(one.kind, lsp.SymbolKind.Object),
        ls.address(source.path),
        ls.positions.range(source, min(one.full_start, one.start), max(one.full_end, one.end)),
        ls.positions.range(source, one.start, one.end),
        detail=one.kind,
    )


def _ranges(ls: RulesetServer, source: Source, one: callers.Caller) -> list[lsp.Range]:
    return [ls.positions.range(source, place.start, place.end) for place in one.places]
