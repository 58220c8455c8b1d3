"""Connect four against OEIS A212693 (positions by ply) and Tromp's table of small boards."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.lab.solve.solver import solve
from tests.games.classics.native import native_positions
from tests.games.classics.solving import positions_by_ply, solved
from tests.games.classics.soundness import numbers, plays_end

POSITIONS = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186]


def test_positions() -> None:
    assert positions_by_ply(gamedsl.load("connect-four").initial_state(), 5) == POSITIONS[:6]


@pytest.mark.slow
def test_more_positions() -> None:
    assert native_positions(gamedsl.load("connect-four").initial_state(), 9) == POSITIONS


def test_sequences() -> None:
    # nobody can have four before ply 7, and no column is full before ply 6
    assert numbers("connect-four", 6) == [7**n for n in range(1, 7)]


@pytest.mark.slow
@pytest.mark.parametrize("rows, columns, positions", [(5, 4, 1_706_255), (4, 5, 3_945_711)])
def test_larger_boards_are_draws(rows: int, columns: int, positions: int) -> None:
    """Tromp's values, and his numbers of positions."""
    start = gamedsl.load("connect-four", rows=rows, columns=columns).initial_state()
    found = solve(start, method="graph", limit=4_000_000)
    assert (found.complete, found.value, found.positions) == (True, 0, positions)


def test_four_by_four_is_a_draw() -> None:
    assert solved(gamedsl.load("connect-four", rows=4, columns=4).initial_state()) == 0


@pytest.mark.parametrize("options", [{}, {"rows": 4, "columns": 5, "k": 3}, {"rows": 12, "columns": 12}])
def test_plays_end(options: dict[str, int]) -> None:
    plays_end("connect-four", 20, 144, **options)
