"""A state as a seat sees it: hidden values are unknown, and so is everything computed from them.

Everything shown to a seat is computed from this. ``None`` as a seat is a spectator, who knows only what is public.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from gamedsl.engine.errors import RulesError
from gamedsl.engine.information.observation import known_slots
from gamedsl.engine.information.unknown_values import NO_ANSWERS, Answers, NotKnown, SeenSlots, Unknown, unknown
from gamedsl.engine.play.actions import mover_of
from gamedsl.engine.state import State
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from gamedsl.engine.values import Slots


def knows_moves(state: State, seat: int) -> bool:
    """Whether a seat that is to act can compute its moves, mistakes included, from what it sees, so that they reveal
    nothing to it. False does not prove the opposite, because the rules are only run on unknown values."""
    view, code = hidden_from(state, seat, list(state.slots)), state.game.code
    mover, end = mover_of(state, seat), state.terminator
    assert mover is not None, "the seat is to act"
    try:
        match end:
            case n.Decide(alternatives=alternatives) | n.DecideTogether(alternatives=alternatives):
                for alt in alternatives:
                    deque(code.schemas[alt.schema].legal(view, mover, code.blocks[state.block].tick), maxlen=0)
            case n.Choose():
                return not isinstance(code.blocks[state.block].queries["source"](view), Unknown)
    except (NotKnown, RulesError):
        return False
    return True


def hidden_from(state: State, seat: int | None, slots: Slots, answers: Answers = NO_ANSWERS) -> SeenSlots:
    """The values ``slots`` of a position, with unknown values in place of those that the seat may not know."""
    seen = SeenSlots(slots)
    if state.game.secrets.hides:
        offsets = state.game.code.offsets
        for var in state.game.program.variables:
            for slot, known in enumerate(known_slots(state, var, seat, slots), offsets[var.index]):
                if not known:
                    seen[slot] = unknown(var.type, answers)
    return seen
