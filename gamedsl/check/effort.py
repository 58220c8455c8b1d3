"""About how much work an expression is, at most: so that what is dear to ask is asked less often."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from gamedsl.core.fold import limits
from gamedsl.core.nodes import AfterE, CallF, Const, Expr, Function, Loop, Schema, SetT, SomeMove
from gamedsl.core.traverse import children

MOST = 10**12
TRIAL = 20  # a move tried: copying the state and doing it


class Efforts:
    """Efforts of a program's expressions, in nodes visited."""

    def __init__(self, schemas: Sequence[Schema], functions: Sequence[Function]) -> None:
        self._schemas = schemas
        self._functions = functions
        self._known: dict[int, int] = {}

    def of(self, e: Expr) -> int:
        """The nodes visited when every loop goes through all that its type allows."""
        match e:
            case Loop():
                body = sum(map(self.of, children(e)[1:]))
                return min(MOST, 1 + self.of(e.over) + _size(e.over) * body)
            case SomeMove():
                trials = (self._ways(b.schema) * (TRIAL + self.of(b.body)) for b in e.branches)
                return min(MOST, self.of(e.mover) + sum(trials))
            case CallF(function=index):
                if index not in self._known:
                    self._known[index] = self.of(self._functions[index].body)
                return min(MOST, self._known[index] + sum(map(self.of, e.args)))
            case AfterE():
                return min(MOST, TRIAL + sum(map(self.of, children(e))))
            case _:
                return min(MOST, 1 + sum(map(self.of, children(e))))

    def _ways(self, schema: int) -> int:
        ranges = (limits(p.local.type) for p in self._schemas[schema].params)
        return prod(high - low + 1 for low, high in ranges)


def _size(over: Expr) -> int:
    if isinstance(over, Const):
        return over.value.bit_count()
    return over.type.domain.size if isinstance(over.type, SetT) else 1
