"""A text in stretches that share their bound names: a declaration, or a single line of a look, a state, a table ..."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from gamedsl.editor.outline import Declared, outline
from gamedsl.editor.tokens import Token, tokens_of
from gamedsl.language.source import Source, lazy_dataclass
from gamedsl.language.syntax import Line, read_lines

# declarations of which each line stands for itself
_LINE_BY_LINE = frozenset({"look", "notation", "state", "table", "piece", "token", "board", "info"})


class Row(NamedTuple):
    """A logical line, and its words, signs and strings."""

    line: Line
    tokens: tuple[Token, ...]


@lazy_dataclass(frozen=True, slots=True)
class Stretch:
    """Lines that share their bound names. ``part``: where the part begins that they belong to, or -1; ``number``: which line of the
    declaration is the first.
    """

    kind: str
    start: int
    part: int
    number: int
    rows: tuple[Row, ...]


@lru_cache(maxsize=64)
def stretches(source: Source) -> tuple[Stretch, ...]:
    """Everything that a text declares, in order."""
    return tuple(_found(source))


def _found(source: Source) -> Iterator[Stretch]:
    rows = _rows(source)
    starts = [row.line.start for row in rows]
    for declared, end, part in _extents(source):
        own = tuple(rows[bisect_left(starts, declared.full_start) : bisect_left(starts, end)])
        if declared.kind in _LINE_BY_LINE:
            for number, row in enumerate(own):
                yield Stretch(declared.kind, row.line.start, part, number, (row,))
        elif own:
            yield Stretch(declared.kind, declared.full_start, part, 0, own)


def _rows(source: Source) -> list[Row]:
    tokens = [t for t in tokens_of(source) if t.kind not in ("comment", "citation")]
    found, at = [], 0
    for line in read_lines(source):
        first = at
        while at < len(tokens) and tokens[at].start < line.end:
            at += 1
        found.append(Row(line, tuple(tokens[first:at])))
    return found


def _extents(source: Source) -> Iterator[tuple[Declared, int, int]]:
    """The declarations one by one, where each ends, and where their part begins; of a part, its head is one."""
    for one in _once(outline(source)):
        if one.kind in ("part", "in"):
            yield one, min((c.full_start for c in one.children), default=one.full_end + 1), one.full_start
            for child in _once(one.children):
                yield child, child.full_end + 1, one.full_start
        else:
            yield one, one.full_end + 1, -1


def _once(declared: Sequence[Declared]) -> list[Declared]:
    """One for each declaration: several names may share it."""
    return list({one.full_start: one for one in reversed(declared)}.values())[::-1]
