"""The past of a state: the moves that led to it. The states in between are kept only for a while, and made again when
asked for (``play/history.py``), so that a long game needs memory only for its moves."""

from __future__ import annotations

from gamedsl.engine.moves import Move
from gamedsl.engine.saved_past import SavedPast
from gamedsl.engine.state import State

KEPT = 32  # at least this many, and fewer than twice as many, of the states before a state are kept


def link(after: State, before: State, made: Move | int) -> None:
    """Notes the move that led from one state to the next."""
    past = before.past
    after.previous = before
    if past is None:
        after.past = (before, made, 1)
        return
    count = len(past.moves) + 1 if isinstance(past, SavedPast) else past[2] + 1
    after.past = (past, made, count)
    if not count % KEPT:
        _forget(before)


def _forget(state: State) -> None:
    """Releases the states that are more than ``KEPT`` plies before a state."""
    for _ in range(KEPT):
        if state.previous is None:
            return
        state = state.previous
    state.previous = None
