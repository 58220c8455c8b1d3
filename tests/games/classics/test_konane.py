"""Konane: counts of the opening by hand, and a second, plain implementation of the rules beside random plays."""

from __future__ import annotations

from random import Random

import pytest

from tests.games.classics.soundness import after, numbers, plays_end

Square = tuple[int, int]  # row, column


def test_sequences() -> None:
    # two middle squares with four neighbours each and two corners with two; then, however white chose, black jumps
    # onto the first gap over each stone that is left beside it: three in the middle, one in a corner
    assert numbers("konane", 3) == [4, 2 * 4 + 2 * 2, 2 * 4 * 3 + 2 * 2 * 1]


@pytest.mark.parametrize("half", [2, 3, 4, 5])
def test_plays_end(half: int) -> None:
    assert plays_end("konane", 10, 100, half=half) <= {"black", "white"}


def name(square: Square) -> str:
    return f"{chr(ord('a') + square[1])}{square[0] + 1}"


def beside(square: Square) -> list[Square]:
    row, column = square
    return [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]


class Plain:
    """Konane with stones in a dictionary: whose stone lies where; black is player 0."""

    def __init__(self, side: int) -> None:
        self.side = side
        self.stones = {(r, c): (r + c) % 2 for r in range(side) for c in range(side)}
        self.gaps: list[Square] = []

    def texts(self, me: int) -> dict[str, tuple[Square, ...]]:
        """What a player may do: the text of a move and the squares it goes over, from the first to the last."""
        if len(self.gaps) < 2:
            return {f"take {name(s)}": (s,) for s in self.first_stones(me)}
        return {
            f"{name(way[0])}-{name(way[-1])}": way for s, p in self.stones.items() if p == me for way in self.ways(s)
        }

    def first_stones(self, me: int) -> list[Square]:
        half, last = self.side // 2, self.side - 1
        if self.gaps:
            return [s for s in beside(self.gaps[0]) if self.stones.get(s) == me]
        places = [(half - 1, half - 1), (half - 1, half), (half, half - 1), (half, half)]
        places += [(0, 0), (0, last), (last, 0), (last, last)]
        return [s for s in places if self.stones[s] == me]

    def ways(self, start: Square) -> list[tuple[Square, ...]]:
        found = []
        me = self.stones[start]
        for down, right in [(1, 0), (-1, 0), (0, 1), (0, -1)]:
            way = [start]
            while True:
                row, column = way[-1]
                over, land = (row + down, column + right), (row + 2 * down, column + 2 * right)
                free = 0 <= land[0] < self.side and 0 <= land[1] < self.side and land not in self.stones
                if self.stones.get(over) != 1 - me or not free:
                    break
                way += [over, land]
                found.append(tuple(way))
        return found

    def do(self, way: tuple[Square, ...]) -> None:
        me = self.stones[way[0]]
        for square in way:
            self.stones.pop(square, None)
        if len(way) > 1:
            self.stones[way[-1]] = me
        else:
            self.gaps.append(way[0])


def against_plain(half: int, seed: int) -> None:
    state, plain, rng = after("konane", half=half), Plain(2 * half), Random(seed)
    while not state.is_terminal:
        ours = {str(m): m for m in state.legal_moves()}
        theirs = plain.texts(state.current_player)
        assert set(ours) == set(theirs)
        text = rng.choice(sorted(ours))
        mover = state.current_player
        state = state.apply(ours[text])
        plain.do(theirs[text])
    assert plain.texts(1 - mover) == {} and state.winners == {mover}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("half", [2, 3, 4])
def test_against_a_plain_implementation(half: int, seed: int) -> None:
    against_plain(half, seed)


@pytest.mark.slow
def test_against_a_plain_implementation_more() -> None:
    for seed in range(5, 205):
        against_plain(4, seed)
