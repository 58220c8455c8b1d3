"""A page of characters with ink: the basis of every drawing, before it is shown with or without color."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import NamedTuple, TypeAlias

from gamedsl.engine.picture import text_width
from gamedsl.language.source import lazy_dataclass


class Ink(NamedTuple):
    """The style of a run of text. ``colour`` and ``ground`` are color names of the rules language."""

    colour: str | None = None
    ground: str | None = None
    bold: bool = False
    reverse: bool = False
    dim: bool = False


class Run(NamedTuple):
    """A run of text in one ink."""

    text: str
    ink: Ink = Ink()


Line: TypeAlias = tuple[Run, ...]
PLAIN = Ink()


def line(text: str, ink: Ink = PLAIN) -> Line:
    """A line in one ink."""
    return (Run(text, ink),) if text else ()


def plain(of: Line) -> str:
    """A line without its inks."""
    return "".join(run.text for run in of)


def width(of: Line) -> int:
    """The number of columns of a line."""
    return sum(text_width(run.text) for run in of)


def widest(lines: Iterable[Line]) -> int:
    """The columns of the longest line."""
    return max((width(x) for x in lines), default=0)


def padded(of: Line, columns: int) -> Line:
    """The line, padded with spaces on the right to that many columns."""
    missing = columns - width(of)
    return (*of, Run(" " * missing)) if missing > 0 else of


def cut(of: Line, start: int, stop: int) -> Line:
    """The columns of a line from ``start`` up to ``stop``; a wide character that is cut in two becomes a space."""
    runs: list[Run] = []
    x = 0
    for run in of:
        text = ""
        for char in run.text:
            columns = text_width(char)
            if start <= x and x + columns <= stop:
                text += char
            elif x < stop and x + columns > start and columns:
                text += " "
            x += columns
        if text:
            runs.append(Run(text, run.ink))
    return tuple(runs)


def side_by_side(left: Sequence[Line], right: Sequence[Line], gap: int) -> list[Line]:
    """Two blocks of lines next to each other, both from the top."""
    columns = widest(left) + gap
    height = max(len(left), len(right))
    lefts = [*left, *[()] * (height - len(left))]
    rights = [*right, *[()] * (height - len(right))]
    return [(*padded(a, columns), *b) if b else a for a, b in zip(lefts, rights, strict=True)]


@lazy_dataclass()
class Canvas:
    """Characters at places. Columns and rows count from 0; characters left of or above the page are dropped."""

    cells: dict[tuple[int, int], tuple[str, Ink]] = field(default_factory=dict)

    def put(self, x: int, y: int, text: str, ink: Ink = PLAIN) -> None:
        """Writes text from a place on; wide characters take two columns."""
        for char in text:
            columns = text_width(char)
            if columns == 0:
                self._join(x - 1, y, char)
                continue
            self._set(x, y, char, ink)
            if columns == 2:
                self._set(x + 1, y, "", ink)
            x += columns

    def centre(self, x: int, y: int, columns: int, text: str, ink: Ink = PLAIN) -> None:
        """Writes text centered in a field of that many columns; longer text is cut."""
        while text_width(text) > columns:
            text = text[:-1]
        self.put(x + (columns - text_width(text)) // 2, y, text, ink)

    def at(self, x: int, y: int) -> str:
        """The character at a place; a space where nothing was written."""
        return self.cells.get((x, y), (" ", PLAIN))[0]

    def tinge(self, x: int, y: int, columns: int, ink: Ink) -> None:
        """Gives a field the background and the reversal of an ink, keeping its characters and their colors."""
        for i in range(x, x + columns):
            char, old = self.cells.get((i, y), (" ", PLAIN))
            new = old._replace(ground=ink.ground or old.ground, reverse=ink.reverse or old.reverse)
            self.cells[(i, y)] = (char, new)

    def lines(self) -> list[Line]:
        """The page as lines, without empty ends."""
        ends: dict[int, int] = {}
        for x, y in self.cells:
            ends[y] = max(ends.get(y, -1), x)
        return [self._line(y, ends.get(y, -1)) for y in range(max(ends, default=-1) + 1)]

    def _line(self, y: int, last: int) -> Line:
        runs: list[Run] = []
        for x in range(last + 1):
            char, ink = self.cells.get((x, y), (" ", PLAIN))
            if runs and runs[-1].ink == ink:
                runs[-1] = Run(runs[-1].text + char, ink)
            else:
                runs.append(Run(char, ink))
        if runs and runs[-1].ink == PLAIN:
            runs[-1] = Run(runs[-1].text.rstrip())
        return tuple(run for run in runs if run.text)

    def _set(self, x: int, y: int, char: str, ink: Ink) -> None:
        if x >= 0 and y >= 0:
            self.cells[(x, y)] = (char, ink)

    def _join(self, x: int, y: int, mark: str) -> None:
        if (x, y) in self.cells:
            char, ink = self.cells[(x, y)]
            self.cells[(x, y)] = (char + mark, ink)
