"""The player to move: read from a state, and set in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.core.nodes import Choose, Decide, DecideDrawing, ElemT, Get, Var

if TYPE_CHECKING:
    from gamedsl.engine.state import State


def acting_names(state: State) -> list[str]:
    """The names of the seats to act; ``chance`` where chance acts, ``end`` when the play is over."""
    match state.kind:
        case "chance":
            return ["chance"]
        case "end":
            return ["end"]
        case _:
            return [state.game.players[p] for p in state.to_act]


def mover_variable(state: State) -> Var | None:
    """The variable that determines who is to move at this stop; None if it is always the same player, or if several
    variables do."""
    match state.terminator:
        case Decide(mover=Get(var=var)) | Choose(mover=Get(var=var)) | DecideDrawing(mover=Get(var=var)):
            return var if not var.keys and isinstance(var.type, ElemT) and var.role == "temp" else None
        case _:
            return None


def movers_for(state: State, seat: int) -> list[int]:
    """The values of ``mover_variable`` with which this seat is to move."""
    var = mover_variable(state)
    if var is None or not isinstance(var.type, ElemT):
        return []
    query = state.game.code.blocks[state.block].queries["seat"]
    found = []
    for value in range(var.type.domain.size):
        slots = list(state.slots)
        slots[state.game.code.offsets[var.index]] = value
        if query(tuple(slots)) == seat:
            found.append(value)
    return found


def mover_is_told(state: State) -> bool:
    """Does the player to move determine the value of the variable?"""
    return len(movers_for(state, state.to_act[0])) == 1
