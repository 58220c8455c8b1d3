"""Automorphisms: permutations of points that preserve the terms.

Uses color refinement (as in McKay and Piperno, "Practical graph isomorphism II", 2014): terms in different
positions get different colors until nothing changes; if points still share a color, one is individualized and the
colors are refined again. Colors only propose a permutation; it is accepted if ``Terms.keeps`` confirms it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gamedsl.compiler import GAMMA, M1, M2, mixed
from gamedsl.lab.base import Clock
from gamedsl.lab.symmetry.terms import NoSymmetry, Terms
from gamedsl.language.source import lazy_dataclass

Colours: TypeAlias = npt.NDArray[np.uint64]
Exchange: TypeAlias = dict[int, int]  # the image of every point
MOST_COLOURINGS = 2_000
MOST_WORK = 1 << 26  # neighbors looked at in all refinements and tests: a count, so that the answer needs no clock
TEST_WORK = 8  # of a term in a test of a permutation, which numpy does not help with
_M1, _M2, _GAMMA = np.uint64(M1), np.uint64(M2), np.uint64(GAMMA)


def _mixed(x: Colours) -> Colours:
    found: Colours = mixed(x + _GAMMA)
    return found


@lazy_dataclass()
class Level:
    """A level of the stabilizer chain, at which the points of earlier levels are fixed.

    ``found``: permutations that move ``point``, whose orbit has ``size`` elements. ``free``: the point belongs to a
    set of freely interchangeable points.
    """

    point: int
    size: int
    found: list[Exchange]
    free: bool = False


@lazy_dataclass(frozen=True)
class _Step:
    """One step of the refinement: the points of one color, and the colors before and after individualizing.

    ``swaps``: the transpositions of neighboring points, if the points are freely interchangeable; then all of them
    are individualized, else only the first.
    """

    alike: list[int]
    swaps: list[Exchange]
    colours: Colours
    finer: Colours

    def free_levels(self) -> list[Level]:
        """Returns a level for each point that can still move, if the points are freely interchangeable."""
        size = len(self.alike)
        return [Level(self.alike[i], size - i, [swap], free=True) for i, swap in enumerate(self.swaps)]


@lazy_dataclass()
class AutomorphismSearch:
    """Finds all permutations of points that preserve the facts of ``terms``."""

    terms: Terms
    left: int = MOST_COLOURINGS
    work: int = MOST_WORK
    clock: Clock = field(default_factory=Clock)
    _points: npt.NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        self._points = np.array(self.terms.points, dtype=np.int64)
        ends: list[tuple[int, int, int]] = []  # a term, one next to it, and their relation
        for t, inside in enumerate(self.terms.inside):
            for place, inner in enumerate(inside):
                how = 0 if self.terms.loose[t] else place + 1
                ends += [(t, inner, 2 * how), (inner, t, 2 * how + 1)]
        rows = np.array(ends, dtype=np.int64).reshape(-1, 3)
        rows = rows[np.argsort(rows[:, 0], kind="stable")]
        self._beside = rows[:, 1]
        self._how = _mixed(rows[:, 2].astype(np.uint64))
        self._here, self._begins = np.unique(rows[:, 0], return_index=True)
        self._alone = np.ones(len(self.terms.tags), dtype=bool)  # terms that are part of no other and are not facts
        self._alone[self._here] = False
        self._alone[list(self.terms.facts)] = False

    def levels(self) -> list[Level]:
        """Returns a generating set of the group, the deepest level last.

        Raises ``NoSymmetry`` if the search takes too long.
        """
        found: list[Level] = []
        makers: list[Exchange] = []
        for step in reversed(self._steps()):
            mine = step.free_levels() if step.swaps else [self._level(step, makers)]
            found = [*mine, *found]
            makers += [g for level in mine for g in level.found]
        return found

    def _steps(self) -> list[_Step]:
        """Individualizes points one after another until all colors are unique. Freely interchangeable points come
        first, so that they need not be distinguished repeatedly further down.
        """
        steps: list[_Step] = []
        colours = self._settle(self._first())
        for alike in self._classes(colours):
            if swaps := self._swaps(alike):
                steps.append(_Step(alike, swaps, colours, self._without(colours, *alike)))
                colours = steps[-1].finer
        while alike := self._least_class(colours):
            swaps = self._swaps(alike)
            steps.append(_Step(alike, swaps, colours, self._without(colours, *(alike if swaps else alike[:1]))))
            colours = steps[-1].finer
        return steps

    def _level(self, step: _Step, deeper: list[Exchange]) -> Level:
        """Returns the level of the first of these points, given the permutations that fix it and all earlier points."""
        first, *others = step.alike
        level = Level(first, 1, [])
        orbit = _orbit(first, deeper)
        for other in others:
            if other not in orbit:
                exchange = self._match(step.finer, self._without(step.colours, other))
                if exchange is not None:
                    level.found.append(exchange)
                    orbit = _orbit(first, [*deeper, *level.found])
        level.size = len(orbit)
        return level

    def _swaps(self, alike: list[int]) -> list[Exchange]:
        """Returns the transpositions of neighboring points if all of them preserve the facts; else none."""
        swaps: list[Exchange] = []
        every = {p: p for p in self.terms.points}
        for a, b in pairwise(alike):
            swap = every | {a: b, b: a}
            if not (self._alone[a] and self._alone[b]) and not self._keeps(swap):
                return []
            swaps.append(swap)
        return swaps

    def _first(self) -> Colours:
        """Returns initial colors: by tags, with facts distinct."""
        kinds: dict[Any, int] = {}
        numbers = [
            kinds.setdefault((tag, loose, len(inside), t in self.terms.facts), len(kinds))
            for t, (tag, loose, inside) in enumerate(
                zip(self.terms.tags, self.terms.loose, self.terms.inside, strict=True)
            )
        ]
        return _mixed(np.array(numbers, dtype=np.uint64))

    def _settle(self, colours: Colours) -> Colours:
        """Returns the refined colors: two colorings that a permutation maps to each other give equal results up to
        that permutation.

        Raises ``NoSymmetry`` if that takes too long.
        """
        self.left -= 1
        self._check()
        count = len(np.unique(colours))
        while len(self._beside):
            self.work -= len(self._beside)
            self._check()
            around = np.zeros_like(colours)
            around[self._here] = np.add.reduceat(_mixed(colours[self._beside] ^ self._how), self._begins)
            finer = _mixed(_mixed(colours) ^ (around * _M2))
            more = len(np.unique(finer))
            if more == count:
                break
            colours, count = finer, more
        return colours

    def _keeps(self, exchange: Exchange) -> bool:
        self.work -= TEST_WORK * len(self.terms.tags)
        self._check()
        return self.terms.keeps(exchange)

    def _check(self) -> None:
        if self.left < 0 or self.work < 0 or self.clock.is_over:
            raise NoSymmetry("looking for symmetries takes too long")

    def _without(self, colours: Colours, *points: int) -> Colours:
        """Returns the colors after individualizing some points."""
        changed = colours.copy()
        for number, point in enumerate(points):
            changed[point] = _mixed(colours[point : point + 1] ^ _M1 ^ np.uint64(number))[0]
        return self._settle(changed)

    def _least_class(self, colours: Colours) -> list[int]:
        """Returns the smallest class of at least two points with one color; empty if there is none."""
        return min(self._classes(colours), key=len, default=[])

    def _classes(self, colours: Colours) -> list[list[int]]:
        """Returns all classes of at least two points with one color."""
        mine = colours[self._points]
        order = np.argsort(mine, kind="stable")
        begins = np.flatnonzero(np.diff(mine[order])) + 1
        return [c.tolist() for c in np.split(self._points[order], begins) if len(c) > 1]

    def _match(self, a: Colours, b: Colours) -> Exchange | None:
        """Returns a permutation that maps one coloring to the other: depth first, without recursion."""
        todo: list[tuple[Colours, Iterator[Colours]]] = [(a, iter([b]))]
        while todo:
            a, candidates = todo[-1]
            other = next(candidates, None)
            if other is None:
                todo.pop()
            elif np.array_equal(np.sort(a), np.sort(other)):
                alike = self._least_class(a)
                if alike:
                    todo.append(self._pairs(a, other, alike[0]))
                elif self._keeps(exchange := self._by_colours(a, other)):
                    return exchange
        return None

    def _pairs(self, a: Colours, b: Colours, point: int) -> tuple[Colours, Iterator[Colours]]:
        """Individualizes a point in one coloring, and in turn each point of its color in the other."""
        alike = self._points[b[self._points] == a[point]].tolist()
        return self._without(a, point), (self._without(b, other) for other in alike)

    def _by_colours(self, a: Colours, b: Colours) -> Exchange:
        """Maps every point to the one that has its color."""
        order_a, order_b = np.argsort(a[self._points]), np.argsort(b[self._points])
        return dict(zip(self._points[order_a].tolist(), self._points[order_b].tolist(), strict=True))


def _orbit(point: int, makers: list[Exchange]) -> set[int]:
    """Returns the orbit of a point under these permutations."""
    found, todo = {point}, [point]
    while todo:
        here = todo.pop()
        for g in makers:
            if g[here] not in found:
                found.add(g[here])
                todo.append(g[here])
    return found
