"""Hex against OpenSpiel's numbers of sequences, and what Nash proved: the first player wins, and nobody draws."""

from __future__ import annotations

import pytest

import gamedsl
from tests.games.classics.native import native_perft
from tests.games.classics.solving import solved, value
from tests.games.classics.soundness import load, numbers, plays_end


def test_sequences() -> None:
    assert numbers("hex", 2) == [121, 14520]


def test_more_sequences() -> None:
    assert native_perft(load("hex").initial_state(), 3) == 1727880


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_first_player_wins(n: int) -> None:
    assert value(gamedsl.load("hex", n=n).initial_state()) == 1


@pytest.mark.slow
def test_the_first_player_wins_four_by_four() -> None:
    assert solved(gamedsl.load("hex", n=4).initial_state(), limit=10_000_000) == 1


@pytest.mark.parametrize("n", [2, 3])
def test_with_the_swap_the_second_player_wins(n: int) -> None:
    assert value(gamedsl.load("hex-swap", n=n).initial_state()) == -1


@pytest.mark.parametrize("options", [{}, {"n": 4}, {"n": 19}, {"n": 5, "swap": True}])
def test_nobody_draws(options: dict[str, int | bool]) -> None:
    assert plays_end("hex", 10, 362, **options) <= {"red", "blue"}
