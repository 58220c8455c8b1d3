"""Chess960: 960 starts, and the usual positions with their known numbers of sequences."""

from __future__ import annotations

import pytest

from gamedsl import State
from gamedsl.engine.perft_counts import perft
from gamedsl.engine.stop import codes_of
from tests.games.classics.native import native_perft
from tests.games.classics.soundness import after, load
from tests.games.classics.test_chess import pieces

NAME = "chess960"

# Chess Programming Wiki, page "Chess960 Perft Results": numbers 1 and 2, with the files of the rooks and the king.
POSITIONS = {
    1: ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR", (6, 8), 7, [21, 528, 12189, 326672]),
    2: ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR", (5, 8), 7, [21, 807, 18002, 667366]),
}
QUICK = 20_000
CASES = [(n, d + 1) for n, (_, _, _, found) in POSITIONS.items() for d in range(len(found))]


def position(number: int) -> State:
    """White to move in one of the positions, with all rights of castling."""
    board, rooks, king, _ = POSITIONS[number]
    start = after(NAME, "pick c1", "pick f1", "pick d1", "pick b1", "pick g1")
    values = pieces(board) | {"castling": [3, 3], "king_starts": [king], "rooks_start": list(rooks)}
    return start.with_values({(name, 0): slots for name, slots in values.items()})


def starts() -> set[str]:
    """The first rows of all starts that chance can make."""
    todo, found = [load(NAME).initial_state()], set()
    while todo:
        state = todo.pop()
        if state.kind == "chance":
            todo.extend(state.apply(move) for move, _ in state.chance_outcomes())
        else:
            values = {v.name: codes_of(state, v) for v in state.game.program.variables}
            found.add(str([values[kind] for kind in ("rook", "knight", "bishop", "queen", "king")]))
    return found


def test_there_are_960_starts() -> None:
    assert len(starts()) == 960


def test_the_start_of_chess_is_one() -> None:
    start = after(NAME, "pick c1", "pick f1", "pick d1", "pick b1", "pick g1")
    assert [perft(start, d) for d in (1, 2, 3)] == [20, 400, 8902]


@pytest.mark.parametrize("number, depth", [c for c in CASES if POSITIONS[c[0]][3][c[1] - 1] <= QUICK])
def test_sequences(number: int, depth: int) -> None:
    assert perft(position(number), depth) == POSITIONS[number][3][depth - 1]


@pytest.mark.slow
@pytest.mark.parametrize("number, depth", [c for c in CASES if POSITIONS[c[0]][3][c[1] - 1] > QUICK])
def test_many_sequences(number: int, depth: int) -> None:
    assert native_perft(position(number), depth) == POSITIONS[number][3][depth - 1]
