"""The history of a state: the plies that led to it, and the states in between."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from gamedsl.engine.beginning import copy_beginning, remembered_beginning
from gamedsl.engine.errors import play_error
from gamedsl.engine.moves import Move
from gamedsl.engine.saved_past import Beginning, SavedPast
from gamedsl.engine.state import Past, State

if TYPE_CHECKING:
    from gamedsl.engine.state import Game


def history(state: State) -> tuple[Move, ...]:
    """The moves, values and outcomes that led here, in order."""
    start, made = _unlinked(state)
    first = start.moves if isinstance(start, SavedPast) else ()
    if all(isinstance(m, Move) for m in made):
        return (*first, *cast("list[Move]", made))
    return tuple(move for _, move in steps(state) if move is not None)


def first_state(state: State) -> State:
    """The state at which the history begins."""
    start, _ = _unlinked(state)
    return steps(state)[0][0] if isinstance(start, SavedPast) else start


def beginning_of(state: State) -> Beginning:
    """What is known of the plies before the history of a state."""
    start, _ = _unlinked(state)
    return start.beginning if isinstance(start, SavedPast) else remembered_beginning(start)


def steps(state: State) -> list[tuple[State, Move | None]]:
    """The states of the history, each with the move that led to it (None for the first). States that were not kept are
    made again.

    Raises ``GameDSLError`` (E0520) if a pickled history does not lead here."""
    found: list[tuple[State, Move | None]] = []
    while state.previous is not None:
        found.append((state, last_move(state)))
        state = state.previous
    return [*_replayed(state), *reversed(found)]


def last_move(state: State) -> Move:
    """The move that led from the previous state, which must still be kept, to this one."""
    assert isinstance(state.past, tuple) and state.previous is not None
    made = state.past[1]
    return made if isinstance(made, Move) else state.game.move(made, state.previous)


def action_history(state: State) -> tuple[int, ...]:
    """The numbers of the moves, values and outcomes that led here, in order."""
    start, made = _unlinked(state)
    first = start.moves if isinstance(start, SavedPast) else ()
    return tuple(state.game.action(m) if isinstance(m, Move) else m for m in (*first, *made))


def _unlinked(state: State) -> tuple[State | SavedPast, list[Move | int]]:
    """The beginning of the history, and everything made since, as moves or numbers of actions."""
    made: list[Move | int] = []
    at: Past | State = state if state.past is None else state.past
    while isinstance(at, tuple):
        made.append(at[1])
        at = at[0]
    return at, made[::-1]


def _replayed(state: State) -> list[tuple[State, Move | None]]:
    """The same as ``steps``, by playing the game again."""
    start, made = _unlinked(state)
    last = state.game.deserialize(start.start) if isinstance(start, SavedPast) else start
    found: list[tuple[State, Move | None]] = [(last, None)]
    for one in (*(start.moves if isinstance(start, SavedPast) else ()), *made):
        move = one if isinstance(one, Move) else last.game.move(one, last)
        last = last.apply(move)
        found.append((last, move))
    if last != state:
        raise play_error("E0520", "this pickled state cannot be read: its history does not lead to it")
    return [*found[:-1], (state, found[-1][1])]


def saved_past(state: State) -> SavedPast | None:
    """The history of a state in its pickled form; None if there is none."""
    if state.past is None:
        return None
    start, _ = _unlinked(state)
    first = start.start if isinstance(start, SavedPast) else start.serialize()
    return SavedPast(first, history(state), beginning_of(state))


def unpickled(game: Game, saved: str, entered: frozenset[int], past: SavedPast | None = None) -> State:
    """An unpickled state. Raises ``GameDSLError``, as for a save, if it is damaged or belongs to other rules."""
    state = game.deserialize(saved)
    if state.entered != entered:
        state = copy_beginning(state, game.make_state(state.block, state.slots, state.pending, entered))
    state.past = past
    return state
