"""The parser: takes tokens one by one and builds the tree of the grammar's rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from gamedsl.language.syntax.parse_tables import ParseTables, Rule

END = "$END"


class Token(str):
    """A word, number, string or sign as a terminal of the grammar, with its extent in the source."""

    __slots__ = ("end", "start", "type")
    type: str
    start: int
    end: int

    def __new__(cls, type: str, text: str, start: int = 0, end: int = 0) -> Token:
        token = super().__new__(cls, text)
        token.type, token.start, token.end = type, start, end
        return token


class Parsed:
    """The tree of a rule: the parts that the grammar keeps. ``start`` and ``end`` are its extent in the source,
    negative if it is empty.
    """

    __slots__ = ("children", "data", "end", "outer_end", "outer_start", "start")

    def __init__(self, data: str, children: list[Child]) -> None:
        self.data, self.children = data, children
        self.start = self.end = -1
        self.outer_start = self.outer_end = -1  # including brackets and the like that no tree keeps

    def cover(self, parts: Sequence[Child]) -> None:
        """Extends over all parts that the rule has read."""
        first = next(filter(None, map(_extent, parts)), None)
        last = next(filter(None, map(_extent, reversed(parts))), None)
        if first is not None and last is not None:
            self.outer_start, self.outer_end = first[0], last[1]
            if self.start < 0:
                self.start, self.end = first[0], last[1]


Child: TypeAlias = Parsed | Token | None


class UnexpectedToken(Exception):
    """A token that the grammar does not allow in its place."""

    def __init__(self, token: Token) -> None:
        super().__init__(token)
        self.token = token


class PushParser:
    """A parser and its state. ``builds``: whether it builds a tree."""

    def __init__(self, tables: ParseTables, start: str, builds: bool = True) -> None:
        self._tables = tables
        self._last = tables.ends[start]
        self._states = [tables.starts[start]]
        self._values: list[Child] | None = [] if builds else None

    def feed(self, token: Token) -> None:
        """Takes a token; raises ``UnexpectedToken`` if it cannot occur here."""
        states, rows = self._states, self._tables.rows
        while (to := rows[states[-1]].get(token.type)) is not None:
            if to >= 0:
                states.append(to)
                if self._values is not None:
                    self._values.append(token)
                return
            self._reduce(self._tables.rules[~to])
            if token.type == END and states[-1] == self._last:
                return
        raise UnexpectedToken(token)

    def end(self) -> Parsed:
        """Returns the tree after the last token. Raises ``UnexpectedToken`` if it is not complete."""
        self.feed(Token(END, ""))
        tree = self._values[-1] if self._values else None
        assert isinstance(tree, Parsed)
        return tree

    def row(self) -> Mapping[str, object]:
        """Returns the actions of the current state, by terminal; some terminals may still turn out to be wrong."""
        return self._tables.rows[self._states[-1]]

    def accepts(self) -> frozenset[str]:
        """Returns the terminals that can really occur here (slow)."""
        return frozenset(name for name in self.row() if name.isupper() and self._takes(name))

    def fork(self) -> PushParser:
        """Returns a second parser in the same state. It builds no tree, because that would modify the lists of the
        first one.
        """
        parser = PushParser.__new__(PushParser)
        parser._tables, parser._last, parser._states, parser._values = self._tables, self._last, [*self._states], None
        return parser

    def _takes(self, terminal: str) -> bool:
        try:
            self.fork().feed(Token(terminal, ""))
        except UnexpectedToken:
            return False
        return True

    def _reduce(self, rule: Rule) -> None:
        origin, size, *_ = rule
        at = len(self._states) - size
        del self._states[at:]
        self._states.append(self._tables.rows[self._states[-1]][origin])
        if self._values is not None:
            parts = self._values[at - 1 :]
            del self._values[at - 1 :]
            self._values.append(_built(rule, parts))


def _built(rule: Rule, parts: list[Child]) -> Child:
    """Returns the tree of a rule, or its only part if the grammar inlines it."""
    _, _, name, inlines_single, kept = rule
    children = parts if kept is None else _selected(kept, parts)
    made = children[0] if inlines_single and len(children) == 1 else Parsed(name, children)
    if isinstance(made, Parsed):
        made.cover(parts)
    return made


def _selected(kept: Iterable[int], parts: Sequence[Child]) -> list[Child]:
    """Returns the parts that the tree keeps (see ``Rule``). A list at the front is extended, not copied, because long
    lists are read from the left, one element at a time.
    """
    children: list[Child] = []
    for number in kept:
        if number < 0:
            children.append(None)
            continue
        part = parts[number >> 1]
        if not number & 1:
            children.append(part)
        elif isinstance(part, Parsed):
            if children:
                children += part.children
            else:
                children = part.children
    return children


def _extent(part: Child) -> tuple[int, int] | None:
    if isinstance(part, Parsed):
        return None if part.start < 0 else (part.outer_start, part.outer_end)
    return None if part is None else (part.start, part.end)
