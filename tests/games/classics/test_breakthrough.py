"""Breakthrough against the known numbers of sequences, and the board of six by six."""

from __future__ import annotations

import pytest

from tests.games.classics.native import native_perft
from tests.games.classics.soundness import load, numbers, plays_end

SEQUENCES = [22, 484, 11132, 256036, 6182818]


def test_sequences() -> None:
    assert numbers("breakthrough", 3) == SEQUENCES[:3]


@pytest.mark.parametrize("depth", [4, 5])
def test_more_sequences(depth: int) -> None:
    assert native_perft(load("breakthrough").initial_state(), depth) == SEQUENCES[depth - 1]


def test_six_by_six() -> None:
    assert numbers("breakthrough-6x6", 2) == [16, 256]  # no man can meet another yet


@pytest.mark.parametrize("options", [{}, {"rows": 5, "columns": 2}, {"rows": 6, "columns": 16}])
def test_plays_end(options: dict[str, int]) -> None:
    assert plays_end("breakthrough", 10, 2000, **options) <= {"white", "black"}
