"""A cheap value of positions, linear in what stands where, fitted to random games of the ruleset itself.

Every element of every set, every value of a small variable, every bit of a large one, and every stop of the game has a
weight; the value of a position is their sum. The weights are those of a ridge regression of the results of random games
on their positions (Hoerl and Kennard, "Ridge Regression: Biased Estimation for Nonorthogonal Problems", 1970). A set
counts as a whole with a small penalty and by its elements with a larger one, so that rare elements are worth what the
others are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gamedsl.agents import leaf_kernel as k
from gamedsl.agents.kept_data import kept_data
from gamedsl.agents.position import once
from gamedsl.agents.random_positions import random_positions
from gamedsl.compiler import Reals, Words
from gamedsl.language.core import limits
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.compiler import Frame, Native

PLIES = 1_500_000  # of the random games, together
POSITIONS = 16_000  # at most so many of them are kept; sums over them are exact in 32-bit floats
STEPS = 1_000  # a result is rounded to such parts of the greatest
FEWEST = 200  # positions
MOST_WEIGHTS = 6_000  # with more there is no value: positions would take too much memory
MOST_VARIED = 2_500  # weights that differ between positions; with more, solving takes too long
MOST_CODES = 32  # a variable with more values counts by its bits
WHOLE = 3.0  # the penalty of a set as a whole, or of the difference of the two players' sets
OWN = 3_000.0  # of the set of one of two players as a whole: nearly the same is worth the same to both
SINGLE = (30.0, 300.0, 3_000.0, 30_000.0)  # those of one element that are tried
HELD_OUT = 4  # every fourth game tests the fit
LARGEST = 1 << 40  # of a weight in the cache


@lazy_dataclass(frozen=True)
class LeafValue:
    """``segments`` and ``weights``: see ``leaf_kernel``; ``share``: the share of the variance of results in games that
    were not fitted which the value explains; ``plies``: the mean length of a random game; ``games``: those of self-play that
    it was learned from (0: random games)."""

    segments: Words
    weights: Words
    share: float
    plies: float
    games: int = 0

    @property
    def origin(self) -> str:
        """What it was learned from, in words."""
        return f"{self.games} games of self-play" if self.games else "random games"


class Sum(NamedTuple):
    """Columns that count together: ranges of columns, each with its sign; and the penalty of the sum's weight."""

    ranges: tuple[tuple[int, int, int], ...]
    penalty: float


@lazy_dataclass(frozen=True)
class Features:
    """What a position is judged by. ``segments``: the parts of a block that count; ``sizes``: how many weights each has,
    which stand in this order behind the constant; ``sums``: the sets as wholes, and what two players have of each."""

    segments: Words
    sizes: tuple[int, ...]
    sums: tuple[Sum, ...]

    @property
    def width(self) -> int:
        """The number of weights without the constant."""
        return sum(self.sizes)

    @classmethod
    def of(cls, frame: Frame, program: n.Program) -> Features:
        """The features of a program: the stop, and all variables that are neither stacks, histories nor drawings."""
        rows, sizes, sums, width = list[tuple[int, ...]](), list[int](), list[Sum](), 0

        def add(bitwise: bool, offset: int, bits: int, size: int) -> None:
            nonlocal width
            mask = -1 if bits == 64 else (1 << bits) - 1
            rows.append((int(bitwise), offset // 8, offset % 8 * 8, mask, 1 + width))
            sizes.append(size)
            width += size

        add(False, 0, 32, len(program.blocks))
        for var in program.variables:
            place, first = frame.place(var), width
            is_duel = isinstance(var.type, n.SetT) and var.keys == (program.players,) and var.slots == 2
            if isinstance(var.type, n.StoredT):
                continue
            for slot in range(var.slots):
                at = place.offset + slot * place.stride
                if isinstance(var.type, n.SetT):
                    for unit in range(place.cell.count):
                        add(True, at + 8 * unit, place.cell.bits, min(64, var.type.domain.size - 64 * unit))
                    sums.append(Sum(((width - var.type.domain.size, width, 1),), OWN if is_duel else WHOLE))
                    continue
                low, high = limits(var.type)
                is_small = high - low < MOST_CODES
                add(not is_small, at, place.cell.bits, high - low + 1 if is_small else (high - low).bit_length())
            if is_duel:
                middle, last = (first + width) // 2, width
                sums.append(Sum(((first, middle, 1), (middle, last, -1)), WHOLE))
        return cls(np.array(rows, dtype=np.int64), tuple(sizes), tuple(sums))


def leaf_value(native: Native) -> LeafValue | None:
    """Returns the value for a game of two players without chance, hidden information and simultaneous choices, or None
    if random games teach nothing. It is fitted once for a ruleset and kept in the code cache."""
    return once(native, "leaf_value", partial(_kept, native))


def _kept(native: Native) -> LeafValue | None:
    features = Features.of(native.frame, native.program)
    return kept_data(native, "leaf value", lambda: _fitted(native, features), lambda found: _read(found, features))


def _read(found: Any, features: Features) -> LeafValue | None:
    if found is None:
        return None
    weights = read_weights(found["weights"], 1 + features.width)
    return LeafValue(features.segments, weights, float(found["share"]), float(found["plies"]))


def read_weights(found: Any, number: int) -> Words:
    """Returns the weights in plain data. Raises ``ValueError`` if there are not so many, or one is too large."""
    weights = [int(weight) for weight in found]
    if len(weights) != number or max(map(abs, weights)) > LARGEST:
        raise ValueError("the weights are those of other rules")
    return np.array(weights, dtype=np.int64)


@lazy_dataclass(frozen=True)
class _Games:
    """Positions of random games: their blocks, the number of the game of each, the results for the first player."""

    blocks: Words
    owner: Words
    results: Reals
    plies: float


def _played(native: Native) -> _Games | None:
    found = random_positions(native, POSITIONS, PLIES)
    kept, games, results = found.kept, found.games, found.results
    if kept < FEWEST or found.is_faulty or abs(results[:games].sum(axis=1)).max(initial=0.0) > 1e-9:
        return None  # too few, against the rules, or not zero-sum
    most = found.rules.most
    return _Games(found.room[:kept], found.owner[:kept], results[:games, 0] / most, found.played / games)


def _fitted(native: Native, features: Features) -> dict[str, object] | None:
    """The data of the value whose penalty explains most of the games that were held out; None if all explain nothing."""
    games = _played(native) if features.width <= MOST_WEIGHTS else None
    if games is None:
        return None
    target = np.rint(games.results[games.owner] * STEPS)
    columns = columns_of(games.blocks, features)
    test = games.owner % HELD_OUT == 0
    spread = float(np.var(target[test]))
    fit = Fit.of(columns[~test], features.sums, target[~test]) if spread > 0 else None
    if fit is None:
        return None
    tried = []
    for single in SINGLE:
        weights, constant = fit.solve(single)
        error = columns[test] @ weights + constant - target[test]
        tried.append((round(1.0 - float(np.mean(error**2)) / spread, 6), single, weights, constant))
    share, _, weights, constant = max(tried, key=lambda one: one[0])
    if share <= 0:
        return None
    return {"share": share, "plies": games.plies, "weights": weights_of(weights, constant).tolist()}


def weights_of(weights: Reals, constant: float) -> Words:
    """Returns the weights of a leaf value, the constant first, from those of a fit to results in ``STEPS``."""
    return np.rint(np.concatenate([[constant], weights]) * (k.ONE / STEPS)).astype(np.int64)


def columns_of(blocks: Words, features: Features) -> npt.NDArray[np.float32]:
    """Returns what each position has of everything that has a weight, as 0 or 1."""
    columns, at = np.zeros((len(blocks), features.width), dtype=np.float32), 0
    for (bitwise, word, shift, mask, _base), size in zip(features.segments.tolist(), features.sizes, strict=True):
        unit = blocks[:, word].view(np.uint64) >> np.uint64(shift)
        if mask != -1:
            unit = unit & np.uint64(mask)
        if bitwise:
            columns[:, at : at + size] = (unit[:, None] >> np.arange(size, dtype=np.uint64)) & np.uint64(1)
        else:
            columns[np.arange(len(blocks)), at + np.minimum(unit, size - 1).astype(np.int64)] = 1.0
        at += size
    return columns


@lazy_dataclass(frozen=True)
class Fit:
    """The normal equations of a ridge regression, made once for all penalties. All sums are of integers, and exact.

    ``varied``: the columns that are not constant; ``groups``: their signs in each sum, shape (sums, varied);
    ``penalties``: of the sums; ``gram``, ``moments`` and ``middle``: of the varied columns, then of the sums; ``width``:
    columns in all.
    """

    varied: npt.NDArray[np.intp]
    groups: Reals
    penalties: Reals
    gram: Reals
    moments: Reals
    middle: Reals
    mean: float
    width: int

    @classmethod
    def of(cls, columns: npt.NDArray[np.float32], sums: Sequence[Sum], target: Reals) -> Fit | None:
        varied = np.flatnonzero((columns[:1] != columns).any(axis=0))  # none if there are no positions
        if not len(varied) or len(varied) > MOST_VARIED:
            return None
        some, count = columns[:, varied], len(columns)
        groups = np.zeros((len(sums), len(varied)))
        for row, one in zip(groups, sums, strict=True):
            for start, stop, sign in one.ranges:
                row[(varied >= start) & (varied < stop)] = sign
        join = np.vstack([np.eye(len(varied)), groups])
        middle = join @ some.sum(axis=0).astype(np.float64) / count
        gram = join @ (some.T @ some).astype(np.float64) @ join.T - count * np.outer(middle, middle)
        moments = join @ (some.T @ target.astype(np.float32)).astype(np.float64) - middle * target.sum()
        penalties = np.array([one.penalty for one in sums])
        return cls(varied, groups, penalties, gram, moments, middle, float(target.mean()), columns.shape[1])

    def solve(self, single: float, share: float = 1.0) -> tuple[Reals, float]:
        """Returns the weights of all columns, and the constant, with this penalty of one element; those of sums are
        multiplied by ``share``."""
        ones = len(self.varied)
        penalty = np.concatenate([np.full(ones, single), self.penalties * share])
        found = np.linalg.solve(self.gram + np.diag(penalty), self.moments)
        weights = np.zeros(self.width)
        weights[self.varied] = found[:ones] + found[ones:] @ self.groups
        return weights, self.mean - float(self.middle @ found)
