"""Games in which some quantity changes by the same amount with every action: marks on the board, plies left, cards
drawn.

There, equal states can occur only at the same depth, so duplicates are sought within one level, and no game repeats
a position. The property is not inferred from the rules: a measure is guessed from the first states and checked on
every state found. A state at depth d must have the first state's measure plus d steps. While all do, states at
different depths differ and every edge leads to the next level; the search relies on nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import TypeAlias

import numpy as np

from gamedsl.compiler import BLOCK, HANDLE, Field, Rows
from gamedsl.lab.base import Ints
from gamedsl.lab.explore.kernels.expansion_kernel import ANY, BITS
from gamedsl.language.source import lazy_dataclass

Term: TypeAlias = tuple[int, int, int, int]  # kind, word, mask, weight

MOST_FEATURES = 120
WIDEST = 16  # bits of a value that are counted, at most
MOST_SCALE = 12  # weights are fractions with denominators up to this


@lazy_dataclass(frozen=True)
class Measure:
    """A sum over terms (see ``expansion_kernel.measure``) that every action changes by ``step``, which is not 0."""

    terms: Ints
    step: int

    @staticmethod
    def none() -> Measure:
        """The empty measure."""
        return Measure(NOTHING, 0)

    def of(self, rows: Ints) -> Ints:
        """Returns the measure of each state."""
        total = np.zeros(len(rows), dtype=np.int64)
        for kind, word, mask, weight in self.terms.tolist():
            found = rows[:, word] & np.int64(mask)
            total += weight * (np.bitwise_count(found.view(np.uint64)).astype(np.int64) if kind == BITS else found != 0)
        return total


NOTHING: Ints = np.zeros((0, 4), dtype=np.int64)


def guessed(layout: Rows, before: Ints, after: Ints) -> Measure | None:
    """Returns a measure with the same step from the k-th state before to the k-th after, for all k; None if none is
    found.

    The candidates are single variables' sums of values, of bits and of used slots; then weighted sums of these.
    """
    families = [_Family.of(layout, kind, before, after) for kind in (_values, _bits, _slots) if len(before)]
    found = (measure for family in families if (measure := family.steady()) is not None)
    single = next(found, None)
    if single is not None or not families:
        return single
    every = _Family([f for x in families for f in x.features], np.concatenate([x.change for x in families], axis=1))
    sums = (measure for family in (*families, every) if (measure := family.sum()) is not None)
    return next(sums, None)


@lazy_dataclass(frozen=True)
class _Family:
    """Features to count, and the change of each across every pair of states."""

    features: list[list[Term]]
    change: Ints

    @staticmethod
    def of(layout: Rows, kind: Callable[[list[Field]], list[Term]], before: Ints, after: Ints) -> _Family:
        features = list(_features(layout, kind))[:MOST_FEATURES]
        measures = [Measure(_terms(f), 1) for f in features]
        columns = [m.of(after) - m.of(before) for m in measures]
        return _Family(features, np.array(columns, dtype=np.int64).reshape(-1, len(before)).T)

    def steady(self) -> Measure | None:
        """Returns a single feature with a constant change; None if there is none."""
        steady = np.flatnonzero((self.change == self.change[0]).all(axis=0) & (self.change[0] != 0))
        return Measure(_terms(self.features[steady[0]]), int(self.change[0, steady[0]])) if len(steady) else None

    def sum(self) -> Measure | None:
        """Returns a weighted sum of several features with a constant change; None if none is found."""
        change = np.unique(self.change, axis=0)
        found = np.linalg.lstsq(change.astype(np.float64), np.ones(len(change)), rcond=None)[0]
        for step in range(1, MOST_SCALE + 1):
            weights = np.rint(step * found).astype(np.int64)
            if (change @ weights == step).all():
                parts = zip(self.features, weights.tolist(), strict=True)
                return Measure(_terms([(k, w, m, x * y) for f, y in parts if y for k, w, m, x in f]), step)
        return None


def _terms(terms: list[Term]) -> Ints:
    signed = [(k, w, m - (1 << 64) if m >> 63 else m, x) for k, w, m, x in terms]
    return np.array(signed, dtype=np.int64).reshape(-1, 4)


def _features(layout: Rows, kind: Callable[[list[Field]], list[Term]]) -> Iterator[list[Term]]:
    """Yields the features of each variable."""
    counted = [f for f in layout.fields if f.variable not in (BLOCK, HANDLE)]
    for _, fields in groupby(sorted(counted, key=_group), key=_group):
        mine = list(fields)
        if len(mine) <= MOST_FEATURES:
            yield kind(mine)


def _group(field: Field) -> tuple[int, int]:
    return field.variable, field.width


def _values(fields: list[Field]) -> list[Term]:
    return [(BITS, f.word, 1 << f.shift + b, 1 << b) for f in fields for b in range(min(f.width, WIDEST))]


def _bits(fields: list[Field]) -> list[Term]:
    masks: dict[int, int] = {}
    for f in fields:
        masks[f.word] = masks.get(f.word, 0) | f.mask
    return [(BITS, word, mask, 1) for word, mask in masks.items()]


def _slots(fields: list[Field]) -> list[Term]:
    return [(ANY, f.word, f.mask, 1) for f in fields]
