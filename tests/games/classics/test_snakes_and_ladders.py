"""Snakes and ladders as a Markov chain: the first of two wins with probability 0.50791159, after 52.154 rolls on average."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.lab.solve.solver import solve
from tests.games.classics.soundness import load, plays_end
from tests.values import codes_named

LADDERS = {1: 38, 4: 14, 9: 31, 21: 42, 28: 84, 36: 44, 51: 67, 71: 91, 80: 100}
SNAKES = {16: 6, 47: 26, 49: 11, 56: 53, 62: 19, 64: 60, 87: 24, 93: 73, 95: 75, 98: 78}
SLIDES = LADDERS | SNAKES


def onwards(square: int) -> list[int]:
    """Where the six faces of the die lead from a square."""
    return [SLIDES.get(square + n, square + n) if square + n <= 100 else square for n in range(1, 7)]


def test_every_roll_from_every_square() -> None:
    """One player's ways on, as the rules have them and as the chain has them."""
    start = load("snakes-and-ladders").initial_state()
    squares, left = {0: start}, [0]
    while left:
        here = left.pop()
        steps = [squares[here].apply(move) for move, _ in squares[here].chance_outcomes()]
        assert [codes_named(after, "at")[0] for after in steps] == onwards(here)
        for after in steps:
            there = codes_named(after, "at")[0]
            if there not in squares and not after.is_terminal:
                squares[there] = after.apply(after.game.parse_move("roll 2", after))
                left.append(there)
    assert len(squares) == 100 - len(SLIDES)


def still_on_the_way() -> list[float]:
    """The probability that a player alone is not there after 0, 1, 2 ... rolls."""
    at, left = {0: 1.0}, [1.0]
    while left[-1] > 1e-14:
        after: dict[int, float] = {}
        for square, p in at.items():
            for there in onwards(square):
                if there != 100:
                    after[there] = after.get(there, 0.0) + p / 6
        at = after
        left.append(sum(at.values()))
    return left


def test_the_published_numbers() -> None:
    """The chain gives what is published; so the rules do, which have the same ways on."""
    left = still_on_the_way()
    wins = sum((left[k] - left[k + 1]) * left[k] for k in range(len(left) - 1))
    rolls = sum(left[k] * left[k] + left[k + 1] * left[k] for k in range(len(left) - 1))
    assert round(wins, 8) == 0.50791159
    assert round(rolls, 3) == 52.154


def test_the_rules_themselves_give_them() -> None:
    found = solve(gamedsl.load("snakes-and-ladders").initial_state())
    assert found.complete and found.value is not None
    assert round((1 + float(found.value)) / 2, 6) == 0.507912


@pytest.mark.parametrize("players", [2, 3, 4])
def test_plays_end(players: int) -> None:
    plays_end("snakes-and-ladders", 3, 5000, players=players)
