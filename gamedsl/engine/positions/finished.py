"""The player whose turn it was when a game ended before that player could decide, as in a mate."""

from __future__ import annotations

from gamedsl.engine.beginning import remembered_beginning
from gamedsl.engine.errors import RulesError
from gamedsl.engine.play.actions import alternative, carry_out, mover_of, tick
from gamedsl.engine.play.advance import MOST_BLOCKS, block_after
from gamedsl.engine.play.history import last_move, steps
from gamedsl.engine.positions.places import Place, places_of
from gamedsl.engine.state import State
from gamedsl.engine.stop import codes_of
from gamedsl.language.core import limits
from gamedsl.language.core import nodes as n


def last_mover(state: State) -> int | None:
    """The player of the part whose turn had begun when the game ended; None if no turn had begun, or it is unclear
    whose.

    A position is written at the beginning of a turn. So a finished one can be written only if the rules lead from there
    to the same end again. If they do so for several players, the last move decides between them.
    """
    places = places_of(state.game)
    place = places.before(places.first_decision)
    found = [mover for mover in _movers(state, place) if _ends_alike(state, place, mover)]
    if len(found) <= 1:
        return found[0] if found else None
    mover = remembered_beginning(state).last_mover
    if mover is None and state.past is not None:
        mover = _mover_after_last_move(state, place)
    return mover if mover in found else None


def _movers(state: State, place: Place) -> list[int]:
    """The players who may be to move at a place."""
    if place.mover is None:
        query = state.game.code.blocks[place.decision].queries.get("mover")
        return [] if query is None else [int(query(state.slots))]
    low, high = limits(place.mover.type)
    return list(range(low, high + 1))


def _ends_alike(state: State, place: Place, mover: int) -> bool:
    """Whether a turn of this player that begins with the state's values ends the game at once, in the same way as it
    ended."""
    slots = list(state.slots)
    if place.mover is not None:
        slots[state.game.code.offsets[place.mover.index]] = mover
    try:
        end = places_of(state.game).run(state.game, place, slots)
    except RulesError:
        return False
    others = (v for v in state.game.program.variables if not isinstance(v.type, n.HistoryT))
    return end.block == state.block and all(codes_of(end, v) == codes_of(state, v) for v in others)


def _mover_after_last_move(state: State, place: Place) -> int | None:
    """The player whose turn began after the last move, found by making that move again."""
    before = state.previous or steps(state)[-2][0]
    move = last_move(state) if state.previous is not None else steps(state)[-1][1]
    chosen = None if move is None else alternative(before, move)
    mover = None if move is None or move.player is None else mover_of(before, move.player)
    if (
        place.mover is None
        or move is None
        or chosen is None
        or mover is None
        or not isinstance(before.terminator, n.Decide)
    ):
        return None
    slots = list(before.slots)
    tick(before, slots)
    carry_out(state.game, slots, chosen[1], mover, move.args)
    found, block = None, chosen[1].target
    for _ in range(MOST_BLOCKS):
        run = state.game.code.blocks[block].run
        if run is not None:
            run(slots)
        if block == place.block:
            found = int(slots[state.game.code.offsets[place.mover.index]])
        further = block_after(state.game, slots, block)
        if further is None:
            break
        block = further
    return found
