"""Reversi against the known numbers of sequences, passes counted as plies."""

from __future__ import annotations

import pytest

import gamedsl
from tests.games.classics.native import native_perft
from tests.games.classics.solving import solved
from tests.games.classics.soundness import load, numbers, plays_end

SEQUENCES = [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288]


def test_sequences() -> None:
    assert numbers("reversi", 6) == SEQUENCES[:6]


@pytest.mark.parametrize("depth", [7, 8, 9])
def test_more_sequences(depth: int) -> None:
    assert native_perft(load("reversi").initial_state(), depth) == SEQUENCES[depth - 1]


def test_four_by_four_is_for_the_second_player() -> None:
    """White is eight discs ahead, on a board that is not filled."""
    assert solved(gamedsl.load("reversi", size=2).initial_state(), "score") == -8


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_plays_end(size: int) -> None:
    plays_end("reversi", 10, 120, size=size)


def test_all_outcomes() -> None:
    assert plays_end("reversi", 60, 20, size=2) == {"black", "white", "nobody"}
