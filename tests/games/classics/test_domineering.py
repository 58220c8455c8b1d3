"""Domineering against the known winners on small boards (Conway 1976; Breuker, Uiterwijk and van den Herik 2000)."""

from __future__ import annotations

import pytest

import gamedsl
from tests.games.classics.solving import solved, value
from tests.games.classics.soundness import numbers, plays_end


def test_sequences() -> None:
    # a level domino meets two upright ones at most: 56 * 56 pairs, less those that overlap (4 * 49 crossings)
    assert numbers("domineering", 2) == [56, 56 * 56 - 4 * 49]


# squares on a side: 1 where vertical wins when vertical begins
FIRST = [(2, 1), (3, 1), (4, 1), (1, -1)]


@pytest.mark.parametrize(("side", "wanted"), FIRST)
def test_square_boards(side: int, wanted: int) -> None:
    assert value(gamedsl.load("domineering", rows=side, columns=side).initial_state()) == wanted


@pytest.mark.slow
def test_five_by_five_is_for_the_second_player() -> None:
    assert solved(gamedsl.load("domineering", rows=5, columns=5).initial_state(), limit=2_000_000) == -1


@pytest.mark.parametrize("options", [{}, {"rows": 1, "columns": 9}, {"rows": 12, "columns": 12}])
def test_plays_end(options: dict[str, int]) -> None:
    assert plays_end("domineering", 5, 72, **options) <= {"vertical", "horizontal"}
