"""The ways to exchange points that leave what terms say as it is.

Colour refinement (as in McKay and Piperno, "Practical graph isomorphism II", 2014): terms that stand in different places
get different colours, again and again, until nothing changes; where points still share a colour, one of them is singled
out and the colours are worked out anew. Colours only propose: what is found counts when ``Terms.keeps`` says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gamedsl.check.symmetry_terms import NoSymmetry, Terms
from gamedsl.native.splitmix import GAMMA, M1, M2, mixed

Colours: TypeAlias = npt.NDArray[np.uint64]
Exchange: TypeAlias = dict[int, int]  # every point and where it goes
MOST_COLOURINGS = 2_000
_M1, _M2, _GAMMA = np.uint64(M1), np.uint64(M2), np.uint64(GAMMA)


def _mixed(x: Colours) -> Colours:
    found: Colours = mixed(x + _GAMMA)
    return found


@dataclass
class Level:
    """With the points of the levels before staying: ``found`` move the point ``point``, whose likes number ``size``."""

    point: int
    size: int
    found: list[Exchange]


@dataclass
class Search:
    """Finds all exchanges of points under which the facts of ``terms`` stay."""

    terms: Terms
    left: int = MOST_COLOURINGS
    _points: npt.NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        self._points = np.array(self.terms.points, dtype=np.int64)
        ends: list[tuple[int, int, int]] = []  # a term, one that stands beside it, and how
        for t, inside in enumerate(self.terms.inside):
            for place, inner in enumerate(inside):
                how = 0 if self.terms.loose[t] else place + 1
                ends += [(t, inner, 2 * how), (inner, t, 2 * how + 1)]
        rows = np.array(ends, dtype=np.int64).reshape(-1, 3)
        rows = rows[np.argsort(rows[:, 0], kind="stable")]
        self._beside = rows[:, 1]
        self._how = _mixed(rows[:, 2].astype(np.uint64))
        self._here, self._begins = np.unique(rows[:, 0], return_index=True)

    def levels(self) -> list[Level]:
        """Exchanges that make all others, the deepest level last. Raises ``NoSymmetry`` when the search takes too long."""
        return self._levels(self._settled(self._first()))

    def _first(self) -> Colours:
        """Colours by tags, facts apart."""
        kinds: dict[Any, int] = {}
        numbers = [
            kinds.setdefault((tag, loose, len(inside), t in self.terms.facts), len(kinds))
            for t, (tag, loose, inside) in enumerate(
                zip(self.terms.tags, self.terms.loose, self.terms.inside, strict=True)
            )
        ]
        return _mixed(np.array(numbers, dtype=np.uint64))

    def _settled(self, colours: Colours) -> Colours:
        """The colours after refinement: the same for two colourings that an exchange maps to each other."""
        self.left -= 1
        if self.left < 0:
            raise NoSymmetry("looking for symmetries takes too long")
        count = len(np.unique(colours))
        while len(self._beside):
            around = np.zeros_like(colours)
            around[self._here] = np.add.reduceat(_mixed(colours[self._beside] ^ self._how), self._begins)
            finer = _mixed(_mixed(colours) ^ (around * _M2))
            more = len(np.unique(finer))
            if more == count:
                break
            colours, count = finer, more
        return colours

    def _without(self, colours: Colours, point: int) -> Colours:
        """The colours when a point is singled out."""
        changed = colours.copy()
        changed[point] = _mixed(colours[point : point + 1] ^ _M1)[0]
        return self._settled(changed)

    def _levels(self, colours: Colours) -> list[Level]:
        alike = self._least_class(colours)
        if not len(alike):
            return []
        first = int(alike[0])
        mine = self._without(colours, first)
        deeper = self._levels(mine)
        level = Level(first, 1, [])
        makers = [g for d in deeper for g in d.found]
        orbit = _orbit(first, makers)
        for other in map(int, alike[1:]):
            if other not in orbit:
                exchange = next(self._matches(mine, self._without(colours, other)), None)
                if exchange is not None:
                    level.found.append(exchange)
                    makers.append(exchange)
                    orbit = _orbit(first, makers)
        level.size = len(orbit)
        return [level, *deeper]

    def _least_class(self, colours: Colours) -> npt.NDArray[np.int64]:
        """The smallest set of points, more than one, that share a colour; empty when none do."""
        mine = colours[self._points]
        names, which, counts = np.unique(mine, return_inverse=True, return_counts=True)
        if len(names) == len(mine):
            return np.zeros(0, dtype=np.int64)
        counts = np.where(counts > 1, counts, len(mine) + 1)
        found: npt.NDArray[np.int64] = self._points[which == int(np.argmin(counts))]
        return found

    def _matches(self, a: Colours, b: Colours) -> Iterator[Exchange]:
        """The exchanges that map the one colouring to the other."""
        if not np.array_equal(np.sort(a), np.sort(b)):
            return
        alike = self._least_class(a)
        if not len(alike):
            order_a, order_b = np.argsort(a[self._points]), np.argsort(b[self._points])
            exchange = dict(zip(self._points[order_a].tolist(), self._points[order_b].tolist(), strict=True))
            if self.terms.keeps(exchange):
                yield exchange
            return
        point = int(alike[0])
        mine = self._without(a, point)
        for other in self._points[b[self._points] == a[point]]:
            yield from self._matches(mine, self._without(b, int(other)))


def _orbit(point: int, makers: list[Exchange]) -> set[int]:
    """Where a point can go by these exchanges, one after another."""
    found, todo = {point}, [point]
    while todo:
        here = todo.pop()
        for g in makers:
            if g[here] not in found:
                found.add(g[here])
                todo.append(g[here])
    return found
