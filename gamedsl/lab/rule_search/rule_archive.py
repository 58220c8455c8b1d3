"""The best variant of each kind: by depth and length of games (MAP-Elites).

J.-B. Mouret and J. Clune, "Illuminating search spaces by mapping elites", arXiv:1504.04909 (2015).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

from gamedsl.lab.rule_search.variant_figures import STEPS, VariantFigures
from gamedsl.language.source import lazy_dataclass, missing_library

DEPTHS, LENGTHS = 12, 12  # cells


@lazy_dataclass(frozen=True)
class Elite:
    """A variant of the archive."""

    point: tuple[int, ...]
    figures: VariantFigures


class RuleArchive:
    """The best variants by depth and length. ``longest``: plies of the last cell."""

    def __init__(self, genes: int, longest: float, quality: Callable[[VariantFigures], float]) -> None:
        """Raises ``UsageError`` if the library is not installed."""
        try:
            from ribs.archives import GridArchive
        except ImportError as problem:
            raise (missing_library(problem) or problem) from None
        ranges = [(0.0, float(STEPS)), (0.0, longest)]
        self._archive: Any = GridArchive(solution_dim=genes, dims=[DEPTHS, LENGTHS], ranges=ranges, seed=0)
        self._quality = quality
        self._figures: dict[tuple[int, ...], VariantFigures] = {}
        self._elites: list[Elite] | None = None  # until the next change

    def add(self, point: tuple[int, ...], figures: VariantFigures) -> bool:
        """Adds a variant if it is the best of its kind. Returns whether it is."""
        info = self._archive.add_single(list(point), self._quality(figures), [figures.depth, figures.length])
        if int(info["status"]) > 0:
            self._figures[point], self._elites = figures, None
        return int(info["status"]) > 0

    def pick(self, rng: Random) -> tuple[int, ...]:
        """Returns one of the variants, each with equal probability."""
        return rng.choice(self.elites).point

    @property
    def elites(self) -> list[Elite]:
        """All variants, the best first."""
        if self._elites is None:
            rows = self._archive.data("solution")
            points = {tuple(round(v) for v in row) for row in rows}
            self._elites = ranked([Elite(point, self._figures[point]) for point in points], self._quality)
        return self._elites


def ranked(elites: Iterable[Elite], quality: Callable[[VariantFigures], float]) -> list[Elite]:
    """Returns variants, the best first; among equal ones the deepest."""
    return sorted(elites, key=lambda elite: (-quality(elite.figures), -elite.figures.depth, elite.point))
