"""The size of the game tree: the number of different games, estimated without bias by random probes.

D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29 (1975), 121-136: the
product of the numbers of choices on a random path has the number of leaves as its mean. P. C. Chen, "Heuristic sampling:
a method for predicting the performance of tree searching programs", SIAM Journal on Computing 21 (1992), 295-315: one
position stands for all of its stratum, here those at the same step with the same number of choices.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log, log10
from random import Random

import numpy as np
import numpy.typing as npt

from gamedsl.engine import Game, State
from gamedsl.lab.statistics import Estimate, bootstrap
from gamedsl.language.source import lazy_dataclass

LEAST_PROBES = 8  # estimates by Chen's method, below which none is reported
DEEPEST = 10_000


@lazy_dataclass(frozen=True)
class TreeSize:
    """The decimal logarithm of the number of games, with its interval, from a number of ``probes``."""

    log10: Estimate
    probes: int


def size_from_logs(logs: npt.NDArray[np.float64], seed: int) -> TreeSize | None:
    """Returns the size from the natural logarithms of independent unbiased estimates. The mean is that of the
    estimates, not of their logarithms; None if there are none.
    """
    if not len(logs):
        return None
    top = float(logs.max())
    found = bootstrap([np.exp(logs - top)], np.mean, seed)
    assert found is not None

    def scaled(x: float | None) -> float | None:
        return None if x is None else (top + log(max(x, 1e-300))) / log(10)

    value = scaled(found.value)
    assert value is not None
    return TreeSize(Estimate(value, scaled(found.low), scaled(found.high)), len(logs))


def chen_size(game: Game, seed: int, expansions: int, stopped: Callable[[], bool]) -> TreeSize | None:
    """Returns Chen's estimate from as many probes as generate about ``expansions`` positions; None if those are fewer
    than ``LEAST_PROBES``, or the rules have drawings.
    """
    logs: list[float] = []
    left = expansions
    while left > 0 and not stopped():
        probe = _Probe(Random(f"{seed} {len(logs)} strata"), left)
        found = probe.run(game.initial_state())
        if found is None:
            break
        logs.append(found)
        left -= probe.generated
    return size_from_logs(np.array(logs), seed) if len(logs) >= LEAST_PROBES else None


class _Probe:
    """One probe by stratified sampling."""

    def __init__(self, rng: Random, most: int) -> None:
        self.rng, self.most = rng, most
        self.generated = 0

    def run(self, start: State) -> float | None:
        """Returns the natural logarithm of the estimated number of leaves; None if it would take too many positions."""
        layer: dict[int, tuple[State, int]] = {_width(start): (start, 1)}
        leaves = 0
        for _ in range(DEEPEST):
            if not layer:
                return _log(leaves)
            below: dict[int, tuple[State, int]] = {}
            for state, weight in layer.values():
                for child in _children(state):
                    self.generated += 1
                    if child.is_terminal:
                        leaves += weight
                    else:
                        self._add(below, child, weight)
                if self.generated > self.most or state.kind == "drawing":
                    return None
            layer = below
        return None

    def _add(self, layer: dict[int, tuple[State, int]], state: State, weight: int) -> None:
        """Adds a position to its stratum, which it comes to represent with the probability of its share in it."""
        width = _width(state)
        kept, total = layer.get(width, (state, 0))
        total += weight
        layer[width] = (state if self.rng.randrange(total) < weight else kept, total)


def _children(state: State) -> list[State]:
    if state.kind == "chance":
        return [state.apply(move) for move, _ in state.chance_outcomes()]
    return [state.apply(move) for move in state.legal_moves()]


def _width(state: State) -> int:
    if state.is_terminal:
        return 0
    return len(state.chance_outcomes()) if state.kind == "chance" else state.count_moves()


def _log(number: int) -> float:
    """Returns the natural logarithm of a number of any size."""
    return log10(number) * log(10) if number else 0.0
