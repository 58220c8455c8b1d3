"""Yavalath: counts of the first plies, and a second, plain implementation of the rules beside random plays."""

from __future__ import annotations

from random import Random

import pytest

from tests.games.classics.soundness import after, numbers, plays_end


def test_sequences() -> None:
    assert numbers("yavalath", 3) == [61, 61 * 60, 61 * 60 * 59]


def test_sequences_with_the_swap() -> None:
    # the swap leaves one stone of black, and white has 60 cells for the first one
    assert numbers("yavalath", 3, swap=True) == [61, 61 * 61, 61 * (60 * 59 + 60)]


@pytest.mark.parametrize("options", [{}, {"n": 4}, {"n": 8, "swap": True}])
def test_plays_end(options: dict[str, int | bool]) -> None:
    plays_end("yavalath", 20, 171, **options)


def run_through(stones: set[tuple[int, int]], cell: tuple[int, int], way: tuple[int, int]) -> int:
    """How many stones lie in an unbroken line through a cell, along a way and back."""
    count = 1
    for sign in (1, -1):
        steps = 1
        while (cell[0] + sign * steps * way[0], cell[1] + sign * steps * way[1]) in stones:
            steps += 1
        count += steps - 1
    return count


def against_plain(n: int, seed: int) -> None:
    """Only the stone just put down can have made a line, so the longest line through it tells how the play stands."""
    state, rng = after("yavalath", n=n), Random(seed)
    stones: list[set[tuple[int, int]]] = [set(), set()]
    while True:
        mover = state.current_player
        move = rng.choice(state.legal_moves())
        state = state.apply(move)
        cell = (int(str(move)[1:]), ord(str(move)[0]))
        stones[mover].add(cell)
        longest = max(run_through(stones[mover], cell, way) for way in [(0, 1), (1, 0), (1, -1)])
        if longest >= 3:
            assert state.winners == {mover if longest >= 4 else 1 - mover}
            return
        if len(stones[0] | stones[1]) == 3 * n * (n - 1) + 1:
            assert state.is_terminal and not state.winners
            return
        assert not state.is_terminal


@pytest.mark.parametrize("seed", range(20))
def test_against_a_plain_implementation(seed: int) -> None:
    against_plain(5, seed)


@pytest.mark.slow
def test_against_a_plain_implementation_more() -> None:
    for seed in range(20, 520):
        against_plain(4 + seed % 3, seed)
