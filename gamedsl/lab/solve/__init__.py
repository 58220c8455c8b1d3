"""Solves for the exact value of a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "LIMIT",
    "NO_ORDER",
    "ActionValue",
    "NativeSearch",
    "Order",
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
    from gamedsl.lab.solve.depth_compiled import NO_ORDER, NativeSearch
    from gamedsl.lab.solve.depth_kernel import Order
    from gamedsl.lab.solve.game_graph import PlayGraph, Utilities, explored, utilities
    from gamedsl.lab.solve.retrograde import values
    from gamedsl.lab.solve.solve_text import action_text, number, outcome
    from gamedsl.lab.solve.solver import LIMIT, ActionValue, Solved, solve
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "depth_compiled": "NO_ORDER NativeSearch",
            "depth_kernel": "Order",
            "game_graph": "PlayGraph Utilities explored utilities",
            "retrograde": "values",
            "solver": "ActionValue LIMIT Solved solve",
            "solve_text": "action_text number outcome",
        },
    )
