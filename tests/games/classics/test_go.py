"""Go: the numbers of legal positions against John Tromp's (OEIS A094777), and a second, plain implementation of the rules."""

from __future__ import annotations

from random import Random

import pytest

from gamedsl import State
from gamedsl.engine.stop import codes_of
from tests.games.classics.soundness import load, plays_end

LEGAL_POSITIONS = {2: 57, 3: 12675}  # OEIS A094777

Point = tuple[int, int]
Board = dict[Point, int]


def stones(state: State) -> tuple[int, ...]:
    var = next(v for v in state.game.program.variables if v.name == "stone")
    return tuple(codes_of(state, var))


def positions(n: int) -> int:
    """How many boards can arise: a board seen for the first time is never forbidden as a repeated one."""
    start = load("go", n=n).initial_state()
    seen, todo = {(stones(start), 0)}, [start]
    while todo:
        state = todo.pop()
        for move in state.legal_moves():
            then = state.apply(move)
            key = (stones(then), then.current_player)
            if not then.is_terminal and key not in seen:
                seen.add(key)
                todo.append(then)
    return len({board for board, _ in seen})


def group(board: Board, start: Point, n: int) -> tuple[set[Point], bool]:
    """The group of a stone, and whether it has a liberty."""
    found, todo, free = {start}, [start], False
    while todo:
        x, y = todo.pop()
        for at in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if not (0 <= at[0] < n and 0 <= at[1] < n):
                continue
            if at not in board:
                free = True
            elif board[at] == board[start] and at not in found:
                found.add(at)
                todo.append(at)
    return found, free


def played(board: Board, at: Point, player: int, n: int) -> Board:
    """The board after a stone is put down and what has no liberty is taken off."""
    new = {**board, at: player}
    for owner in (1 - player, player):
        dead = {p for p in new if new[p] == owner and not group(new, p, n)[1]}
        new = {p: o for p, o in new.items() if p not in dead}
    return new


def name(at: Point) -> str:
    return f"{'abcdefghi'[at[0]]}{at[1] + 1}"


def follow(seed: int, n: int, suicide: bool) -> None:
    """A random play, whose legal moves are those of the plain implementation at every ply."""
    rng, state = Random(seed), load("go", n=n, suicide=suicide).initial_state()
    board: Board = {}
    history = [board]
    player = 0
    for _ in range(40 * n):
        boards = {}
        for at in ((x, y) for x in range(n) for y in range(n) if (x, y) not in board):
            new = played(board, at, player, n)
            if new not in history and (suicide or at in new):
                boards[name(at)] = new
        assert {str(m) for m in state.legal_moves()} == {*boards, "pass"}
        text = rng.choice([*boards, "pass"]) if rng.random() < 0.1 or not boards else rng.choice([*boards])
        board = boards.get(text, board)
        history.append(board)
        player = 1 - player
        state = state.apply(state.game.parse_move(text, state))
        if state.is_terminal:
            break


def test_positions() -> None:
    assert positions(2) == LEGAL_POSITIONS[2]


@pytest.mark.slow
def test_many_positions() -> None:
    assert positions(3) == LEGAL_POSITIONS[3]


@pytest.mark.parametrize("suicide", [True, False])
@pytest.mark.parametrize("n", [2, 3, 5])
def test_against_plain_rules(n: int, suicide: bool) -> None:
    for seed in range(5):
        follow(seed, n, suicide)


def test_all_outcomes() -> None:
    assert plays_end("go", 60, 4000, n=3, komi=0) == {"black", "white", "nobody"}


@pytest.mark.slow
def test_many_plays() -> None:
    plays_end("go", 200, 4000, n=7)
