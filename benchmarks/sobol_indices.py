"""Compares the shares of a sweep's variance with SALib's estimates: `python benchmarks/sobol_indices.py`.

Needs SALib (`pip install SALib`; 1.6.0 for the figures of docs/decisions/026-sweeps-without-samplers.md), which is not among the
extras. A sweep of m-n-k measures the mean length of all combinations; both compute from these figures which option moves it.
SALib asks for a figure wherever its sample has a point, most often for one that it has already.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from gamedsl.lab.sweeps import Measured, SweepPlan, main_effects, sweep
from gamedsl.lab.variants import VersionPlan

VALUES = {"m": ["3", "4", "5", "6"], "n": ["3", "4", "5", "6"], "k": ["2", "3"]}
SAMPLES = (16, 64, 256, 1024, 4096)


def main() -> None:
    *_, rows = sweep(SweepPlan("m-n-k", VALUES, {}, ["length"], VersionPlan(1000, limit=0)))
    ours = np.array([(e.main, e.total) for e in main_effects(rows, VALUES, "length")])
    print(f"{len(rows)} combinations; the grid: {_shown(ours)}")
    print("| sample | figures asked for | combinations measured | S1, ST | largest error | its 95 % interval |")
    print("|---|---|---|---|---|---|")
    for line in _estimates(rows, ours):
        print(line)


def _estimates(rows: list[Measured], ours: Any) -> Iterator[str]:
    """Yields a line for each size of a sample."""
    from SALib.analyze import sobol
    from SALib.sample import sobol as sampled

    sizes = [len(values) for values in VALUES.values()]
    figures = dict(zip(product(*map(range, sizes)), (row.figures["length"][0] for row in rows), strict=True))
    problem = {"num_vars": len(sizes), "names": [*VALUES], "bounds": [[0, size - 1e-9] for size in sizes]}
    for number in SAMPLES:
        points = [tuple(map(int, point)) for point in sampled.sample(problem, number, calc_second_order=False, seed=1)]
        found = sobol.analyze(problem, np.array([figures[p] for p in points]), calc_second_order=False, seed=1)
        theirs = np.stack([found["S1"], found["ST"]], axis=1)
        widths = np.stack([found["S1_conf"], found["ST_conf"]], axis=1)
        error = np.abs(theirs - ours)
        at = np.unravel_index(error.argmax(), error.shape)
        yield (
            f"| {number} | {len(points):,} | {len(set(points))} | {_shown(theirs)} | {error[at]:.3f} | {widths[at]:.3f} |"
        )


def _shown(indices: Any) -> str:
    return "; ".join(
        f"{name} {main:.3f}, {total:.3f}" for name, (main, total) in zip(VALUES, indices.tolist(), strict=True)
    )


if __name__ == "__main__":
    main()
