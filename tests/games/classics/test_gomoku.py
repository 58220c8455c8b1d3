"""Gomoku: counts of the first plies, plays to the end, and the two kinds of five."""

from __future__ import annotations

import pytest

from tests.games.classics.soundness import after, numbers, plays_end


def test_sequences() -> None:
    assert numbers("gomoku", 2) == [225, 225 * 224]


FIRST_SIX = ["a1", "a15", "b1", "b15", "c1", "c15", "d1", "e15", "f1", "f15", "e1"]


@pytest.mark.parametrize(("overline", "over"), [("wins", True), ("nothing", False)])
def test_six_in_a_row(overline: str, over: bool) -> None:
    assert after("gomoku", *FIRST_SIX, overline=overline).is_terminal is over


@pytest.mark.parametrize("options", [{}, {"size": 6}, {"size": 9, "overline": "nothing"}])
def test_plays_end(options: dict[str, int | str]) -> None:
    plays_end("gomoku", 5, 225, **options)
