"""Hypothesis strategies for the positions and plays of a game.

A play is generated as a list of numbers, each an index into the actions (modulo their number). Surplus numbers do
nothing, so plays shrink to shorter ones and to the first moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from gamedsl.engine import Game, Move, State

LARGEST = 2**16 - 1  # largest number that selects an action


@dataclass(frozen=True)
class Play:
    """A play from a first position: one more position than moves. It need not have reached its end."""

    states: tuple[State, ...]
    moves: tuple[Move, ...]

    @property
    def last(self) -> State:
        """The last position."""
        return self.states[-1]

    def __repr__(self) -> str:
        return f"Play({'; '.join(map(str, self.moves)) or 'no moves'})"


def way_on(state: State, number: int) -> Move | None:
    """Returns the action with this number, modulo how many there are; None at the end of a play.

    Actions are moves, values, chance outcomes of positive weight (without regard to the weight), and choices of
    the first player who has not chosen; where drawings are made, one generated from this number.
    """
    if state.is_terminal:
        return None
    if state.kind == "drawing":
        return state.propose(Random(number))
    moves = [m for m, _ in state.chance_outcomes()] if state.kind == "chance" else state.legal_moves()
    return moves[number % len(moves)]


def go_on(state: State, number: int) -> State:
    """Returns the position after the action with this number; the same position at the end of a play."""
    move = way_on(state, number)
    return state if move is None else state.apply(move)


def played(start: State, numbers: list[int]) -> Play:
    """Returns the play that these numbers encode."""
    found, moves = [start], []
    for number in numbers:
        move = way_on(found[-1], number)
        if move is None:
            break
        moves.append(move)
        found.append(found[-1].apply(move))
    return Play(tuple(found), tuple(moves))


def plays(game: Game, max_plies: int = 60, start: State | None = None) -> st.SearchStrategy[Play]:
    """Generates plays of up to ``max_plies`` plies, from ``start`` or the first position. A rules error in a play is
    raised.
    """
    first = start if start is not None else game.initial_state()
    return st.lists(st.integers(0, LARGEST), max_size=max_plies).map(lambda numbers: played(first, numbers))


def states(game: Game, max_plies: int = 60, start: State | None = None) -> st.SearchStrategy[State]:
    """Generates positions reachable within ``max_plies`` plies."""
    return plays(game, max_plies, start).map(lambda play: play.last)
