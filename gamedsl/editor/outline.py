"""Text → its declarations with their extents, from words and lines alone: a text that is half written has an outline too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from gamedsl.language.source import Source, lazy_dataclass
from gamedsl.language.syntax import Line, Word, is_declaration_word, read_lines

# declarations that name one thing; several things, with a comma between them
_SINGLE = frozenset({"option", "define", "type", "move", "action", "table", "shape", "part", "notation", "phase"})
_SEVERAL = frozenset({"players", "piece", "token"})
_MARKS = frozenset({"seen", "stacking"})  # of a piece, after its names
_LOOSE = frozenset({"game", "play", "look", "info", "claim", "forbid", "variant", "board", "state", "in", "remove"})


@lazy_dataclass(frozen=True, slots=True)
class Declared:
    """A declaration: what kind, its name with its extent, the extent of all of it, and what is declared inside."""

    kind: str
    name: str
    start: int
    end: int
    full_start: int
    full_end: int
    children: tuple[Declared, ...] = ()

    def walk(self) -> Iterator[Declared]:
        """The declaration and those inside."""
        yield self
        for child in self.children:
            yield from child.walk()


@lru_cache(maxsize=64)
def outline(source: Source) -> tuple[Declared, ...]:
    """The declarations of a source, in order."""
    return tuple(_declared(source, read_lines(source)))


def declared_names(source: Source) -> Iterator[Declared]:
    """All names that a source declares."""
    for one in outline(source):
        yield from (d for d in one.walk() if d.kind not in _LOOSE)


def _declared(source: Source, lines: Sequence[Line]) -> Iterator[Declared]:
    number = 0
    while number < len(lines):
        end = number + 1
        while end < len(lines) and lines[end].indent > lines[number].indent:
            end += 1
        if is_declaration_word(lines[number].first):
            yield from _one(source, lines[number:end])
        number = end


def _one(source: Source, lines: Sequence[Line]) -> Iterator[Declared]:
    head, full = lines[0], (lines[0].start, lines[-1].end)
    kind = head.first
    names = list(_names(head.words))
    if kind in _SEVERAL and names:
        kinds = tuple(_listed("token kind", head.words[2:])) if kind == "token" else ()
        inner = (*kinds, *_fields(lines[1:]))
        for number, word in enumerate(names):
            yield Declared(kind, word.text, word.start, word.end, *full, inner if number == 0 else ())
    elif kind in _SINGLE and names:
        word = names[0]
        yield Declared(kind, word.text, word.start, word.end, *full, tuple(_inside(source, kind, lines)))
    elif kind == "use":
        for before, word in pairwise(head.words):
            if before.text == "as":
                yield Declared(kind, word.text, word.start, word.end, *full)
    elif kind in _LOOSE:
        inside = _inside(source, kind, lines)
        title = " ".join(source.text[head.start : head.end].split())[:60]
        yield Declared(kind, title, head.start, head.words[0].end, *full, tuple(inside))


def _names(words: Sequence[Word]) -> Iterator[Word]:
    """The names after the first word: one, and those that follow a comma."""
    for before, word in pairwise(words):
        if word.kind == "name" and (before is words[0] or before.text == ",") and word.text not in _MARKS:
            yield word
        elif word.text in ("(", ":", "="):
            return


def _inside(source: Source, kind: str, lines: Sequence[Line]) -> Iterator[Declared]:
    if kind in ("part", "in"):
        yield from _declared(source, lines[1:])
    elif kind == "state":
        yield from _fields(lines[1:])
    elif kind == "type":
        yield from _listed(
            "element", lines[0].words[3:] if lines[0].words[3:4] and lines[0].words[3].text == "{" else ()
        )
    elif kind == "play":
        for line in lines[1:]:
            if line.first == "phase" and len(line.words) > 1:
                word = line.words[1]
                yield Declared("phase", word.text, word.start, word.end, line.start, line.end)
    elif kind == "board":
        yield from _fields(lines[1:])


def _listed(kind: str, words: Sequence[Word]) -> Iterator[Declared]:
    """The names after the first sign and after each comma."""
    for before, word in pairwise(words):
        if before.text in ("{", ",", ":") and word.kind == "name":
            yield Declared(kind, word.text, word.start, word.end, word.start, word.end)


def _fields(lines: Sequence[Line]) -> Iterator[Declared]:
    """`name: type` lines."""
    for line in lines:
        names = [line.words[0]]
        for comma, word in zip(line.words[1::2], line.words[2::2], strict=False):
            if comma.text != ",":
                break
            names.append(word)
        if len(line.words) > 2 * len(names) - 1 and line.words[2 * len(names) - 1].text == ":":
            for word in names:
                if word.kind == "name":
                    yield Declared("variable", word.text, word.start, word.end, line.start, line.end)
