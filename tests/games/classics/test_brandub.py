"""Brandub against the numbers of sequences of an independent program, and that plays end for either side."""

from __future__ import annotations

from tests.games.classics.native import native_perft
from tests.games.classics.soundness import load, numbers, plays_end

SEQUENCES = [40, 960, 39_512]


def test_sequences() -> None:
    assert numbers("brandub", 2) == SEQUENCES[:2]
    assert native_perft(load("brandub").initial_state(), 3) == SEQUENCES[2]


def test_plays_end() -> None:
    assert {"attackers", "defenders"} <= plays_end("brandub", 10, 5000)
