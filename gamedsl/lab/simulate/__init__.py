"""Simulates and counts many games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "CHANCE",
    "DRAW",
    "DRAWING",
    "END",
    "FAILED",
    "PLAY_ENTRIES",
    "Branching",
    "ChanceUse",
    "Chooser",
    "CountedGames",
    "KindUse",
    "Lengths",
    "NativePlays",
    "Plan",
    "SeatResult",
    "Simulation",
    "Summary",
    "Tally",
    "fastest",
    "moves_of",
    "outcome",
    "quickest",
    "simulate",
    "simulate_in_shards",
    "simulate_within",
]

if TYPE_CHECKING:
    from gamedsl.lab.simulate.kernel import CHANCE, DRAW, DRAWING, END, FAILED
    from gamedsl.lab.simulate.kernel_plays import PLAY_ENTRIES, NativePlays
    from gamedsl.lab.simulate.reference_plays import Chooser, Plan, moves_of
    from gamedsl.lab.simulate.simulation import Simulation, fastest, quickest, simulate, simulate_within
    from gamedsl.lab.simulate.simulation_shards import CountedGames, simulate_in_shards
    from gamedsl.lab.simulate.summary import Branching, ChanceUse, KindUse, Lengths, SeatResult, Summary
    from gamedsl.lab.simulate.tally import Tally, outcome
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "kernel": "CHANCE DRAW DRAWING END FAILED",
            "kernel_plays": "PLAY_ENTRIES NativePlays",
            "reference_plays": "Chooser Plan moves_of",
            "simulation": "Simulation fastest quickest simulate simulate_within",
            "simulation_shards": "CountedGames simulate_in_shards",
            "summary": "Branching ChanceUse KindUse Lengths SeatResult Summary",
            "tally": "Tally outcome",
        },
    )
