"""Ultimate tic-tac-toe against OpenSpiel's numbers (where the very first choice of a small board is a ply of its own)."""

from __future__ import annotations

import pytest

from tests.games.classics.native import native_perft
from tests.games.classics.soundness import load, numbers, plays_end

SEQUENCES = [81, 720, 6336, 55080, 473256]


def test_sequences() -> None:
    assert numbers("ultimate-tic-tac-toe", 3) == SEQUENCES[:3]


@pytest.mark.parametrize("depth", [4, 5])
def test_more_sequences(depth: int) -> None:
    assert native_perft(load("ultimate-tic-tac-toe").initial_state(), depth) == SEQUENCES[depth - 1]


def test_plays_end() -> None:
    assert plays_end("ultimate-tic-tac-toe", 40, 81) == {"X", "O", "nobody"}
