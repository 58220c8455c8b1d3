"""Kalah against OpenSpiel's numbers of sequences."""

from __future__ import annotations

import pytest

from tests.classics.soundness import is_sound, numbers, plays_end

BY_PLY = [6, 35, 185, 942, 4690, 23233]  # OpenSpiel, mancala


def test_sound() -> None:
    is_sound("kalah")


def test_sequences() -> None:
    assert numbers("kalah", 6) == BY_PLY


@pytest.mark.parametrize("houses, seeds", [(6, 4), (1, 1), (2, 9), (6, 6), (9, 9)])
def test_plays_end(houses: int, seeds: int) -> None:
    plays_end("kalah", 20, 5000, houses=houses, seeds_each=seeds)


def test_all_outcomes() -> None:
    assert plays_end("kalah", 60, 1000) == {"south", "north", "nobody"}


@pytest.mark.slow
def test_many_plays() -> None:
    plays_end("kalah", 200, 1000)
