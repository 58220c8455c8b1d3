"""Numbers of sequences of moves, computed by an independent program."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl import State
from gamedsl.engine.perft_counts import perft

GAME = "t-tic-t-tac-toe-game"
WALL = {"center": "first_wall"}

V1_PLAIN = ["b2", "c2", "c3", "b3", "d4"]
V1_CHARLIES = ["a1", "charlie first_wall", "e5", "curtain h1", "charlie curtain[O]", "e1", "a5"]
V2_RESCUE = ["b3", "wall c4", "d4", "b1", "c3"]
ATRESO = ["roll 6", "roll 1", *(f"r1c{c}" for c in (1, 3, 5, 7, 9)), *(f"r10c{c}" for c in (2, 4, 6, 8, 10))]

NUMBERS = [
    ("t-tic-t-tac-toe", {}, [], [9, 81, 675, 5049, 33291, 190593]),
    (GAME, {"edition": "v1"}, [], [25, 2625, 275064]),
    (GAME, {"edition": "v2"}, [], [41, 4257, 401385]),
    (GAME, {"edition": "v1"}, V1_PLAIN, [102, 10090, 678806]),
    (GAME, {"edition": "v1"}, V1_CHARLIES, [93, 9319, 530778]),
    (GAME, {"edition": "v2"}, V2_RESCUE, [44, 3970, 144583]),
    ("x-s-and-lines", {"n": 3}, [], [9, 72, 504, 3744, 4776, 0]),
    ("x-s-and-lines", {"n": 4}, [], [16, 240, 3360, 43680, 624000]),
    ("x-s-and-lines", {"n": 8}, [], [64, 4032, 249984]),
    ("horn-tiles", {}, [], [360, 720, 1440, 500032]),
    ("atreso", {}, [], [6, 36, 936, 26316]),
    ("atreso", {}, ATRESO, [61, 2448, 148718]),
]
QUICK = 200_000


def cases(quick: bool) -> list[object]:
    found = []
    for i, (name, options, moves, numbers) in enumerate(NUMBERS):
        for depth, number in enumerate(numbers, 1):
            if (number <= QUICK) == quick:
                case_id = f"{name}-{i}-depth{depth}"
                found.append(pytest.param(name, options, moves, depth, number, id=case_id))
    return found


def reach(name: str, options: dict[str, str | int], moves: list[str]) -> State:
    state = gamedsl.load(name, **options).initial_state()
    for text in moves:
        state = state.apply(state.game.parse_move(text, state))
    return state


@pytest.mark.parametrize(("name", "options", "moves", "depth", "number"), cases(quick=True))
def test_perft(name: str, options: dict[str, str | int], moves: list[str], depth: int, number: int) -> None:
    assert perft(reach(name, options, moves), depth) == number


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options", "moves", "depth", "number"), cases(quick=False))
def test_perft_deep(name: str, options: dict[str, str | int], moves: list[str], depth: int, number: int) -> None:
    assert perft(reach(name, options, moves), depth) == number
