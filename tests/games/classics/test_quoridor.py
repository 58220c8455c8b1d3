"""Quoridor: numbers counted by hand, and that plays end."""

from __future__ import annotations

import pytest

from tests.games.classics.native import native_perft
from tests.games.classics.soundness import load, plays_end


def test_first_two_plies() -> None:
    """128 fences on 64 posts, two ways each.

    A fence excludes itself, the one across it, and its neighbours along the line (8 posts a line have 14 ordered pairs of
    neighbours, and there are 16 lines). The pawn of the second player loses a step to four of the fences.
    """
    fences = 2 * 8 * 8
    pairs = fences * (fences - 2) - 16 * 14
    steps_after_a_fence = 3 * fences - 4
    after_a_step = 3 * (3 + fences)
    assert native_perft(load("quoridor").initial_state(), 2) == pairs + steps_after_a_fence + after_a_step


@pytest.mark.parametrize("size", [3, 4, 6, 9])
def test_first_ply(size: int) -> None:
    assert len(load("quoridor", size=size).initial_state().legal_moves()) == 3 + 2 * (size - 1) ** 2


def test_all_outcomes() -> None:
    assert plays_end("quoridor", 10, 2000, size=5, fences_each=3) == {"white", "black"}


def test_a_race_without_fences() -> None:
    plays_end("quoridor", 5, 5000, size=5, fences_each=0)


@pytest.mark.slow
def test_many_plays() -> None:
    plays_end("quoridor", 200, 5000, size=5, fences_each=5)
    plays_end("quoridor", 20, 5000)
