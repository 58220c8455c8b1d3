"""The player to move: read from a state, and set in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.engine.positions.places import mover_at
from gamedsl.engine.stop import codes_of, evaluate_at
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from gamedsl.engine.state import State


def acting_names(state: State) -> list[str]:
    """The names of the seats to act; ``chance`` where chance acts, ``end`` when the game is over."""
    match state.kind:
        case "chance":
            return ["chance"]
        case "end":
            return ["end"]
        case _:
            return [state.game.players[p] for p in state.to_act]


def mover_variable(state: State) -> n.Var | None:
    """The variable that alone determines whose turn it is at this stop, if there is one."""
    return mover_at(state.game.program, state.block)


def seat_of(state: State, var: n.Var) -> int:
    """The seat of the player that a variable holds."""
    return _seats(state)[int(codes_of(state, var)[0])]


def movers_for(state: State, seat: int) -> list[int]:
    """The values of ``mover_variable`` for which it is this seat's turn; empty if there is no such variable."""
    return [] if mover_variable(state) is None else [i for i, s in enumerate(_seats(state)) if s == seat]


def _seats(state: State) -> list[int]:
    """The seat of every player of the current part."""
    return [evaluate_at(state, e) for e in state.game.program.parts[state.part].seats]


def mover_is_told(state: State) -> bool:
    """Whether the seat to move determines the value of ``mover_variable``."""
    var = mover_variable(state)
    return var is not None and len(movers_for(state, seat_of(state, var))) == 1
