"""Tsuro against a program of its own: tiles as lines between points of the plane, followed step by step."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import pytest

from gamedsl import State
from tests.games.classics.soundness import CLASSICS, load, plays_end

Point = tuple[int, int]  # in thirds of a square, from the lower left corner of the board
Pairs = tuple[tuple[int, int], ...]

# The ports of the lower left square, clockwise from the left one in the north.
PORTS = ((1, 3), (2, 3), (3, 2), (3, 1), (2, 0), (1, 0), (0, 1), (0, 2))


def pairings(ports: tuple[int, ...]) -> Iterator[Pairs]:
    """All ways to join these ports in pairs."""
    if not ports:
        yield ()
    for other in ports[1:]:
        for rest in pairings(tuple(p for p in ports[1:] if p != other)):
            yield ((ports[0], other), *rest)


def turned(pairs: Pairs, quarters: int) -> Pairs:
    return tuple(sorted(tuple(sorted((p + 2 * quarters) % 8 for p in pair)) for pair in pairs))  # type: ignore[misc]


def tiles() -> list[Pairs]:
    """One of each kind, in the order of their pairs."""
    return sorted({min(turned(pairs, k) for k in range(4)) for pairs in pairings(tuple(range(8)))})


def port(square: Point, number: int) -> Point:
    x, y = PORTS[number]
    return 3 * square[0] + x, 3 * square[1] + y


def named(square: Point) -> str:
    return f"{'abcdef'[square[0]]}{square[1] + 1}"


@dataclass
class Plain:
    """The position: which squares have tiles, lines between points, stones on points, hands and the stock."""

    size: int
    players: int
    at: dict[int, Point] = field(default_factory=dict)
    tiled: set[Point] = field(default_factory=set)
    lines: dict[Point, list[Point]] = field(default_factory=dict)
    hands: list[set[int]] = field(default_factory=list)
    stock: set[int] = field(default_factory=lambda: set(range(35)))
    waiting: int | None = None
    winners: set[int] | None = None

    def __post_init__(self) -> None:
        self.hands = [set() for _ in range(self.players)]

    def rim(self, point: Point) -> bool:
        return not {0, 3 * self.size}.isdisjoint(point)

    def square(self, point: Point) -> Point:
        """The square without a tile at a point; on the rim and between two squares there is one at most."""
        squares = [(x, y) for x in range(self.size) for y in range(self.size)]
        (found,) = [s for s in squares if s not in self.tiled and point in [port(s, k) for k in range(8)]]
        return found

    def starts(self) -> set[str]:
        squares = [(x, y) for x in range(self.size) for y in range(self.size)]
        free = [(s, k) for s in squares for k in range(8) if self.rim(port(s, k))]
        return {f"{named(s)} {k}" for s, k in free if port(s, k) not in self.at.values()}

    def walk(self, start: Point, lines: dict[Point, list[Point]]) -> list[Point]:
        """The points on the way over lines, never back over the one that one came by."""
        way, last = [start], None
        while following := [p for p in lines.get(way[-1], ()) if p != last]:
            last, way = way[-1], [*way, following[0]]
        return way

    def after(self, mover: int, tile: int, quarters: int) -> tuple[dict[Point, list[Point]], dict[int, Point]]:
        """The lines, and the stones that are left."""
        square = self.square(self.at[mover])
        lines = {point: list(ends) for point, ends in self.lines.items()}
        for a, b in turned(tiles()[tile], quarters):
            one, two = port(square, a), port(square, b)
            lines.setdefault(one, []).append(two)
            lines.setdefault(two, []).append(one)
        left = dict(self.at)
        for p, point in self.at.items():
            if self.square(point) == square:
                way = self.walk_on(point, square, lines)
                met = [q for q, other in self.at.items() if q != p and other in way]
                if met or self.rim(way[-1]):
                    del left[p]
                else:
                    left[p] = way[-1]
        return lines, left

    def walk_on(self, point: Point, square: Point, lines: dict[Point, list[Point]]) -> list[Point]:
        """The way of a stone over the new tile, not back to where it came from."""
        inside = {port(square, k) for k in range(8)}
        first = next(p for p in lines[point] if p in inside and p not in self.lines.get(point, ()))
        one_way = {p: [q for q in ends if not (p == first and q == point)] for p, ends in lines.items()}
        return [point, *self.walk(first, one_way)]

    def moves(self, mover: int) -> set[str]:
        found = {(t, k): mover in self.after(mover, t, k)[1] for t in self.hands[mover] for k in range(4)}
        end = "" if any(found.values()) else " and out"
        return {f"t{t + 1} turned {k}{end}" for (t, k), stays in found.items() if stays or end}

    def play(self, mover: int, move: str) -> None:
        tile, quarters = (int(n) for n in re.findall(r"\d+", move))
        lines, left = self.after(mover, tile - 1, quarters)
        self.tiled.add(self.square(self.at[mover]))
        self.hands[mover].remove(tile - 1)
        before, self.lines, self.at = set(self.at), lines, left
        if len(left) < 2 or not any(self.hands[p] for p in left):
            self.winners = set(left) or before
        for p in set(range(self.players)) - left.keys():
            self.stock |= self.hands[p]
            self.hands[p] = set()

    def drawer(self, mover: int) -> int | None:
        """Who draws next, if anybody: the one who waits first, then in turn."""
        first = mover if self.waiting is None else self.waiting
        order = [(first + k) % self.players for k in range(self.players)]
        return next((p for p in order if p in self.at and len(self.hands[p]) < 3), None)


def test_the_table() -> None:
    """All tiles are there, once each, in order."""
    text = (CLASSICS / "tsuro.gdl").read_text(encoding="utf-8")
    rows = re.findall(r"^  t\d+: +([\d, ]+)$", text, re.MULTILINE)
    there = [tuple(int(n) for n in row.split(",")) for row in rows]
    assert len(tiles()) == 35
    assert [tuple((k, other) for k, other in enumerate(row) if k < other) for row in there] == tiles()


def draw(rng: Random, state: State, plain: Plain, who: int) -> State:
    """One tile drawn on both sides."""
    outcomes = {str(m): m for m, _ in state.chance_outcomes()}
    assert set(outcomes) == {f"deal t{t + 1}" for t in plain.stock}
    text = rng.choice(sorted(outcomes))
    tile = int(text.removeprefix("deal t")) - 1
    plain.stock.remove(tile)
    plain.hands[who].add(tile)
    return state.apply(outcomes[text])


def same_play(seed: int, players: int, size: int) -> int:
    """A random play beside the plain program; tells how many tiles were laid."""
    rng, state, plain = Random(seed), load("tsuro", players=players, size=size).initial_state(), Plain(size, players)
    for p in range(players):
        moves = {str(m): m for m in state.legal_moves()}
        assert set(moves) == plain.starts()
        text = rng.choice(sorted(moves))
        plain.at[p] = port(("abcdef".index(text[0]), int(text[1]) - 1), int(text[3]))
        state = state.apply(moves[text])
    for p in range(3 * players):
        state = draw(rng, state, plain, p // 3)
    mover = 0
    while plain.winners is None:
        while mover not in plain.at or not plain.hands[mover]:
            mover = (mover + 1) % players
        assert state.current_player == mover
        moves = {str(m): m for m in state.legal_moves()}
        assert set(moves) == plain.moves(mover)
        text = rng.choice(sorted(moves))
        plain.play(mover, text)
        state = state.apply(moves[text])
        if plain.winners is None:
            state = draw_all(rng, state, plain, mover)
        mover = (mover + 1) % players
    assert state.is_terminal
    assert set(state.winners) == (plain.winners if len(plain.winners) < players else set())
    return len(plain.tiled)


def draw_all(rng: Random, state: State, plain: Plain, mover: int) -> State:
    """Tiles after a turn, one by one in order from the one who draws first."""
    while (who := plain.drawer(mover)) is not None and plain.stock:
        state = draw(rng, state, plain, who)
        plain.waiting = (who + 1) % plain.players
    plain.waiting = who
    return state


@pytest.mark.parametrize(("players", "size"), [(2, 6), (3, 4), (4, 6), (8, 6)])
def test_random_plays(players: int, size: int) -> None:
    assert all(same_play(seed, players, size) > 1 for seed in range(3))


@pytest.mark.slow
@pytest.mark.parametrize("players", range(2, 9))
def test_many_random_plays(players: int) -> None:
    assert all(same_play(seed, players, 6) > 1 for seed in range(60))


def test_plays_end() -> None:
    assert {"p1", "p2"} <= plays_end("tsuro", 10, 100)
