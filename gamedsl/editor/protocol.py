"""Places of a text ↔ positions of the Language Server Protocol, and messages as its diagnostics."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from urllib.parse import quote, unquote

from lsprotocol import types as lsp
from pygls import uris

from gamedsl.editor.desk import NOWHERE
from gamedsl.editor.task_process import Mark
from gamedsl.language.source import Diagnostic, Edit, Fix, Source, advice, has_place, resolved

_WORDS = {"E": lsp.DiagnosticSeverity.Error, "W": lsp.DiagnosticSeverity.Warning}
LEVELS = {
    "error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning,
    "information": lsp.DiagnosticSeverity.Information, "hint": lsp.DiagnosticSeverity.Hint,
}  # fmt: skip
MESSAGES = {"error": lsp.MessageType.Error, "warning": lsp.MessageType.Warning, "information": lsp.MessageType.Info}
SYMBOLS = {
    "define": lsp.SymbolKind.Function, "table": lsp.SymbolKind.Function, "move": lsp.SymbolKind.Method, "action": lsp.SymbolKind.Method,
    "option": lsp.SymbolKind.Constant, "type": lsp.SymbolKind.Enum, "element": lsp.SymbolKind.EnumMember, "piece": lsp.SymbolKind.Class,
    "token": lsp.SymbolKind.Class, "shape": lsp.SymbolKind.Class, "variable": lsp.SymbolKind.Variable, "part": lsp.SymbolKind.Namespace,
    "use": lsp.SymbolKind.Module, "variant": lsp.SymbolKind.Module, "players": lsp.SymbolKind.EnumMember, "phase": lsp.SymbolKind.Event,
    "claim": lsp.SymbolKind.Boolean, "play": lsp.SymbolKind.Event, "board": lsp.SymbolKind.Struct, "state": lsp.SymbolKind.Struct,
    "game": lsp.SymbolKind.File,
}  # fmt: skip
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")  # two letters and more: a drive of Windows has one
_UNUSED = frozenset({"W0901", "W0902", "W0903", "W0904", "W0905", "W0907", "W0908", "W0909", "W0912", "E0421"})


class Positions:
    """Offsets of a text in the units that client and server agreed on."""

    def __init__(
        self, encoding: str, naming: Callable[[Source, str], tuple[int, int]], address: Callable[[str], str]
    ) -> None:
        """``naming``: where a text names another file. ``address``: the address by which the client knows a path."""
        self.encoding, self.naming, self.address = encoding, naming, address

    def position(self, source: Source, offset: int) -> lsp.Position:
        line, column = source.position(offset)
        before = column - 1 if source.text.isascii() else _units_before(source, line, self.encoding)[column - 1]
        return lsp.Position(line - 1, before)

    def range(self, source: Source, start: int, end: int) -> lsp.Range:
        return lsp.Range(self.position(source, start), self.position(source, max(start, end)))

    def offset(self, source: Source, position: lsp.Position) -> int:
        """The offset of a position; one beyond its line or the text is brought back to its end."""
        if position.line >= len(source.line_starts):
            return len(source.text)
        start = source.line_starts[position.line]
        length = len(source.line(position.line + 1))
        if source.text.isascii():
            return start + min(position.character, length)
        before = _units_before(source, position.line + 1, self.encoding)
        return start + min(bisect_left(before, position.character), length)

    # ------------------------------------------------------------------------------------------------- messages

    def diagnostics(self, found: Iterable[Diagnostic], source: Source) -> list[lsp.Diagnostic]:
        """The messages about a text. One about another file stands where that is named, with its place beside it."""
        return [self.diagnostic(d, source) for d in found]

    def diagnostic(self, d: Diagnostic, source: Source) -> lsp.Diagnostic:
        here = d.span.source.path == source.path
        lines = [d.message, *(f"{name}: {text}" for name, text in advice(d))]
        related = [
            lsp.DiagnosticRelatedInformation(
                self.location(label.span.source, label.span.start, label.span.end), label.text
            )
            for label in d.labels
            if has_place(label.span)
        ]
        if here:
            where = self.range(source, d.span.start, d.span.end)
        else:
            where = self.range(source, *self.naming(source, d.span.source.path))
        if not here and has_place(d.span):
            lines[0] = f"in {d.span.source.path.rpartition('/')[2]}: {lines[0]}"
            related.insert(
                0,
                lsp.DiagnosticRelatedInformation(self.location(d.span.source, d.span.start, d.span.end), d.message),
            )
        return lsp.Diagnostic(
            range=where,
            severity=_WORDS[d.code[0]],
            code=d.code,
            source="gamedsl",
            message="\n".join(lines),
            related_information=related or None,
            tags=[lsp.DiagnosticTag.Unnecessary] if d.code in _UNUSED else None,
        )

    def result(self, mark: Mark, source: Source) -> lsp.Diagnostic:
        """The result of a task at its place."""
        return lsp.Diagnostic(
            self.range(source, mark.start, mark.end), mark.message, LEVELS[mark.level], mark.code, source="gamedsl"
        )

    def location(self, source: Source, start: int, end: int) -> lsp.Location:
        return lsp.Location(self.address(source.path), self.range(source, start, end))

    def text_edit(self, edit: Edit) -> lsp.TextEdit:
        return lsp.TextEdit(self.range(edit.span.source, edit.span.start, edit.span.end), edit.text)

    def workspace_edit(self, fixes: Iterable[Fix]) -> lsp.WorkspaceEdit:
        changes: dict[str, list[lsp.TextEdit]] = {}
        for fix in fixes:
            for edit in fix.edits:
                changes.setdefault(self.address(edit.span.source.path), []).append(self.text_edit(edit))
        return lsp.WorkspaceEdit(changes=changes)


@lru_cache(maxsize=64)  # thousands of places of one long line may be asked about
def _units_before(source: Source, line: int, encoding: str) -> Sequence[int]:
    """The units before each character of a line, and before its end."""
    start = source.line_starts[line - 1]
    end = source.line_starts[line] if line < len(source.line_starts) else len(source.text)
    return tuple(accumulate((_units(char, encoding) for char in source.text[start:end]), initial=0))


def _units(char: str, encoding: str) -> int:
    match encoding:
        case "utf-8":
            return len(char.encode("utf-8", "surrogatepass"))
        case "utf-32":
            return 1
    return 2 if ord(char) > 0xFFFF else 1


def uri_of(path: str) -> str:
    """The address of a path: the inverse of ``path_of``, but for links. What is an address already stays."""
    if path.startswith(NOWHERE):
        return unquote(path[len(NOWHERE) + 1 :])
    return path if _ADDRESS.match(path) else uris.from_fs_path(path) or path


def path_of(uri: str) -> str:
    """The path of a file's address, without links. For an address of no file, or of an impossible one: a path where no file is."""
    path = uris.to_fs_path(uri) if uri.startswith("file:") else None
    found = None if path is None else resolved(Path(path))
    return str(found) if found is not None else str(Path(NOWHERE, quote(uri, safe="")))
