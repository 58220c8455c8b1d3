"""Clobber against the known number of sequences of three plies on five by six squares."""

from __future__ import annotations

import pytest

from tests.games.classics.soundness import numbers, plays_end


def test_sequences() -> None:
    counts = numbers("clobber", 3)
    assert counts[0] == 49  # the pairs of neighbouring squares: 5 * 5 + 4 * 6
    assert counts[2] == 80063


@pytest.mark.parametrize("options", [{}, {"rows": 1, "columns": 2}, {"rows": 10, "columns": 10}])
def test_plays_end(options: dict[str, int]) -> None:
    assert plays_end("clobber", 10, 99, **options) <= {"white", "black"}
