"""Havannah: counts of the first plies, plays to the end."""

from __future__ import annotations

import pytest

from tests.games.classics.soundness import numbers, plays_end


def test_sequences() -> None:
    assert numbers("havannah", 2) == [169, 169 * 168]


@pytest.mark.parametrize("n", [3, 4, 8, 10])
def test_plays_end(n: int) -> None:
    plays_end("havannah", 10, 271, n=n)
