"""The values of variables and of Core expressions at a stop."""

from __future__ import annotations

from collections.abc import Mapping

from gamedsl.engine.state import State
from gamedsl.engine.values import Value
from gamedsl.language.core import nodes as n


def codes_of(stop: State, var: n.Var) -> list[Value]:
    """The values of a variable as codes of the Core, one per slot."""
    offsets = stop.game.code.offsets
    return list(stop.slots[offsets[var.index] : offsets[var.index + 1]])


def evaluate_at(stop: State, e: n.Expr, locals: Mapping[int, int] | None = None) -> int:
    """The value of a Core expression at a stop, with these values for its free locals (by id).

    In a seat's view, hidden values are unknown; raises ``NotKnown`` if the result depends on them."""
    function, order = stop.game.function_of(e)
    known = locals or {}
    return int(function(stop.visible_slots, *(known[i] for i in order)))
