"""Shared by all checks: verdicts, options, values, successors, clocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "CHANCE",
    "DRAWING",
    "MOVE",
    "OVER",
    "TOGETHER",
    "Bytes",
    "Clock",
    "Evidence",
    "Ints",
    "Newest",
    "Numbers",
    "OutOfTime",
    "Status",
    "Successor",
    "Verdict",
    "baseline_seconds",
    "choices",
    "claim_text",
    "drawings",
    "each_successor",
    "exit_code",
    "exploring_seconds",
    "flag_new",
    "holds_in",
    "is_disabled",
    "is_half",
    "kind_of",
    "most_plies",
    "move_of",
    "numbered_drawing",
    "option_values",
    "playing_seconds",
    "plies_so_far",
    "read_claim",
    "render",
    "seat_of",
    "seeking_seconds",
    "set_after",
    "successors",
    "varying_conditions",
]

if TYPE_CHECKING:
    from gamedsl.lab.base.arrays import Bytes, Ints, Numbers
    from gamedsl.lab.base.claim_kinds import OVER, claim_text, holds_in, read_claim
    from gamedsl.lab.base.clock import Clock, OutOfTime, set_after
    from gamedsl.lab.base.compile_cost import baseline_seconds, exploring_seconds, playing_seconds, seeking_seconds
    from gamedsl.lab.base.core_statements import flag_new
    from gamedsl.lab.base.html import render
    from gamedsl.lab.base.move_conditions import is_disabled, varying_conditions
    from gamedsl.lab.base.newest import Newest
    from gamedsl.lab.base.options import choices, option_values
    from gamedsl.lab.base.part_plies import most_plies, plies_so_far
    from gamedsl.lab.base.successor_list import (
        CHANCE,
        DRAWING,
        MOVE,
        TOGETHER,
        Successor,
        drawings,
        each_successor,
        is_half,
        kind_of,
        move_of,
        numbered_drawing,
        seat_of,
        successors,
    )
    from gamedsl.lab.base.verdict import Evidence, Status, Verdict, exit_code
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "arrays": "Bytes Ints Numbers",
            "claim_kinds": "OVER claim_text holds_in read_claim",
            "clock": "Clock OutOfTime set_after",
            "compile_cost": "baseline_seconds exploring_seconds playing_seconds seeking_seconds",
            "html": "render",
            "move_conditions": "is_disabled varying_conditions",
            "newest": "Newest",
            "options": "choices option_values",
            "core_statements": "flag_new",
            "part_plies": "most_plies plies_so_far",
            "successor_list": (
                "CHANCE DRAWING  MOVE Successor TOGETHER drawings each_successor is_half kind_of "
                "move_of numbered_drawing seat_of successors"
            ),
            "verdict": "Evidence Status Verdict exit_code",
        },
    )
