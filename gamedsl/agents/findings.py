"""What a search has found about the ways on from a position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Row:
    """A way on, by its number. ``value``: the mover's expected utility, as a
    share of the greatest that the rules allow: from -1 to 1 (0 if it was never tried). ``share``: how likely
    the search would have it played: in a secret choice the average strategy, else the share of visits. ``exact``: the
    value is proven, and ``plies`` lead to the end."""

    way: int
    value: float
    visits: int
    share: float
    exact: bool = False
    plies: int = 0


@dataclass(frozen=True)
class Findings:
    """``seat``: who moves (-1: chance, or nobody). ``values``: every player's expected utility, as such a share; ``exact``: proven, with
    ``plies`` to the end. ``nodes``: positions that the search has built or looked up."""

    seat: int
    secret: bool
    rows: tuple[Row, ...]
    values: tuple[float, ...]
    nodes: int
    exact: bool = False
    plies: int = 0

    def pick(self, seed: int) -> int:
        """The way to play. A secret choice is drawn at random by its strategy."""
        if not self.secret:
            return self.best().way
        return Random(seed).choices(self.rows, [r.share for r in self.rows])[0].way

    def best(self) -> Row:
        """The way to play where nothing is secret: the shortest proven win, the longest proven loss, else what was
        visited most among the ways that are not proven to be worse than another."""
        if self.exact:
            return max(self.rows, key=lambda r: (r.exact, r.value, -r.plies if r.value > 0 else r.plies, r.visits))
        known = [r for r in self.rows if r.share > 0] or list(self.rows)
        hoped = max((r.value for r in known if not r.exact), default=-2.0)
        fit = [r for r in known if not r.exact or r.value >= hoped] or known
        return max(fit, key=lambda r: (r.share, r.value, -r.way))


@dataclass(frozen=True)
class Told:
    """What one tree says, way by way: visits, mean utility of the mover, weight of being played, proven or not, plies."""

    visits: npt.NDArray[np.float64]
    means: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64]
    exact: npt.NDArray[np.bool_]
    plies: npt.NDArray[np.int64]


def rows_of(told: Sequence[Told]) -> tuple[Row, ...]:
    """What several trees of one root say together: visits added up, means by visits; what one has proven is proven."""
    visits = sum(t.visits for t in told)
    weights = sum(t.weights for t in told)
    sums = sum(t.means * t.visits for t in told)
    assert not (isinstance(visits, int) or isinstance(weights, int) or isinstance(sums, int))
    total = weights.sum()
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
