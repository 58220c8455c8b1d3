"""Statistics of games: estimates with intervals, Elo, mirrored pairs, sequential tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "Z95",
    "Bin",
    "Estimate",
    "PairCounts",
    "SequentialTest",
    "bins",
    "bootstrap",
    "bounded_mean",
    "deviation",
    "elo_difference",
    "expected_score",
    "mean",
    "median",
    "rate",
    "ratio",
    "wilson",
]

if TYPE_CHECKING:
    from gamedsl.lab.statistics.elo import elo_difference, expected_score
    from gamedsl.lab.statistics.estimates import (
        Z95,
        Bin,
        Estimate,
        bins,
        bounded_mean,
        deviation,
        mean,
        median,
        ratio,
        wilson,
    )
    from gamedsl.lab.statistics.pair_scores import PairCounts
    from gamedsl.lab.statistics.ratings import rate
    from gamedsl.lab.statistics.resampling import bootstrap
    from gamedsl.lab.statistics.sequential_test import SequentialTest
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "resampling": "bootstrap",
            "elo": "elo_difference expected_score",
            "estimates": "Z95 Bin Estimate bins bounded_mean deviation mean median ratio wilson",
            "pair_scores": "PairCounts",
            "ratings": "rate",
            "sequential_test": "SequentialTest",
        },
    )
