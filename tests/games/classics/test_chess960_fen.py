"""X-FEN and Shredder-FEN of Chess960, against python-chess."""

from __future__ import annotations

import random
from functools import cache

import pytest

import gamedsl
from gamedsl.language.source.diagnostic import GameDSLError


@cache
def game() -> gamedsl.Game:
    return gamedsl.load("chess960")


def check(seed: int) -> None:
    """A position of a random game is read from both notations, with python-chess' moves and its own texts."""
    chess = pytest.importorskip("chess")
    rng = random.Random(seed)
    board = chess.Board.from_chess960_pos(rng.randrange(960))
    for _ in range(rng.randrange(40)):
        moves = list(board.legal_moves)
        if not moves:
            return
        board.push(rng.choice(moves))
    board.fullmove_number += rng.choice([0, 36])
    for theirs in (board.fen(), board.shredder_fen()):
        state = game().position(theirs)
        if state.is_terminal:
            assert board.is_game_over(claim_draw=True)
            continue
        assert state.count_moves() == board.legal_moves.count(), theirs
        assert state.position_text(to="fen") == board.fen()
        assert state.position_text(to="shredder") == board.shredder_fen()
        read = game().position(state.position_text())
        assert read == state
        assert read.position_text(to="fen") == board.fen()


@pytest.mark.parametrize("seed", range(2))
def test_random_positions(seed: int) -> None:
    check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 202))
def test_many_random_positions(seed: int) -> None:
    check(seed)


CASES = [
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", 15),  # castling is one of the moves
    ("4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", None),  # the inner rook castles: X-FEN names its file
    ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", None),
]


@pytest.mark.parametrize(("fen", "moves"), CASES)
def test_rights_by_the_outermost_rook_or_by_files(fen: str, moves: int | None) -> None:
    chess = pytest.importorskip("chess")
    state, board = game().position(fen), chess.Board(fen, chess960=True)
    assert state.count_moves() == board.legal_moves.count() == (moves or board.legal_moves.count())
    assert state.position_text(to="fen") == fen


@pytest.mark.parametrize(
    ("name", "fen"),
    [
        ("chess960", "4k3/8/8/8/8/8/8/4K2R w Q - 0 1"),  # no rook on that side of the king
        ("chess960", "4k3/8/8/8/8/8/8/4K2R w G - 0 1"),  # no rook on that file
        ("chess", "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1"),  # no rook on a1
        ("chess", "4k3/8/8/8/8/8/8/3K3R w K - 0 1"),  # the king has moved
    ],
)
def test_rights_that_the_position_cannot_have_are_refused(name: str, fen: str) -> None:
    with pytest.raises(GameDSLError) as problem:
        gamedsl.load(name).position(fen)
    (found, *_) = problem.value.diagnostics
    assert (found.code, found.span.column) == ("E0656", fen.index(" w ") + 4)
