"""Compares versions of a game: two of them, or one with all its small changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "Ablation",
    "Effect",
    "FigureTest",
    "VersionComparison",
    "VersionGames",
    "VersionPlan",
    "ablate",
    "compare_versions",
    "play_searched",
    "play_version",
    "ranked",
    "solve_version",
]

if TYPE_CHECKING:
    from gamedsl.lab.variants.ablation import Ablation, Effect, ablate, ranked
    from gamedsl.lab.variants.comparison import VersionComparison, compare_versions
    from gamedsl.lab.variants.figure_tests import FigureTest
    from gamedsl.lab.variants.version_games import (
        VersionGames,
        VersionPlan,
        play_searched,
        play_version,
        solve_version,
    )
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "ablation": "Ablation Effect ablate ranked",
            "comparison": "VersionComparison compare_versions",
            "figure_tests": "FigureTest",
            "version_games": "VersionGames VersionPlan play_searched play_version solve_version",
        },
    )
