"""Life with two gardeners against a second, plain implementation of a generation, beside random plays."""

from __future__ import annotations

from random import Random

import pytest

from gamedsl import State
from tests.games.classics.soundness import load, plays_end

SEEDS = 4  # plants of each player before the first generation
Garden = dict[tuple[int, int], int]  # column and row of each plant -> whose it is


def cell_of(text: str) -> tuple[int, int]:
    """The cell in the text of a move."""
    return ord(text[1]) - ord("a"), int(text[2:]) - 1


def generation(garden: Garden, n: int) -> Garden:
    """All births and deaths at once."""
    after: Garden = {}
    for column in range(n):
        for row in range(n):
            around = [garden[c, r] for c in range(column - 1, column + 2) for r in range(row - 1, row + 2)
                      if (c, r) != (column, row) and (c, r) in garden]  # fmt: skip
            if (column, row) in garden and len(around) in (2, 3):
                after[column, row] = garden[column, row]
            elif (column, row) not in garden and len(around) == 3:
                after[column, row] = int(sum(around) >= 2)
    return after


def shown(state: State, n: int) -> Garden:
    """The plants of a position, from what the player to move may do: sow on empty squares, weed the rival's."""
    words = {str(move) for move in state.legal_moves()}
    empty = {cell_of(word) for word in words if word[0] == "+"}
    rivals = {cell_of(word) for word in words if word[0] == "-"}
    full = {(c, r) for c in range(n) for r in range(n)} - empty
    return {at: state.current_player ^ (at in rivals) for at in full}


def same_play(seed: int, n: int, generations: int) -> None:
    """A random play beside the plain program."""
    rng, garden = Random(seed), Garden()
    state = load("life-with-gardeners", n=n, generations=generations).initial_state()
    for turn in range(2 * SEEDS + 2 * generations):
        assert state.current_player == turn % 2
        if turn >= 2 * SEEDS:
            assert shown(state, n) == garden
        move = rng.choice(state.legal_moves())
        if str(move).startswith("+"):
            garden[cell_of(str(move))] = turn % 2
        elif str(move).startswith("-"):
            del garden[cell_of(str(move))]
        state = state.apply(move)
        if turn >= 2 * SEEDS and turn % 2 == 1:
            garden = generation(garden, n)
    assert state.is_terminal
    assert list(state.scores) == [list(garden.values()).count(p) for p in (0, 1)]


@pytest.mark.parametrize(("n", "generations"), [(4, 20), (5, 10), (8, 6)])
def test_random_plays(n: int, generations: int) -> None:
    for seed in range(3):
        same_play(seed, n, generations)


@pytest.mark.slow
@pytest.mark.parametrize("n", [4, 5, 6])
def test_many_random_plays(n: int) -> None:
    for seed in range(200):
        same_play(seed, n, 15)


def test_plays_end() -> None:
    assert {"white", "black"} <= plays_end("life-with-gardeners", 40, 28)
