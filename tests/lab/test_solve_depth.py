"""Depth-first solving of connect four in the middle of a game, against a solver that is written here."""

from __future__ import annotations

from random import Random

import pytest

import gamedsl
from gamedsl.engine import State
from gamedsl.lab.solve import solve
from gamedsl.lab.solve.depth_compiled import NativeSearch

ROWS, COLUMNS = 6, 7
LINES = [
    [(c + k * dc, r + k * dr) for k in range(4)]
    for c in range(COLUMNS)
    for r in range(ROWS)
    for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1))
    if 0 <= c + 3 * dc < COLUMNS and 0 <= r + 3 * dr < ROWS
]
HARD = "d1 b1 c1 d2 e1 f1 f2 f3 d3 g1 a1 d4 a2 e2 d5 c2"
THROUGH = {(c, r): [line for line in LINES if (c, r) in line] for c in range(COLUMNS) for r in range(ROWS)}


def value(columns: list[list[int]], me: int, low: int, known: dict[tuple[object, int], bool]) -> bool:
    """Whether the player ``me``, who moves, gets at least ``low`` (1: a win, 0: a draw)."""
    key = (tuple(map(tuple, columns)), low)
    if key in known:
        return known[key]
    open_columns = [c for c in (3, 2, 4, 1, 5, 0, 6) if len(columns[c]) < ROWS]
    found = not open_columns and low <= 0
    for c in open_columns:
        if is_won(columns, c, me):
            found = True
            break
    if not found:
        for c in open_columns:
            columns[c].append(me)
            found = not value(columns, 1 - me, 1 - low, known)
            columns[c].pop()
            if found:
                break
    known[key] = found
    return found


def is_won(columns: list[list[int]], c: int, me: int) -> bool:
    """Whether a disc of ``me`` in a column makes a line of four."""
    at = (c, len(columns[c]))
    return any(
        all(cell == at or (len(columns[cell[0]]) > cell[1] and columns[cell[0]][cell[1]] == me) for cell in line)
        for line in THROUGH[at]
    )


def played(plies: int, seed: int) -> tuple[State, list[list[int]]]:
    """A position after random moves, in which nobody has a line of four, and its columns from the left."""
    rng = Random(seed)
    while True:
        state, columns = gamedsl.load("connect-four").initial_state(), [list[int]() for _ in range(COLUMNS)]
        for ply in range(plies):
            c = rng.choice([c for c in range(COLUMNS) if len(columns[c]) < ROWS])
            if is_won(columns, c, ply % 2):
                break
            columns[c].append(ply % 2)
            (move,) = [m for m in state.legal_moves() if str(m)[0] == "abcdefg"[c]]
            state = state.apply(move)
        else:
            return state, columns


@pytest.mark.parametrize("plies, seed", [(28, seed) for seed in range(6)] + [(24, seed) for seed in range(2)])
def test_connect_four_in_the_middle_of_a_game(plies: int, seed: int) -> None:
    state, columns = played(plies, seed)
    me, known = plies % 2, dict[tuple[object, int], bool]()
    mine = 1 if value(columns, me, 1, known) else 0 if value(columns, me, 0, known) else -1
    search = NativeSearch(state, "result", 10**7, None)
    wanted = mine if me == 0 else -mine
    assert search.solve(state) and search.bounds(state) == (wanted, wanted)


def test_a_game_of_sixteen_plies_takes_few_positions() -> None:
    """Without moves that end the game first and an order that learns what fails, it takes more than eight million."""
    state = gamedsl.load("connect-four").initial_state()
    for text in HARD.split():
        state = state.apply(state.game.parse_move(text, state))
    found = solve(state, method="depth", limit=2_000_000)
    assert found.known and found.value == -1
