"""The history of a state: the plies that led to it, and the states between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gamedsl.engine.errors import play_error
from gamedsl.engine.moves import Move
from gamedsl.engine.state import State

if TYPE_CHECKING:
    from gamedsl.engine.game import Game


@dataclass(frozen=True)
class SavedPast:
    """A history that was pickled: the first state as ``State.serialize`` writes it, and the moves."""

    start: str
    moves: tuple[Move, ...]


def history(state: State) -> tuple[Move, ...]:
    """The moves, values and outcomes that led here, in order."""
    found: list[Move] = []
    while isinstance(state.before, tuple):
        state, made = state.before
        found.append(made if isinstance(made, Move) else state.game.move(made, state))
    first = state.before.moves if isinstance(state.before, SavedPast) else ()
    return (*first, *reversed(found))


def first_state(state: State) -> State:
    """The state at which the history begins."""
    return steps(state)[0][0]


def steps(state: State) -> list[tuple[State, Move | None]]:
    """The states of the history, each with the move that led to it (None for the first).

    Raises ``GameDSLError`` (E0520) if a pickled history does not lead here."""
    found: list[tuple[State, Move | None]] = []
    while True:
        if isinstance(state.before, SavedPast):
            state.before = _replayed(state, state.before)
        if state.before is None:
            return [(state, None), *reversed(found)]
        earlier, made = state.before
        found.append((state, made if isinstance(made, Move) else earlier.game.move(made, earlier)))
        state = earlier


def _replayed(state: State, past: SavedPast) -> tuple[State, Move | int] | None:
    """What ``state.before`` is once a pickled history has been played again."""
    last = state.game.deserialize(past.start)
    for move in past.moves:
        last = last.apply(move)
    if last != state or not isinstance(last.before, tuple | None):
        raise play_error("E0520", "this pickled state can't be read: its history does not lead to it")
    return last.before


def saved_past(state: State) -> SavedPast | None:
    """The history of a state as it is pickled; None if there is none."""
    if state.before is None:
        return None
    start = state
    while isinstance(start.before, tuple):
        start = start.before[0]
    text = start.before.start if isinstance(start.before, SavedPast) else start.serialize()
    return SavedPast(text, history(state))


def unpickled(game: Game, saved: str, entered: frozenset[int], past: SavedPast | None = None) -> State:
    """An unpickled state; like a save, it is refused if it is damaged or belongs to other rules."""
    state = game.deserialize(saved)
    if state.entered != entered:
        state = State(game, state.block, state.slots, state.pending, entered)
    state.before = past
    return state
