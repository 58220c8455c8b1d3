"""The findings of a search about the actions of a position."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from gamedsl.compiler import GAMMA, MASK, mix
from gamedsl.language.source import lazy_dataclass


def unit_of(seed: int) -> float:
    """Returns the number in [0, 1) that belongs to a seed, as the page computes it, too."""
    return (mix((seed + GAMMA) & MASK) >> 11) / (1 << 53)


@lazy_dataclass(frozen=True)
class Row:
    """An action, by its number.

    ``value``: the mover's expected utility as a share of the maximum, -1 to 1 (0 if never tried). ``share``: the
    probability that the search would play it: the average strategy in a secret choice, else the share of visits.
    ``exact``: the value is proven; ``plies`` is then the distance to the end.
    """

    action: int
    value: float
    visits: int
    share: float
    exact: bool = False
    plies: int = 0


@lazy_dataclass(frozen=True)
class Findings:
    """The findings of a search.

    ``seat``: the player to move (-1: chance, or nobody). ``secret``: the choice is simultaneous. ``values``: every
    player's expected utility as a share of the maximum. ``exact``: proven, with ``plies`` to the end. ``nodes``:
    positions generated or looked up.
    """

    seat: int
    secret: bool
    rows: tuple[Row, ...]
    values: tuple[float, ...]
    nodes: int
    exact: bool = False
    plies: int = 0

    def pick(self, seed: int) -> int:
        """Returns the action to play. A secret choice is sampled from its strategy."""
        if not self.secret:
            return self.best().action
        left = unit_of(seed)
        for row in self.rows:
            left -= row.share
            if left < 0.0:
                return row.action
        return max(self.rows, key=lambda r: r.share).action

    def best(self) -> Row:
        """Returns the action to play if nothing is secret.

        This is the shortest proven win, or the longest proven loss, or else the most visited action that is not
        proven worse than another.
        """
        if self.exact:
            return max(self.rows, key=lambda r: (r.exact, r.value, -r.plies if r.value > 0 else r.plies, r.visits))
        known = [r for r in self.rows if r.share > 0] or list(self.rows)
        hoped = max((r.value for r in known if not r.exact), default=-2.0)
        fit = [r for r in known if not r.exact or r.value >= hoped] or known
        return max(fit, key=lambda r: (r.share, r.value, -r.action))


@lazy_dataclass(frozen=True)
class RootStatistics:
    """One tree's statistics, by action: visits, mean utility of the mover, weight in the choice, whether it is proven,
    plies.
    """

    visits: npt.NDArray[np.float64]
    means: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64]
    exact: npt.NDArray[np.bool_]
    plies: npt.NDArray[np.int64]


def rows_of(told: Sequence[RootStatistics]) -> tuple[Row, ...]:
    """Merges the statistics of several trees with one root.

    Visits are summed, means are weighted by visits, and one tree's proof is enough.
    """
    visits = sum(t.visits for t in told)
    weights = sum(t.weights for t in told)
    sums = sum(t.means * t.visits for t in told)
    assert not (isinstance(visits, int) or isinstance(weights, int) or isinstance(sums, int))
    total = np.cumsum(weights)[-1]  # one after another, as the page adds them
    rows = []
    for k in range(len(visits)):
        proof = next((t for t in told if t.exact[k]), None)
        mean = sums[k] / visits[k] if visits[k] else 0.0
        rows.append(
            Row(
                k,
                float(proof.means[k]) if proof else float(mean),
                int(visits[k]),
                float(weights[k] / total) if total else 1.0 / len(visits),
                proof is not None,
                int(proof.plies[k]) if proof else 0,
            )
        )
    return tuple(rows)
