"""EinStein würfelt nicht: the die and the cubes that are left, and that plays end."""

from __future__ import annotations

from itertools import combinations

import pytest

from tests.games.classics.soundness import after, plays_end
from tests.values import codes_named

START = ["e3", "d2", "e2", "c1", "d1", "e1", "a5", "b5", "c5", "a4", "b4", "a3"]
PLACES = [f"pick {cell}" for cell in START]


def choice(left: list[int], thrown: int) -> set[int]:
    """The cube thrown, else its neighbours among those that are left."""
    lower, higher = [k for k in left if k < thrown], [k for k in left if k > thrown]
    return {thrown} if thrown in left else {*lower[-1:], *higher[:1]}


@pytest.mark.parametrize("size", [1, 2, 5])
def test_what_the_die_allows(size: int) -> None:
    """For every set of so many cubes of white's and every throw: cubes that are gone are taken out of a start."""
    start = after("einstein-wuerfelt-nicht", *PLACES)
    places = codes_named(start, "at")
    for left in combinations(range(1, 7), size):
        white = [place if k in left else 0 for k, place in enumerate(places[:6], 1)]
        state = start.with_values({("at", 0): white + places[6:]})
        for move, _ in state.chance_outcomes():
            movers = {int(str(m)[0]) for m in state.apply(move).legal_moves()}
            assert movers == choice(list(left), int(str(move).removeprefix("roll ")))


def test_plays_end() -> None:
    assert plays_end("einstein-wuerfelt-nicht", 30, 12 + 2 * 96) == {"white", "black"}
