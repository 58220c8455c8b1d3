"""The m,n,k-game against the known numbers of tic-tac-toe and the known values of small boards."""

from __future__ import annotations

import pytest

import gamedsl
from tests.games.classics.native import native_perft
from tests.games.classics.solving import plays, positions_by_ply, solved
from tests.games.classics.soundness import load, numbers, plays_end

SEQUENCES = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]


@pytest.mark.parametrize("name", ["m-n-k", "misere-tic-tac-toe"])
def test_sequences(name: str) -> None:
    assert numbers(name, 6) == SEQUENCES[:6]


@pytest.mark.parametrize("depth", range(1, 10))
def test_all_sequences(depth: int) -> None:
    assert native_perft(load("m-n-k").initial_state(), depth) == SEQUENCES[depth - 1]


def test_positions_and_plays() -> None:
    start = gamedsl.load("m-n-k").initial_state()
    assert sum(positions_by_ply(start, 9)) == 5478
    assert plays(start, {}) == 255168


# columns, rows, length: 1 where the first player wins, 0 for a draw (van den Herik and others, 2002, and before)
VALUES = [
    (3, 3, 3, 0),
    (2, 2, 2, 1),
    (3, 2, 2, 1),
    (4, 3, 3, 1),
    (3, 4, 3, 1),
    (3, 3, 1, 1),
    (5, 1, 3, 0),
    (4, 3, 4, 0),
]


@pytest.mark.parametrize(("m", "n", "k", "wanted"), VALUES)
def test_values(m: int, n: int, k: int, wanted: int) -> None:
    assert solved(gamedsl.load("m-n-k", m=m, n=n, k=k).initial_state()) == wanted


@pytest.mark.slow
def test_four_by_four() -> None:
    assert solved(gamedsl.load("m-n-k", m=4, n=4, k=3).initial_state(), limit=7_000_000) == 1
    assert solved(gamedsl.load("m-n-k", m=4, n=4, k=3, misere=True).initial_state(), limit=7_000_000) == -1


def test_misere_four_by_three_is_for_the_second_player() -> None:
    assert solved(gamedsl.load("m-n-k", m=4, n=3, k=3, misere=True).initial_state()) == -1


def test_misere_tic_tac_toe_is_a_draw() -> None:
    assert solved(gamedsl.load("misere-tic-tac-toe").initial_state()) == 0


@pytest.mark.parametrize("options", [{}, {"m": 5, "n": 4, "k": 4}, {"m": 19, "n": 2, "k": 2}, {"misere": True}])
def test_plays_end(options: dict[str, int | bool]) -> None:
    plays_end("m-n-k", 20, 81, **options)


def test_all_outcomes() -> None:
    assert plays_end("m-n-k", 60, 9) == {"X", "O", "nobody"}
