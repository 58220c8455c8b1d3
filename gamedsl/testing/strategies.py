"""Hypothesis strategies for the positions and plays of a game.

A play is drawn as a list of numbers, each an index into the ways on (modulo how many there are), and a number too many
does nothing: so plays shrink to shorter ones and to the first moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from gamedsl.engine.game import Game
from gamedsl.engine.moves import Move
from gamedsl.engine.state import State

LARGEST = 2**16 - 1  # of the numbers that ways on are chosen by


@dataclass(frozen=True)
class Play:
    """A play from a first position on: one move less than positions. It need not have come to its end."""

    states: tuple[State, ...]
    moves: tuple[Move, ...]

    @property
    def last(self) -> State:
        """The position at the end."""
        return self.states[-1]

    def __repr__(self) -> str:
        return f"Play({'; '.join(map(str, self.moves)) or 'no moves'})"


def way_on(state: State, number: int) -> Move | None:
    """The way on with this number, modulo how many there are; None at the end of a play.

    A move, a value, an outcome of chance (each that can happen, whatever its weight), a choice of the first who has not
    chosen; of drawings, one made by this number.
    """
    if state.is_terminal:
        return None
    if state.kind == "drawing":
        return state.propose(Random(number))
    moves = [m for m, _ in state.chance_outcomes()] if state.kind == "chance" else state.legal_moves()
    return moves[number % len(moves)]


def go_on(state: State, number: int) -> State:
    """The position after the way on with this number; the same position at the end of a play."""
    move = way_on(state, number)
    return state if move is None else state.apply(move)


def played(start: State, numbers: list[int]) -> Play:
    """The play that these numbers stand for."""
    found, moves = [start], []
    for number in numbers:
        move = way_on(found[-1], number)
        if move is None:
            break
        moves.append(move)
        found.append(found[-1].apply(move))
    return Play(tuple(found), tuple(moves))


def plays(game: Game, max_plies: int = 60, start: State | None = None) -> st.SearchStrategy[Play]:
    """Plays of up to ``max_plies`` plies, from ``start`` or the first position on. A rules error on the way is raised."""
    first = start if start is not None else game.initial_state()
    return st.lists(st.integers(0, LARGEST), max_size=max_plies).map(lambda numbers: played(first, numbers))


def states(game: Game, max_plies: int = 60, start: State | None = None) -> st.SearchStrategy[State]:
    """Positions that can be reached within ``max_plies`` plies."""
    return plays(game, max_plies, start).map(lambda play: play.last)
