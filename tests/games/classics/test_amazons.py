"""Amazons against the known numbers of turns (a turn is two plies: a move and a shot)."""

from __future__ import annotations

import pytest

from gamedsl.engine.perft_counts import perft
from tests.games.classics.native import native_perft
from tests.games.classics.soundness import load, plays_end

BY_TURN = [2176, 4307152]


def test_first_turn() -> None:
    assert perft(load("amazons").initial_state(), 2) == BY_TURN[0]


@pytest.mark.slow
def test_second_turn() -> None:
    assert native_perft(load("amazons").initial_state(), 4) == BY_TURN[1]


def test_plays_end() -> None:
    assert plays_end("amazons", 10, 185) == {"white", "black"}
