"""Stratego on a small board against a program of its own: the moves, the results, and what each seat sees."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from gamedsl.engine import announced_plies
from tests.classics.soundness import load

NAME = "stratego"
RANKS = ("flag", "spy", "scout", "miner", "marshal", "bomb")
ROWS, COLUMNS = 5, 4
Cell = tuple[int, int]  # column and row, from 0
SEATS = ("red", "blue")


def named(cell: Cell) -> str:
    return f"{'abcd'[cell[0]]}{cell[1] + 1}"


@dataclass
class Man:
    owner: int
    rank: str
    shown: bool = False


@dataclass
class Board:
    """The position: who stands where, whose turn it is, how many turns are over, who has won (2: nobody)."""

    men: dict[Cell, Man] = field(default_factory=dict)
    turns: int = 0
    won: int | None = None

    @property
    def mover(self) -> int:
        if len(self.men) < 14 and not self.turns:
            return 0 if len(self.men) < 7 else 1
        return self.turns % 2

    def moves(self) -> dict[str, Any]:
        """By text: a rank with a cell, or two cells."""
        if self.won is not None:
            return {}
        if not self.turns and len(self.men) < 14:
            rows = (0, 1) if self.mover == 0 else (ROWS - 2, ROWS - 1)
            left = ["scout", *RANKS]
            for man in self.men.values():
                if man.owner == self.mover:
                    left.remove(man.rank)
            free = [(x, y) for x in range(COLUMNS) for y in rows if (x, y) not in self.men]
            return {f"{k} {named(c)}": (k, c) for k in set(left) for c in free}
        found = {}
        for cell, man in self.men.items():
            if man.owner == self.mover and man.rank not in ("flag", "bomb"):
                found |= {f"{named(cell)}-{named(to)}": (cell, to) for to in self._reach(cell, man)}
        return found

    def _reach(self, cell: Cell, man: Man) -> list[Cell]:
        found = []
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            x, y = cell
            for _ in range(9 if man.rank == "scout" else 1):
                x, y = x + dx, y + dy
                if not (0 <= x < COLUMNS and 0 <= y < ROWS):
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
            return
        a, b = move
        man, other = self.men.pop(a), self.men.get(b)
        mover = self.turns % 2
        self.turns += 1
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
        if self.turns == 80:
            self.won = 2
        elif not self.moves():
            self.won = 1 - self.turns % 2


def strikes(a: str, b: str) -> bool:
    """Whether a beats b when a strikes."""
    if b == "bomb":
        return a == "miner"
    return (a, b) == ("spy", "marshal") or RANKS.index(a) > RANKS.index(b)


def check_play(seed: int, most: int = 1000) -> None:
    game, rng, board = load(NAME), Random(seed), Board()
    state = game.initial_state()
    cells = [named((x, y)) for y in range(ROWS) for x in range(COLUMNS)]
    names = game.program.parts[0].board.domains["cell"].names  # type: ignore[union-attr]
    assert sorted(names) == sorted(cells)
    for _ in range(most):
        moves = board.moves()
        assert {str(m) for m in state.legal_moves()} == set(moves)
        for seat in (0, 1):
            seen = state.observation(seat)["variables"]["cell.rank"]
            by_cell = {n: RANKS[v - 1] for n, v in zip(names, seen, strict=True) if v}
            assert by_cell == {named(c): m.rank for c, m in board.men.items() if m.owner == seat or m.shown}
        if board.won is not None:
            assert state.is_terminal
            assert state.winners == (frozenset() if board.won == 2 else {board.won})
            return
        move = rng.choice(state.legal_moves())
        board.play(moves[str(move)])
        state = state.apply(move)


@pytest.mark.parametrize("seed", range(3))
def test_a_play(seed: int) -> None:
    check_play(seed)


@pytest.mark.slow
def test_many_plays() -> None:
    for seed in range(200):
        check_play(seed)


def test_what_the_rival_reads() -> None:
    """Where men are put and how they move, but not their ranks."""
    game = load(NAME)
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
