"""The reference engine: Core → games, states, moves, reasons, records. What it computes is what the rules mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.source.lazy import offered

if TYPE_CHECKING:
    from gamedsl.engine.errors import RulesError
    from gamedsl.engine.game import Game
    from gamedsl.engine.information.announcements import Told, told_plies
    from gamedsl.engine.information.seat_view import seen_by
    from gamedsl.engine.moves import Move, Refusal
    from gamedsl.engine.records.record import Record
    from gamedsl.engine.state import State

__all__ = ["Game", "Move", "Record", "Refusal", "RulesError", "State", "Told", "seen_by", "told_plies"]


__getattr__, __dir__ = offered(
    __name__,
    {
        "Game": "gamedsl.engine.game",
        "Move": "gamedsl.engine.moves",
        "Record": "gamedsl.engine.records.record",
        "Refusal": "gamedsl.engine.moves",
        "RulesError": "gamedsl.engine.errors",
        "State": "gamedsl.engine.state",
        "Told": "gamedsl.engine.information.announcements",
        "seen_by": "gamedsl.engine.information.seat_view",
        "told_plies": "gamedsl.engine.information.announcements",
    },
)
