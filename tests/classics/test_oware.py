"""Oware against OpenSpiel's numbers of sequences."""

from __future__ import annotations

import pytest

from tests.classics.soundness import is_sound, numbers, plays_end

BY_PLY = [6, 36, 190, 1014, 5219, 27332]  # OpenSpiel, oware


def test_sound() -> None:
    is_sound("oware")


def test_sequences() -> None:
    assert numbers("oware", 6) == BY_PLY


@pytest.mark.parametrize("houses, seeds", [(6, 4), (2, 1), (2, 9), (9, 1)])
def test_plays_end(houses: int, seeds: int) -> None:
    plays_end("oware", 10, 5000, houses=houses, seeds_each=seeds)


def test_grand_slams() -> None:
    plays_end("oware", 10, 5000, grand_slam="capture")


def test_all_outcomes() -> None:
    assert plays_end("oware", 30, 2000) == {"south", "north", "nobody"}


@pytest.mark.slow
def test_many_plays() -> None:
    plays_end("oware", 200, 2000)
