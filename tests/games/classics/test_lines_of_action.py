"""Lines of action against the known numbers of sequences (OpenSpiel counts the same), and ties."""

from __future__ import annotations

from tests.games.classics.native import native_perft
from tests.games.classics.soundness import load, numbers, plays_end

SEQUENCES = [36, 1244, 44_952]


def test_sequences() -> None:
    assert numbers("lines-of-action", 2) == SEQUENCES[:2]
    assert native_perft(load("lines-of-action").initial_state(), 3) == SEQUENCES[2]


def test_plays_end() -> None:
    assert {"black", "white"} <= plays_end("lines-of-action", 4, 1001)
