"""Stratego against a program of its own, with forty men a side and with seven: the moves, the results, and what each
seat sees."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from gamedsl.engine import announced_plies, announcements_at
from tests.games.classics.soundness import load
from tests.shipped_sample import small

NAME = "stratego"
RANKS = (
    "flag", "spy", "scout", "miner", "sergeant", "lieutenant", "captain", "major", "colonel", "general", "marshal", "bomb",
)  # fmt: skip
# How many of each rank: Rules of Stratego, on the pieces.
FULL = (1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6)
SMALL = (1, 1, 2, 1, 0, 0, 0, 0, 0, 0, 1, 1)
LAKES = {(x, y) for x in (2, 3, 6, 7) for y in (4, 5)}
Cell = tuple[int, int]  # column and row, from 0
SEATS = ("red", "blue")


def named(cell: Cell) -> str:
    return f"{'abcdefghij'[cell[0]]}{cell[1] + 1}"


@dataclass
class Man:
    owner: int
    rank: str
    shown: bool = False


@dataclass
class Board:
    """The position: who stands where, whose turn it is, how many turns are over, who has won (2: nobody)."""

    is_full: bool
    most_turns: int
    quiet_plies: int
    men: dict[Cell, Man] = field(default_factory=dict)
    turns: int = 0
    quiet: int = 0
    won: int | None = None
    past: list[list[tuple[Cell, Cell]]] = field(default_factory=lambda: [[], []])  # of each player

    def __post_init__(self) -> None:
        self.columns, self.rows, self.depth = (10, 10, 4) if self.is_full else (4, 5, 2)
        self.army = [k for k, n in zip(RANKS, FULL if self.is_full else SMALL, strict=True) for _ in range(n)]
        squares = {(x, y) for x in range(self.columns) for y in range(self.rows)}
        self.cells = squares - LAKES if self.is_full else squares
        self.placed = 0

    @property
    def mover(self) -> int:
        if self.placed < 2 * len(self.army):
            return self.placed // len(self.army)
        return self.turns % 2

    def moves(self) -> dict[str, Any]:
        """By text: a rank with a cell, or two cells."""
        if self.won is not None:
            return {}
        if self.placed < 2 * len(self.army):
            low = 0 if self.mover == 0 else self.rows - self.depth
            left = list(self.army)
            for man in self.men.values():
                if man.owner == self.mover:
                    left.remove(man.rank)
            free = [(x, y) for x, y in self.cells if low <= y < low + self.depth and (x, y) not in self.men]
            return {f"{k} {named(c)}": (k, c) for k in set(left) for c in free}
        found = {}
        for cell, man in self.men.items():
            if man.owner == self.mover and man.rank not in ("flag", "bomb"):
                to = [t for t in self._reach(cell, man) if not self._is_shuttle(cell, t)]
                found |= {f"{named(cell)}-{named(t)}": (cell, t) for t in to}
        return found

    def _is_shuttle(self, cell: Cell, to: Cell) -> bool:
        """Whether this would be the fourth move in a row to and fro between the same squares (for a scout: over a square
        that it has just left or passed)."""
        steps = [*self.past[self.mover][-3:], (cell, to)]
        if len(steps) < 4:
            return False
        return all(b == c and set(line(c, d)[1:]) & set(line(a, b)[:-1]) for (a, b), (c, d) in pairwise(steps))

    def _reach(self, cell: Cell, man: Man) -> list[Cell]:
        found = []
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            x, y = cell
            for _ in range(9 if man.rank == "scout" else 1):
                x, y = x + dx, y + dy
                if (x, y) not in self.cells:
                    break
                other = self.men.get((x, y))
                if other is None or other.owner != man.owner:
                    found.append((x, y))
                if other is not None:
                    break
        return found

    def play(self, move: Any) -> None:
        if isinstance(move[0], str):
            self.men[move[1]] = Man(self.mover, move[0])
            self.placed += 1
            return
        a, b = move
        man, other = self.men.pop(a), self.men.get(b)
        mover = self.turns % 2
        self.turns += 1
        self.past[mover].append((a, b))
        self.quiet = self.quiet + 1 if other is None else 0
        if other is None:
            self.men[b] = man
        else:
            man.shown = other.shown = True
            if man.rank == other.rank:
                del self.men[b]
            elif strikes(man.rank, other.rank):
                self.men[b] = man
            if other.rank == "flag":
                self.won = mover
                return
        if self.turns == self.most_turns or self.quiet >= self.quiet_plies:
            self.won = 2
        elif not self.moves():
            self.won = 1 - self.turns % 2


def line(a: Cell, b: Cell) -> list[Cell]:
    """The squares from one to another in a row or column, both included."""
    dx, dy = (b[0] > a[0]) - (b[0] < a[0]), (b[1] > a[1]) - (b[1] < a[1])
    return [(a[0] + i * dx, a[1] + i * dy) for i in range(max(abs(b[0] - a[0]), abs(b[1] - a[1])) + 1)]


def strikes(a: str, b: str) -> bool:
    """Whether a beats b when a strikes."""
    if b == "bomb":
        return a == "miner"
    return (a, b) == ("spy", "marshal") or RANKS.index(a) > RANKS.index(b)


def check_play(seed: int, is_full: bool = False, most: int = 5000, every: int = 1) -> None:
    """A random game; what it is at every so many plies."""
    options = {} if is_full else small(NAME)
    turns, quiet = (2000, 200) if is_full else (80, 200)
    game, rng, board = load(NAME, **options), Random(seed), Board(is_full, turns, quiet)
    state = game.initial_state()
    names = game.program.parts[0].board.domains["cell"].names  # type: ignore[union-attr]
    assert sorted(names) == sorted(map(named, board.cells))
    for ply in range(most):
        moves = board.moves()
        if ply % every == 0 or not moves:
            assert {str(m) for m in state.legal_moves()} == set(moves)
            for seat in (0, 1):
                seen = state.observation(seat)["variables"]["cell.rank"]
                by_cell = {n: RANKS[v - 1] for n, v in zip(names, seen, strict=True) if v}
                assert by_cell == {named(c): m.rank for c, m in board.men.items() if m.owner == seat or m.shown}
        if board.won is not None:
            assert state.is_terminal
            assert state.winners == (frozenset() if board.won == 2 else {board.won})
            return
        move = state.propose(rng)
        board.play(moves[str(move)])
        state = state.apply(move)


@pytest.mark.parametrize("seed", range(3))
def test_a_play(seed: int) -> None:
    check_play(seed)


def test_the_beginning_of_a_full_game() -> None:
    check_play(7, is_full=True, most=160, every=8)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_full_game(seed: int) -> None:
    check_play(seed, is_full=True)


def test_a_man_goes_to_and_fro_three_times() -> None:
    """A game of few men, in which random moves repeat: often enough the rule is the only difference."""
    for seed in range(12):
        check_play(seed, most=120)


@pytest.mark.slow
def test_many_plays() -> None:
    for seed in range(200):
        check_play(seed)


def test_what_the_rival_reads_in_a_full_game() -> None:
    """With forty hidden ranks, too, every move is told: its squares are seen."""
    game, rng, board = load(NAME), Random(3), Board(True, 2000, 200)
    steps: list[Any] = [(game.initial_state(), None)]
    while len(steps) <= 84:
        move = steps[-1][0].propose(rng)
        board.play(board.moves()[str(move)])
        steps.append((steps[-1][0].apply(move), move))
    for seat in (0, 1):
        assert [told.text for told in announcements_at(steps, 84, seat)] == [str(steps[84][1])]


def test_what_the_rival_reads() -> None:
    """Where men are put and how they move, but not their ranks."""
    game = load(NAME, **small(NAME))
    steps: list[Any] = [(game.initial_state(), None)]
    rng = Random(5)
    while len(steps) < 30 and not steps[-1][0].is_terminal:
        move = steps[-1][0].propose(rng)
        steps.append((steps[-1][0].apply(move), move))
    own, other = ([told.text for _, told in announced_plies(steps, seat)] for seat in (0, 1))
    assert own[:7] == [str(m) for _, m in steps[1:8]]
    assert other[:7] == [f"? {str(m).split()[1]}" for _, m in steps[1:8]]
    assert other[7:14] == [str(m) for _, m in steps[8:15]]
    assert own[14:] == other[14:] == [str(m) for _, m in steps[15:]]
