"""Chinese checkers for two to six against a second, plain program of the rules, and the numbers of an independent program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import pytest

from gamedsl import State
from tests.games.classics.native import native_perft
from tests.games.classics.soundness import load, numbers, plays_end
from tests.values import codes_named

Space = tuple[int, int]  # two of the three axes of a hexagonal grid; the middle is (0, 0)
WAYS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
# the points of the star, clockwise from the top, that are filled for so many players
POINTS = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 5: (0, 1, 2, 3, 4), 6: (0, 1, 2, 3, 4, 5)}
# three on the small star, who may hop back to where they stood: from a program by somebody else
SEQUENCES = [6, 28, 130, 852, 7024]


@dataclass(frozen=True)
class Star:
    """A position: men by seat, whose turn it is, and the spaces of the man that is hopping, the last one being its own."""

    arm: int
    men: tuple[frozenset[Space], ...]
    seat: int = 0
    path: tuple[Space, ...] = ()
    back: bool = False

    def is_space(self, at: Space) -> bool:
        axes = (*at, -at[0] - at[1])
        return min(axes) >= -self.arm or max(axes) <= self.arm

    def hops(self, start: Space) -> Iterator[Space]:
        taken = frozenset().union(*self.men)
        for x, y in WAYS:
            over, to = (start[0] + x, start[1] + y), (start[0] + 2 * x, start[1] + 2 * y)
            if over in taken and to not in taken and self.is_space(to) and (self.back or to not in self.path):
                yield to

    def moved(self, start: Space, to: Space) -> tuple[frozenset[Space], ...]:
        own = self.men[self.seat] - {start} | {to}
        return (*self.men[: self.seat], own, *self.men[self.seat + 1 :])

    def over(self, men: tuple[frozenset[Space], ...]) -> Star:
        return Star(self.arm, men, (self.seat + 1) % len(men), (), self.back)

    def hopped(self, start: Space, to: Space) -> Star:
        path = (*(self.path or (start,)), to)
        after = Star(self.arm, self.moved(start, to), self.seat, path, self.back)
        return after if any(after.hops(to)) else after.over(after.men)

    def after(self) -> Iterator[Star]:
        """The positions after one ply: a step, a hop, or the end of the hops."""
        if self.path:
            yield from (self.hopped(self.path[-1], to) for to in self.hops(self.path[-1]))
            yield self.over(self.men)
            return
        taken = frozenset().union(*self.men)
        for x, y in sorted(self.men[self.seat]):
            steps = ((x + dx, y + dy) for dx, dy in WAYS)
            yield from (self.over(self.moved((x, y), to)) for to in steps if to not in taken and self.is_space(to))
            yield from (self.hopped((x, y), to) for to in self.hops((x, y)))


def opening(arm: int, players: int, back: bool) -> Star:
    span = range(-2 * arm, 2 * arm + 1)
    empty = Star(arm, ())
    spaces = [(x, y) for x in span for y in span if empty.is_space((x, y))]
    towards = (lambda x, y: -y, lambda x, y: x, lambda x, y: x + y)

    def point(k: int) -> frozenset[Space]:
        sign = 1 if k < 3 else -1
        return frozenset(s for s in spaces if sign * towards[k % 3](*s) > arm)

    return Star(arm, tuple(point(k) for k in POINTS[players]), back=back)


def sequences(star: Star, depth: int) -> int:
    return 1 if depth == 0 else sum(sequences(after, depth - 1) for after in star.after())


def test_the_numbers_of_an_independent_program() -> None:
    assert numbers("chinese-checkers", 4, arm=2, players=3, back=True) == SEQUENCES[:4]
    start = load("chinese-checkers", arm=2, players=3, back=True).initial_state()
    assert native_perft(start, 5) == SEQUENCES[4] == sequences(opening(2, 3, True), 5)


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize(("players", "depth"), [(2, 4), (4, 4), (5, 3), (6, 3)])
def test_sequences(players: int, depth: int, back: bool) -> None:
    start = load("chinese-checkers", arm=2, players=players, back=back).initial_state()
    assert native_perft(start, depth) == sequences(opening(2, players, back), depth)


@pytest.mark.slow
@pytest.mark.parametrize(("arm", "players", "depth"), [(4, 2, 4), (4, 3, 4), (3, 6, 3), (2, 2, 6)])
def test_deep_sequences(arm: int, players: int, depth: int) -> None:
    start = load("chinese-checkers", arm=arm, players=players).initial_state()
    assert native_perft(start, depth) == sequences(opening(arm, players, False), depth)


def places(state: State) -> list[frozenset[int]]:
    return [frozenset(i for i in range(37) if bits >> i & 1) for bits in codes_named(state, "man")]


def same_place(star: Star) -> list[frozenset[int]]:
    """The men by the numbers of their spaces in reading order."""
    span = range(-4, 5)
    order = [(x, y) for y in span for x in span if star.is_space((x, y))]
    return [frozenset(order.index(s) for s in men) for men in star.men]


def test_plays_go_alike() -> None:
    """Both are in the same position after every ply of random plays, and have as many ways on."""
    for seed in range(3):
        rng = Random(seed)
        state, star = load("chinese-checkers", arm=2, players=3).initial_state(), opening(2, 3, False)
        for _ in range(60):
            ways = list(star.after())
            legal = state.legal_moves()
            assert len(legal) == len(ways) and state.current_player == star.seat
            state = state.apply(rng.choice(legal))
            (star,) = (way for way in ways if same_place(way) == places(state) and bool(way.path) == goes_on(state))


def goes_on(state: State) -> bool:
    return any(str(move) == "rest" for move in state.legal_moves())


@pytest.mark.parametrize("players", [2, 3, 6])
def test_plays_end(players: int) -> None:
    plays_end("chinese-checkers", 2, 400, arm=2, players=players, limit=100)
