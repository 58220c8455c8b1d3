"""Measures a game over many values of its options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "METRICS",
    "Measured",
    "SweepPlan",
    "as_svg",
    "best_rows",
    "main_effects",
    "pareto_front",
    "sweep",
]

if TYPE_CHECKING:
    from gamedsl.lab.sweeps.option_effects import best_rows, main_effects, pareto_front
    from gamedsl.lab.sweeps.option_sweep import METRICS, Measured, SweepPlan, sweep
    from gamedsl.lab.sweeps.sweep_chart import as_svg
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "option_effects": "best_rows main_effects pareto_front",
            "option_sweep": "METRICS Measured SweepPlan sweep",
            "sweep_chart": "as_svg",
        },
    )
