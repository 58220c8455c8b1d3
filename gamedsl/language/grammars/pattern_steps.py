"""Patterns of words → steps of a small machine that finds them, for parsers in C, which have no regular expressions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from re import _constants as kinds
from re import _parser as parser
from typing import Any, NamedTuple


class Step(NamedTuple):
    """A step: ``ONE`` character of the set ``a``; ``EITHER`` go on at ``a`` or, if that fails, at ``b``; ``JUMP`` to ``a``; ``EDGE`` of a
    word; what follows ``AHEAD``, or must not (``NOT_AHEAD``), up to ``a``; ``FOUND``.
    """

    kind: str
    a: int = 0
    b: int = 0


class CharacterSet(NamedTuple):
    """Characters in pairs, from the first to the second of each; or all others."""

    ranges: str
    negated: bool = False


_SPACES = "\t\r  "


def steps_of(pattern: str, sets: list[CharacterSet]) -> list[Step]:
    """Returns the steps of a pattern. New sets of characters are added to ``sets``. Errors: ``ValueError``, for a form that no word
    of the language needs.
    """
    return [*_Steps(sets).sequence(parser.parse(pattern), 0), Step("FOUND")]


class _Steps:
    def __init__(self, sets: list[CharacterSet]) -> None:
        self.sets = sets

    def sequence(self, parts: Sequence[Any], start: int) -> list[Step]:
        """The steps of parts, the first of which has the number ``start``."""
        found: list[Step] = []
        for kind, value in parts:
            found += self.part(kind, value, start + len(found))
        return found

    def part(self, kind: Any, value: Any, start: int) -> list[Step]:
        if kind in (kinds.LITERAL, kinds.NOT_LITERAL, kinds.IN):
            return [Step("ONE", self.number(_set_of(kind, value)))]
        if kind is kinds.SUBPATTERN:
            return self.sequence(value[-1], start)
        if kind is kinds.BRANCH:
            return self.branch(value[1], start)
        if kind is kinds.MAX_REPEAT:
            least, most, parts = value
            return self.repeat(least, most, parts, start)
        if kind is kinds.AT and value is kinds.AT_BOUNDARY:
            return [Step("EDGE")]
        if kind in (kinds.ASSERT, kinds.ASSERT_NOT) and value[0] > 0:
            inner = [*self.sequence(value[1], start + 1), Step("FOUND")]
            return [Step("AHEAD" if kind is kinds.ASSERT else "NOT_AHEAD", start + 1 + len(inner)), *inner]
        raise ValueError(f"no steps for {kind}")

    def branch(self, alternatives: Sequence[Any], start: int) -> list[Step]:
        if len(alternatives) == 1:
            return self.sequence(alternatives[0], start)
        first = self.sequence(alternatives[0], start + 1)
        others = start + len(first) + 2
        rest = self.branch(alternatives[1:], others)
        return [Step("EITHER", start + 1, others), *first, Step("JUMP", others + len(rest)), *rest]

    def repeat(self, least: int, most: Any, parts: Sequence[Any], start: int) -> list[Step]:
        found: list[Step] = []
        for _ in range(least):
            found += self.sequence(parts, start + len(found))
        again = start + len(found)
        inner = self.sequence(parts, again + 1)
        if most is kinds.MAXREPEAT:
            return [*found, Step("EITHER", again + 1, again + len(inner) + 2), *inner, Step("JUMP", again)]
        if most == least + 1:
            return [*found, Step("EITHER", again + 1, again + 1 + len(inner)), *inner]
        raise ValueError("no steps for that many")

    def number(self, wanted: CharacterSet) -> int:
        if wanted not in self.sets:
            self.sets.append(wanted)
        return self.sets.index(wanted)


def _set_of(kind: Any, value: Any) -> CharacterSet:
    if kind is not kinds.IN:
        return CharacterSet(chr(value) * 2, kind is kinds.NOT_LITERAL)
    negated = [True for one, _ in value if one is kinds.NEGATE]
    categories = [what for one, what in value if one is kinds.CATEGORY]
    if categories == [kinds.CATEGORY_NOT_SPACE]:
        return CharacterSet(_SPACES, not negated)
    return CharacterSet("".join(_ranges(value)), bool(negated))


def _ranges(parts: Sequence[Any]) -> Iterator[str]:
    for kind, value in parts:
        if kind is kinds.LITERAL:
            yield chr(value) * 2
        elif kind is kinds.RANGE:
            yield chr(value[0]) + chr(value[1])
        elif kind is kinds.CATEGORY and value is kinds.CATEGORY_SPACE:
            yield _SPACES
        elif kind is not kinds.NEGATE:
            raise ValueError(f"no set for {kind}")
