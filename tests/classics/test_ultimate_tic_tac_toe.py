"""Ultimate tic-tac-toe against OpenSpiel's numbers (where the very first choice of a small board is a ply of its own)."""

from __future__ import annotations

import pytest

from tests.classics.soundness import is_sound, numbers, plays_end

SEQUENCES = [81, 720, 6336, 55080, 473256]


def test_sound() -> None:
    is_sound("ultimate-tic-tac-toe")


def test_sequences() -> None:
    assert numbers("ultimate-tic-tac-toe", 3) == SEQUENCES[:3]


@pytest.mark.slow
def test_more_sequences() -> None:
    assert numbers("ultimate-tic-tac-toe", 5) == SEQUENCES


def test_plays_end() -> None:
    assert plays_end("ultimate-tic-tac-toe", 40, 81) == {"X", "O", "nobody"}


@pytest.mark.slow
def test_many_plays() -> None:
    plays_end("ultimate-tic-tac-toe", 200, 81)
