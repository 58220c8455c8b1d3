"""What the measurements of a sweep show: the best values, which option moves what, and the Pareto front."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot
from typing import NamedTuple

import numpy as np

from gamedsl.lab.statistics import Z95
from gamedsl.lab.sweeps.option_sweep import METRICS, Measured


class OptionEffect(NamedTuple):
    """The share of a figure's variance over all combinations that an option explains alone (``main``), and together
    with others (``total``): Sobol's indices, computed on the whole grid instead of estimated.
    """

    option: str
    main: float
    total: float


def main_effects(rows: Sequence[Measured], values: Mapping[str, Sequence[str]], metric: str) -> list[OptionEffect]:
    """Returns the effects of all options; none if a combination was not measured, or the figure is constant.

    I. M. Sobol, "Global sensitivity indices for nonlinear mathematical models and their Monte Carlo estimates",
    Mathematics and Computers in Simulation 55 (2001), 271-280.
    """
    if any(metric not in row.figures for row in rows):
        return []
    table = np.array([row.figures[metric][0] for row in rows]).reshape([len(v) for v in values.values()])
    variance = float(table.var())
    if variance <= 1e-18:
        return []
    found = []
    for axis, name in enumerate(values):
        others = tuple(a for a in range(table.ndim) if a != axis)
        main = float(table.mean(axis=others).var()) / variance
        rest = float(table.mean(axis=axis).var()) / variance if others else 0.0
        found.append(OptionEffect(name, main, 1 - rest))
    return found


def best_rows(rows: Sequence[Measured], metric: str) -> list[Measured]:
    """Returns the best combination, then those that are not worse for certain: whose difference is within the 95 %
    interval of a difference.
    """
    direction = METRICS[metric] or 1
    known = sorted((r for r in rows if metric in r.figures), key=lambda r: -direction * r.figures[metric][0])
    if not known:
        return []
    best = known[0]

    def is_near(row: Measured) -> bool:
        errors = [(r.figures[metric][2] - r.figures[metric][1]) / 2 / Z95 for r in (best, row)]
        gap = abs(best.figures[metric][0] - row.figures[metric][0])
        return gap <= Z95 * hypot(*errors) + 1e-12

    return [best, *(row for row in known[1:] if is_near(row))]


def pareto_front(rows: Sequence[Measured], metrics: Sequence[str]) -> list[Measured]:
    """Returns the combinations that no other one beats in all metrics with a direction."""
    wanted = [name for name in metrics if METRICS[name]]
    known = [row for row in rows if all(name in row.figures for name in wanted)]

    def values(row: Measured) -> list[float]:
        return [METRICS[name] * row.figures[name][0] for name in wanted]

    def is_beaten(row: Measured) -> bool:
        mine = values(row)
        others = [values(other) for other in known if other is not row]
        return any(all(o >= m for o, m in zip(other, mine, strict=True)) and other != mine for other in others)

    return [row for row in known if not is_beaten(row)]
