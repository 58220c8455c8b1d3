"""Numbers for expressions: equal ones have the same number. Comparing numbers is cheaper than comparing trees."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any

from gamedsl.language.core import nodes as n


class ExpressionNumbers:
    """Numbers expressions and what they consist of. Every object is compared once."""

    def __init__(self) -> None:
        self._known: dict[int, int] = {}  # by identity
        self._kept: list[object] = []
        self._numbers: dict[object, int] = {}

    def number(self, x: object) -> int:
        """The number of an expression, or of a part of one."""
        found = self._known.get(id(x))
        if found is None:
            self._kept.append(x)
            found = self._known[id(x)] = self._numbers.setdefault(self._key(x), len(self._numbers))
        return found

    def _key(self, x: object) -> object:
        if isinstance(x, n.CoreNode):
            kind: Any = type(x)
            return (kind, *map(self.number, _parts(kind)(x)))
        return (tuple, *map(self.number, x)) if isinstance(x, tuple) else x


@cache
def _parts(kind: Any) -> Any:
    """What an expression of this class consists of, as a function."""
    names = [f.name for f in fields(kind) if f.compare]
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda x: (get(x),)
