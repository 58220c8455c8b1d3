"""Reversi against the known numbers of sequences, passes counted as plies."""

from __future__ import annotations

import pytest

import gamedsl
from tests.classics.solving import value
from tests.classics.soundness import is_sound, numbers, plays_end

SEQUENCES = [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288]


def test_sound() -> None:
    is_sound("reversi")


def test_sequences() -> None:
    assert numbers("reversi", 6) == SEQUENCES[:6]


@pytest.mark.slow
def test_more_sequences() -> None:
    assert numbers("reversi", 8) == SEQUENCES[:8]


@pytest.mark.slow
def test_four_by_four_is_for_the_second_player() -> None:
    assert value(gamedsl.load("reversi", size=2).initial_state()) == -1


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_plays_end(size: int) -> None:
    plays_end("reversi", 10, 120, size=size)


def test_all_outcomes() -> None:
    assert plays_end("reversi", 60, 20, size=2) == {"black", "white", "nobody"}


@pytest.mark.slow
def test_many_plays() -> None:
    plays_end("reversi", 200, 80)
