"""Dots and boxes against the known values of the smallest boards."""

from __future__ import annotations

import pytest

from gamedsl import State
from gamedsl.engine.stop import codes_of
from tests.games.classics import solving
from tests.games.classics.soundness import after, load, numbers, plays_end


def margin(state: State, known: dict[int, int]) -> int:
    """By how many boxes the player to move gets more than the rival of those not taken yet, both playing their best.

    What was taken before makes no difference to that, so the lines drawn are the key.
    """
    if state.is_terminal:
        return 0
    key = lines(state)
    if key not in known:
        known[key] = max(gain(state, state.apply(m), known) for m in state.legal_moves())
    return known[key]


def gain(before: State, now: State, known: dict[int, int]) -> int:
    me = before.current_player
    won = taken(now)[me] - taken(before)[me]
    rest = margin(now, known)
    return won + rest if won else won - rest


def lines(state: State) -> int:
    var = next(v for v in state.game.program.variables if v.name == "line")
    return codes_of(state, var)[0]


def taken(state: State) -> list[int]:
    var = next(v for v in state.game.program.variables if v.name == "box")
    return [s.bit_count() for s in codes_of(state, var)]


def solved(rows: int, columns: int) -> int:
    return margin(load("dots-and-boxes", rows=rows, columns=columns).initial_state(), {})


@pytest.mark.parametrize("rows, columns, lines", [(1, 1, 4), (2, 2, 12), (3, 3, 24)])
def test_as_many_orders_as_lines_allow(rows: int, columns: int, lines: int) -> None:
    expected = [lines, lines * (lines - 1), lines * (lines - 1) * (lines - 2)]
    assert numbers("dots-and-boxes", 3, rows=rows, columns=columns) == expected


@pytest.mark.parametrize("rows, columns, boxes", [(1, 1, -1), (1, 2, 0), (2, 1, 0)])
def test_small_boards(rows: int, columns: int, boxes: int) -> None:
    """By how many boxes the first player is ahead."""
    assert solved(rows, columns) == boxes


@pytest.mark.slow
def test_the_first_player_is_two_boxes_ahead_two_by_two() -> None:
    assert solving.solved(load("dots-and-boxes", rows=2, columns=2).initial_state(), "score") == 2


@pytest.mark.slow
def test_the_first_player_wins_two_by_two() -> None:
    """Berlekamp, Conway and Guy, 'Winning Ways', chapter 16."""
    assert solved(2, 2) > 0


@pytest.mark.slow
def test_an_inner_line_first_only_draws_two_by_two() -> None:
    """The second player answers by the symmetry of half a turn."""
    assert margin(after("dots-and-boxes", "b1/b2", rows=2, columns=2), {}) == 0


@pytest.mark.parametrize("rows, columns", [(1, 1), (1, 4), (3, 3), (2, 9)])
def test_plays_end(rows: int, columns: int) -> None:
    plays_end("dots-and-boxes", 3, 2 * (rows + 1) * (columns + 1), rows=rows, columns=columns)
