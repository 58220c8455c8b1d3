"""Nine men's morris: what can be counted by hand, and that plays end in every way."""

from __future__ import annotations

from itertools import combinations
from math import perm

import pytest

from gamedsl.engine.perft_counts import perft
from tests.games.classics.soundness import after, load, numbers, plays_end


def test_men_are_placed_freely_before_the_first_mill() -> None:
    assert numbers("nine-mens-morris", 3) == [perm(24, n) for n in (1, 2, 3)]


def test_two_of_a_line_and_the_third_makes_a_mill() -> None:
    """After two men each, twenty points are free; one of them closes the line, and then two men can be taken."""
    state = after("nine-mens-morris", "a7", "d5", "d7", "e4")
    assert [perft(state, d) for d in (1, 2)] == [20, 19 * 19 + 2]


def test_sixteen_mills() -> None:
    """Each of the 16 lines has 3 pairs of points that the third closes; black's two men elsewhere stop some of them."""
    game = load("nine-mens-morris")
    points = [str(m) for m in game.initial_state().legal_moves()]
    closing = 0
    for a, b in combinations([p for p in points if p not in ("d6", "f2")], 2):
        state = after("nine-mens-morris", a, "d6", b, "f2")
        closing += sum(state.apply(m).current_player == 0 for m in state.legal_moves())
    assert closing == 3 * (16 - 4)  # d6 and f2 lie on two lines each, none of them the same


@pytest.mark.parametrize("flying", [True, False])
def test_plays_end(flying: bool) -> None:
    plays_end("nine-mens-morris", 20, 3000, flying=flying)


def test_all_outcomes() -> None:
    assert plays_end("nine-mens-morris", 30, 3000) == {"white", "black", "nobody"}
