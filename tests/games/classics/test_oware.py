"""Oware against OpenSpiel's numbers of sequences."""

from __future__ import annotations

import pytest

from tests.games.classics.native import native_perft
from tests.games.classics.soundness import load, numbers, plays_end

BY_PLY = [6, 36, 190, 1014, 5219, 27332]  # OpenSpiel, oware


def test_sequences() -> None:
    assert numbers("oware", 4) == BY_PLY[:4]


@pytest.mark.parametrize("depth", [5, 6])
def test_more_sequences(depth: int) -> None:
    assert native_perft(load("oware").initial_state(), depth) == BY_PLY[depth - 1]


@pytest.mark.parametrize("houses, seeds", [(6, 4), (2, 1), (2, 9), (9, 1)])
def test_plays_end(houses: int, seeds: int) -> None:
    plays_end("oware", 10, 5000, houses=houses, seeds_each=seeds)


def test_grand_slams() -> None:
    plays_end("oware", 10, 5000, grand_slam="capture")


def test_all_outcomes() -> None:
    assert plays_end("oware", 30, 2000) == {"south", "north", "nobody"}
