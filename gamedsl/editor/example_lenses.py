"""The examples of a file with their extents: their outline, and lenses that run them and show how they ended."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types as lsp

from gamedsl.editor.clause_files import read_index
from gamedsl.editor.lenses import SHOW_GAME, TEST, lens, note
from gamedsl.editor.task_process import FAILED, PASSED
from gamedsl.language.source import Source

if TYPE_CHECKING:
    from gamedsl.editor.server import RulesetServer

_ITEM = re.compile(r"(?m)^[ \t]*-[ \t]+(\{[ \t]*)?(name:[ \t]*(.*))$")
_WITHOUT_GAME = re.compile(r"(?m)(?:^[ \t]*|[{,][ \t]*)(?:position|set|rows)[ \t]*:")  # no game leads there; or many do


class Place(NamedTuple):
    """An example or a table: its name with its extent, and the extent of all of it."""

    name: str
    name_start: int
    name_end: int
    start: int
    end: int


def example_places(source: Source) -> Iterator[Place]:
    """The examples and tables of a text, in order, even while it is half written."""
    found = list(_ITEM.finditer(source.text))
    for number, match in enumerate(found):
        start = match.start(1) if match[1] else match.start(2)
        end = found[number + 1].start() if number + 1 < len(found) else len(source.text)
        yield Place(match[3].strip().strip("\"'"), match.start(3), match.end(3), start, end - 1)


def example_symbols(ls: RulesetServer, source: Source) -> list[lsp.DocumentSymbol]:
    """The examples of a file, by their names."""
    found = []
    for one in example_places(source):
        whole = ls.positions.range(source, one.start, one.end)
        name = ls.positions.range(source, one.name_start, one.name_end)
        found.append(lsp.DocumentSymbol(one.name or "example", lsp.SymbolKind.Event, whole, name))
    return found


def example_lenses(ls: RulesetServer, source: Source) -> list[lsp.CodeLens]:
    """ "Run the examples" above the file; above each example how it ended, or what runs it."""
    found = [lens(0, "Run the examples", TEST, source.path)]
    marks = ls.runner.marks(source.path)
    for one in example_places(source):
        line = source.position(one.start)[0] - 1
        inside = [m for m in marks if one.start <= m.start <= one.end and m.code in (PASSED, FAILED)]
        failed = [m for m in inside if m.code == FAILED]
        if failed:
            reason = failed[0].message.partition("\n")[2].partition("\n")[0]
            found.append(note(line, f"failed: {reason}"))
        elif inside:
            found.append(note(line, "passed" if len({m.start for m in inside}) == 1 else f"{len(inside)} rows passed"))
        found.append(lens(line, "Run this example", TEST, source.path, line))
        if ls.shows_board and not _WITHOUT_GAME.search(source.text, one.start, one.end):
            found.append(lens(line, "Play from here", SHOW_GAME, source.path, line))
    return found


def clause_lenses(ls: RulesetServer, source: Source) -> list[lsp.CodeLens]:
    """Above each clause, the lines that cite it."""
    index = read_index(ls.desk, source)
    found = []
    for entry in index.entries if index.rulesets else ():
        lines = index.lines(entry.number)
        found.append(note(source.position(entry.whole.start)[0] - 1, f"cited at {lines}" if lines else "not cited"))
    return found
