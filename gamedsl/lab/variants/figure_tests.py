"""Tests whether the figures of two versions differ, with a correction for their number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from warnings import catch_warnings, simplefilter

import numpy as np

from gamedsl.lab.variants.version_games import Numbers, VersionGames
from gamedsl.language.source import lazy_dataclass

ALPHA = 0.01


@lazy_dataclass(frozen=True)
class FigureTest:
    """A figure in both versions.

    ``p``: the probability of such a difference between equal versions; ``corrected``: the same for all figures
    together (S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6,
    1979). ``effect``: the difference, of a share as it is, of a mean as a share of the old one.
    """

    name: str
    old: float
    new: float
    effect: float
    p: float
    corrected: float = 1.0

    @property
    def is_significant(self) -> bool:
        return self.corrected < ALPHA


def figure_tests_of(old: VersionGames, new: VersionGames, players: Sequence[str]) -> list[FigureTest]:
    """Returns the tests of all figures. Shares by Fisher's exact test or chi squared, means by Welch's test."""
    tests = []
    if old.results.shape[1] == new.results.shape[1]:
        for seat, name in enumerate(players):
            tests.append(_share(f"{name} wins", old.results[:, seat] == 1, new.results[:, seat] == 1))
        if len(players) > 1:
            tests.append(_share("drawn games", _drawn(old), _drawn(new)))
    tests.append(_mean("plies", old.lengths, new.lengths))
    tests.append(_mean("choices of a decision", old.choices, new.choices))
    return corrected(tests)


def _drawn(games: VersionGames) -> Numbers:
    found: Numbers = (games.results == 0).all(axis=1)
    return found


def corrected(tests: list[FigureTest]) -> list[FigureTest]:
    """Returns the tests with corrected probabilities."""
    order = sorted(range(len(tests)), key=lambda k: tests[k].p)
    found, least = list(tests), 0.0
    for rank, k in enumerate(order):
        least = min(1.0, max(least, (len(tests) - rank) * tests[k].p))
        found[k] = replace(tests[k], corrected=least)
    return found


def _share(name: str, old: Numbers, new: Numbers) -> FigureTest:
    from scipy.stats import chi2_contingency, fisher_exact

    a, b = int(old.sum()), int(new.sum())
    table = [[a, len(old) - a], [b, len(new) - b]]
    p = 1.0
    if 0 < a + b < len(old) + len(new):
        small = min(min(row) for row in table) < 10
        p = float(fisher_exact(table)[1] if small else chi2_contingency(table)[1])
    return FigureTest(name, a / len(old), b / len(new), b / len(new) - a / len(old), p)


def _mean(name: str, old: Numbers, new: Numbers) -> FigureTest:
    from scipy.stats import ttest_ind

    a, b = float(old.mean()), float(new.mean())
    if old.std() == 0 and new.std() == 0:
        p = float(a == b)
    else:
        with catch_warnings():  # of samples that are nearly constant
            simplefilter("ignore")
            p = float(ttest_ind(old, new, equal_var=False).pvalue)
    effect = (b - a) / a if a else float(b != a)
    return FigureTest(name, a, b, effect, 1.0 if np.isnan(p) else p)
