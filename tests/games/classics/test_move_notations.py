"""Notations of moves: chess against published plays and python-chess, draughts and go against counts by hand."""

from __future__ import annotations

import random
from functools import cache

import pytest

import gamedsl
from gamedsl.language.source.diagnostic import GameDSLError

# Paul Morphy against the Duke of Brunswick and Count Isouard, Paris 1858
OPERA = """e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7
Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#"""


@cache
def game(name: str, backend: str = "interpreter") -> gamedsl.Game:
    return gamedsl.load(name, backend="native" if backend == "native" else "interpreter")


def texts(state: gamedsl.State, notation: str) -> set[str]:
    return {state.move_text(m, notation) for m in state.legal_moves()}


def test_a_published_play_is_read_and_written() -> None:
    state = game("chess").initial_state()
    for text in OPERA.split():
        move = game("chess").parse_move(text, state)
        assert state.move_text(move, "san") == text
        state = state.apply(move)
    assert state.winners == {0}


@pytest.mark.parametrize(
    ("fen", "some"),
    [
        ("8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1", {"Qee1", "Qh4e1", "Q1e1"}),  # file, both, rank
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", {"Ne2"}),  # the knight on c3 is pinned: nothing to tell apart
        ("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", {"Nce2", "Nge2"}),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", {"a8=Q", "a8=N", "axb8=Q+", "axb8=R+", "axb8=B"}),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", {"exd6", "e6"}),
        ("7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", {"Qb8#", "Qb2+", "Qh1+"}),
    ],
)
def test_what_tells_moves_apart(fen: str, some: set[str]) -> None:
    assert some <= texts(game("chess").position(fen), "san")


def test_reading_is_lenient() -> None:
    state = game("chess").position("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1")
    read = game("chess").parse_move
    wanted = {"Nge2": "g1e2", "Ng1e2": "g1e2", "nge2": "g1e2", "Nge2+": "g1e2", "Nb5": "c3b5", "Ncb5": "c3b5"}
    assert {text: str(read(text, state)) for text in wanted} == wanted
    with pytest.raises(GameDSLError, match="E0502"):
        read("Ne2", state)
    with pytest.raises(GameDSLError, match="E0501"):
        read("Ne3", state)
    with pytest.raises(GameDSLError, match="E0658"):
        read("Ne3", state, notation="sam")
    with pytest.raises(GameDSLError, match="E0659"):
        read("Ne3", state, notation="fen")


def against_python_chess(play: gamedsl.Game, seed: int, plies: int) -> int:
    """Compares the texts of all legal moves on a random play with those of python-chess. Returns how many."""
    chess = pytest.importorskip("chess")
    state, board, rng, count = play.initial_state(), chess.Board(), random.Random(seed), 0
    for ply in range(plies):
        if state.is_terminal or board.is_game_over():
            break
        moves = {uci(str(m), board.turn): m for m in state.legal_moves()}
        if ply % 3 == 0:
            theirs = {m.uci(): board.san(m) for m in board.legal_moves}
            assert {u: state.move_text(m, "san") for u, m in moves.items()} == theirs
            assert {u: play.parse_move(text, state) for u, text in theirs.items()} == moves
            count += len(moves)
        chosen = rng.choice(sorted(moves))
        board.push_uci(chosen)
        state = state.apply(moves[chosen])
    return count


def test_one_play_is_written_as_python_chess_does() -> None:
    assert against_python_chess(game("chess"), 1, 60) > 100


@pytest.mark.slow
def test_plays_are_written_as_python_chess_does() -> None:
    assert sum(against_python_chess(game("chess", "native"), seed, 300) for seed in range(12)) > 3000


def uci(text: str, white: bool) -> str:
    row = 1 if white else 8
    castled = {"O-O": f"e{row}g{row}", "O-O-O": f"e{row}c{row}"}
    return castled.get(text, text.replace(" e.p.", "").replace("=", "").lower())


# ---------------------------------------------------------------------------------------------- draughts and go


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("international-draughts", "31-26 31-27 32-27 32-28 33-28 33-29 34-29 34-30 35-30"),
        ("english-draughts", "9-13 9-14 10-14 10-15 11-15 11-16 12-16"),
    ],
)
def test_the_first_moves_of_draughts(name: str, first: str) -> None:
    assert texts(game(name).initial_state(), "pdn") == set(first.split())


@pytest.mark.parametrize(
    ("name", "opening"),
    [
        ("international-draughts", "32-28 19-23 28x19 14x23"),
        ("english-draughts", "11-15 22-18 15x22 25x18"),  # the Single Corner
        ("english-draughts", "11-15 23-19 8-11 22-17 4-8"),  # the Old Fourteenth
        ("english-draughts", "10-15 23-18 12-16 21-17 9-13 17-14"),  # the Kelso-Cross
    ],
)
def test_openings_of_draughts(name: str, opening: str) -> None:
    state = game(name).initial_state()
    for text in opening.split():
        move = game(name).parse_move(text, state)
        assert state.move_text(move, "pdn") == text
        state = state.apply(move)


def test_go_has_no_column_i() -> None:
    play = gamedsl.load("go", n=19)
    state = play.initial_state()
    found = texts(state, "coordinates")
    assert {"A1", "H8", "J9", "T19", "pass"} <= found
    assert not any(t.startswith("I") for t in found)
    assert len(found) == 19 * 19 + 1
    assert str(play.parse_move("T19", state)) == "s19"
    # records keep the names of the ruleset, and these are read first unless the notation is asked for
    assert str(play.parse_move("j5", state)) == "j5"
    assert str(play.parse_move("J5", state, notation="coordinates")) == "i5"
    assert str(play.parse_move("pass", state, notation="coordinates")) == "pass"
