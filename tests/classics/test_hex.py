"""Hex against OpenSpiel's numbers of sequences, and what Nash proved: the first player wins, and nobody draws."""

from __future__ import annotations

import pytest

import gamedsl
from tests.classics.solving import value
from tests.classics.soundness import is_sound, numbers, plays_end


@pytest.mark.parametrize("name", ["hex", "hex-swap"])
def test_sound(name: str) -> None:
    is_sound(name)


def test_sequences() -> None:
    assert numbers("hex", 2) == [121, 14520]


@pytest.mark.slow
def test_more_sequences() -> None:
    assert numbers("hex", 3) == [121, 14520, 1727880]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_first_player_wins(n: int) -> None:
    assert value(gamedsl.load("hex", n=n).initial_state()) == 1


@pytest.mark.parametrize("n", [2, 3])
def test_with_the_swap_the_second_player_wins(n: int) -> None:
    assert value(gamedsl.load("hex-swap", n=n).initial_state()) == -1


@pytest.mark.parametrize("options", [{}, {"n": 4}, {"n": 19}, {"n": 5, "swap": True}])
def test_nobody_draws(options: dict[str, int | bool]) -> None:
    assert plays_end("hex", 10, 362, **options) <= {"red", "blue"}


@pytest.mark.slow
def test_many_plays() -> None:
    assert plays_end("hex", 200, 121) == {"red", "blue"}
