"""FEN of chess: against positions written out, and against python-chess where it is installed."""

from __future__ import annotations

import random
from functools import cache

import pytest

import gamedsl
from gamedsl.source.diagnostic import GameDSLError

# Positions of the chess programming wiki's perft page, and their numbers of plies and pairs of plies.
PERFT = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 20),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 48),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 14),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 6),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 44),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 46),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", 7),
]


@cache
def chess_game() -> gamedsl.Game:
    return gamedsl.load("chess")


@pytest.mark.parametrize(("fen", "moves"), PERFT)
def test_known_positions(fen: str, moves: int) -> None:
    state = chess_game().position(fen)
    assert len(state.legal_moves()) == moves
    assert state.position_text(to="fen").split()[:5] == fen.split()[:5]
    assert chess_game().position(state.position_text()) == state


def test_the_number_of_the_move_may_be_missing() -> None:
    fen, _ = PERFT[2]
    assert chess_game().position(fen) == chess_game().position(" ".join(fen.split()[:5]))


@pytest.mark.parametrize(
    ("fen", "code", "column"),
    [
        ("8/8/8/8/8/8/8/8 x - - 0 1", "E0656", 17),
        ("8/8/8/8/8/8/8 w - - 0 1", "E0656", 1),
        ("8/8/8/8/8/8/8/9 w - - 0 1", "E0650", 15),
        ("8/8/8/8/8/8/8/7z w - - 0 1", "E0651", 16),
        ("8/8/8/8/8/8/8/8 w KQkX - 0 1", "E0656", 19),
        ("8/8/8/8/8/8/8/8 w - e9 0 1", "E0656", 21),
        ("8/8/8/8/8/8/8/8 w - - 0 1 1", "E0656", 27),
        ("8/8/8/8/8/8/8/8 w -", "E0656", 1),
        ("8/8/8/8/8/8/8/8 w - - 151 1", "E0656", 23),
    ],
)
def test_what_is_no_position_is_refused_at_its_place(fen: str, code: str, column: int) -> None:
    with pytest.raises(GameDSLError) as problem:
        chess_game().position(fen)
    (found, *_) = problem.value.diagnostics
    assert (found.code, found.span.column) == (code, column)


def test_random_plays_have_the_positions_of_python_chess() -> None:
    chess = pytest.importorskip("chess")
    for seed in range(2):
        state, board, rng = chess_game().initial_state(), chess.Board(), random.Random(seed)
        for ply in range(100):
            if ply % 8 == 0 or board.ep_square is not None:
                theirs = [*board.fen().split()[:5], "1"]
                assert state.position_text(to="fen").split() == theirs
                read = chess_game().position(board.fen())
                assert {str(m) for m in read.legal_moves()} == {str(m) for m in state.legal_moves()}
                names = [v.name for v in read.game.program.variables if v.name != "positions"]
                assert [read.values(n) for n in names] == [state.values(n) for n in names]
            move = state.propose(rng)
            board.push_uci(uci(str(move), white=board.turn))
            state = state.apply(move)
            if state.is_terminal:
                break


def uci(text: str, white: bool) -> str:
    row = 1 if white else 8
    castled = {"O-O": f"e{row}g{row}", "O-O-O": f"e{row}c{row}"}
    return castled.get(text, text.replace(" e.p.", "").replace("=", "").lower())
