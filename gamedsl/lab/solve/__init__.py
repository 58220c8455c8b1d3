"""Solves for the exact value of a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "LIMIT",
    "ActionValue",
    "PlayGraph",
    "Solved",
    "Utilities",
    "action_text",
    "explored",
    "number",
    "outcome",
    "solve",
    "utilities",
    "values",
]

if TYPE_CHECKING:
    from gamedsl.lab.solve.game_graph import PlayGraph, Utilities, explored, utilities
    from gamedsl.lab.solve.retrograde import values
    from gamedsl.lab.solve.solve_text import action_text, number, outcome
    from gamedsl.lab.solve.solver import LIMIT, ActionValue, Solved, solve
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "game_graph": "PlayGraph Utilities explored utilities",
            "retrograde": "values",
            "solver": "ActionValue LIMIT Solved solve",
            "solve_text": "action_text number outcome",
        },
    )
