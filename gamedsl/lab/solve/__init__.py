"""Solves for the exact value of a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "LIMIT",
    "ActionValue",
    "Solved",
    "action_text",
    "number",
    "outcome",
    "solve",
]

if TYPE_CHECKING:
    from gamedsl.lab.solve.solve_text import action_text, number, outcome
    from gamedsl.lab.solve.solver import LIMIT, ActionValue, Solved, solve
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "solver": "ActionValue LIMIT Solved solve",
            "solve_text": "action_text number outcome",
        },
    )
