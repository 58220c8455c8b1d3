"""Sim: the known numbers of sequences, no draws, and that the second player wins (Mead, Rosa and Huang 1974)."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.lab.solve.solver import solve
from tests.games.classics.native import native_perft
from tests.games.classics.soundness import load, numbers, plays_end


def test_sequences() -> None:
    assert numbers("sim", 3) == [15, 210, 2730]


@pytest.mark.slow
def test_longer_sequences() -> None:
    """Nobody can lose before the fifth line: 15 * 14 * 13 * 12 * 11 sequences."""
    assert native_perft(load("sim").initial_state(), 5) == 360_360


def test_nobody_draws() -> None:
    """Among six points there is always a triangle of one colour."""
    assert plays_end("sim", 30, 15) == {"red", "blue"}


@pytest.mark.slow
def test_the_second_player_wins() -> None:
    found = solve(gamedsl.load("sim").initial_state(), limit=20_000_000, seconds=600)
    assert found.complete and found.value == -1
