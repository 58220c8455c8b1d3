"""Compares versions of a game: two of them, or one with all its small changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "Effect",
    "FigureTest",
    "VersionComparison",
    "VersionPlan",
    "ablate",
    "compare_versions",
    "ranked",
]

if TYPE_CHECKING:
    from gamedsl.lab.variants.ablation import Effect, ablate, ranked
    from gamedsl.lab.variants.comparison import VersionComparison, compare_versions
    from gamedsl.lab.variants.figure_tests import FigureTest
    from gamedsl.lab.variants.version_games import VersionPlan
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "ablation": "Effect ablate ranked",
            "comparison": "VersionComparison compare_versions",
            "figure_tests": "FigureTest",
            "version_games": "VersionPlan",
        },
    )
