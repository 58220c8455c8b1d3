"""Kalah against OpenSpiel's numbers of sequences and the published values of small boards."""

from __future__ import annotations

import pytest

import gamedsl
from tests.games.classics.native import native_perft
from tests.games.classics.solving import solved, value
from tests.games.classics.soundness import load, numbers, plays_end

BY_PLY = [6, 35, 185, 942, 4690, 23233]  # OpenSpiel, mancala

# Irving, Donkers and Uiterwijk (2000), table 1: by houses, for 1, 2 ... seeds, what the first player can reach
VALUES = {1: "DLWLWD", 2: "WLLLWW", 3: "DWWWW", 4: "WW"}
BOARDS = [(houses, seeds, "LDW".index(v) - 1) for houses, row in VALUES.items() for seeds, v in enumerate(row, 1)]
SMALL = 8  # seeds in all


@pytest.mark.parametrize(("houses", "seeds", "wanted"), [b for b in BOARDS if 2 * b[0] * b[1] <= SMALL])
def test_small_boards(houses: int, seeds: int, wanted: int) -> None:
    assert value(gamedsl.load("kalah", houses=houses, seeds_each=seeds).initial_state()) == wanted


@pytest.mark.slow
@pytest.mark.parametrize(("houses", "seeds", "wanted"), [b for b in BOARDS if 2 * b[0] * b[1] > SMALL])
def test_larger_boards(houses: int, seeds: int, wanted: int) -> None:
    assert solved(gamedsl.load("kalah", houses=houses, seeds_each=seeds).initial_state(), limit=2_000_000) == wanted


def test_sequences() -> None:
    assert numbers("kalah", 4) == BY_PLY[:4]


@pytest.mark.parametrize("depth", [5, 6])
def test_more_sequences(depth: int) -> None:
    assert native_perft(load("kalah").initial_state(), depth) == BY_PLY[depth - 1]


@pytest.mark.parametrize("houses, seeds", [(6, 4), (1, 1), (2, 9), (6, 6), (9, 9)])
def test_plays_end(houses: int, seeds: int) -> None:
    plays_end("kalah", 20, 5000, houses=houses, seeds_each=seeds)


def test_all_outcomes() -> None:
    assert plays_end("kalah", 60, 1000) == {"south", "north", "nobody"}
