"""FEN of chess: against positions written out, and against python-chess where it is installed."""

from __future__ import annotations

import pickle
import random
from functools import cache
from typing import Any, Literal, TypeAlias

import pytest

import gamedsl
from gamedsl.language.source.diagnostic import GameDSLError
from tests.values import codes_named

Backend: TypeAlias = Literal["interpreter", "native"]

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
def chess_game(backend: Backend = "interpreter") -> gamedsl.Game:
    return gamedsl.load("chess", backend=backend)


@pytest.mark.parametrize(("fen", "moves"), PERFT)
def test_known_positions(fen: str, moves: int) -> None:
    state = chess_game().position(fen)
    assert len(state.legal_moves()) == moves
    assert state.position_text(to="fen") == fen
    read = chess_game().position(state.position_text())
    assert read == state
    assert read.position_text(to="fen") == fen


def test_the_number_of_the_move_may_be_missing() -> None:
    fen, _ = PERFT[2]
    state = chess_game().position(" ".join(fen.split()[:5]))
    assert state == chess_game().position(fen)
    assert state.position_text(to="fen") == fen


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
        ("8/8/8/8/8/8/8/7k w - - 0 one", "E0656", 26),
        ("8/8/8/8/8/8/8/7k w - - 0 1000000", "E0656", 26),
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
                assert state.position_text(to="fen") == board.fen()
                read = chess_game().position(board.fen())
                assert read.position_text(to="fen") == board.fen()
                assert {str(m) for m in read.legal_moves()} == {str(m) for m in state.legal_moves()}
                names = [v.name for v in read.game.program.variables if v.name != "positions"]
                assert [codes_named(read, n) for n in names] == [codes_named(state, n) for n in names]
            move = state.propose(rng)
            board.push_uci(uci(str(move), white=board.turn))
            state = state.apply(move)
            if state.is_terminal:
                break


# Moves that end a game, and the position that python-chess 1.11.2 gives after them.
FINISHED = [
    ("f2f3 e7e5 g2g4 d8h4", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"),  # mate
    (  # stalemate: Sam Loyd, 1878
        "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 f7g6 c8e6",
        "5bnr/4p1pq/4Qpkr/7p/7P/4P3/PPPP1PP1/RNB1KBNR b KQ - 2 10",
    ),
    (  # the first position for the third time
        "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 8 5",
    ),
]


@pytest.mark.parametrize("backend", ["interpreter", "native"])
@pytest.mark.parametrize(("moves", "fen"), FINISHED)
def test_a_finished_game_is_written(backend: Backend, moves: str, fen: str) -> None:
    game = chess_game(backend)
    state = game.initial_state()
    for text in moves.split():
        state = state.apply(game.parse_move(text, state))
    assert state.is_terminal
    assert state.position_text(to="fen") == fen
    again = pickle.loads(pickle.dumps(state))
    assert again.position_text(to="fen") == fen


@pytest.mark.parametrize(("moves", "fen"), FINISHED)
def test_the_finished_positions_are_those_of_python_chess(moves: str, fen: str) -> None:
    chess = pytest.importorskip("chess")
    board = chess.Board()
    for text in moves.split():
        board.push_uci(text)
    assert board.fen() == fen


@pytest.mark.parametrize("backend", ["interpreter", "native"])
@pytest.mark.parametrize("mover", ["w", "b"])
@pytest.mark.parametrize("board", ["k7/8/8/8/8/8/8/7K {} - - 0 37", "k7/8/8/8/8/8/8/6QK {} - - 100 150"])
def test_a_finished_position_that_was_read_is_written_again(backend: Backend, mover: str, board: str) -> None:
    fen = board.format(mover)
    state = chess_game(backend).position(fen)
    assert state.is_terminal
    assert state.position_text(to="fen") == fen
    for again in (pickle.loads(pickle.dumps(state)), chess_game(backend).deserialize(state.serialize())):
        assert again.position_text(to="fen") == fen


def play_along(board: Any, state: gamedsl.State, rng: random.Random, plies: int, every: int) -> gamedsl.State:
    """Plays random moves on both boards, and compares their whole FEN after every so many plies, and at the end."""
    for ply in range(plies):
        if state.is_terminal:
            break
        move = rng.choice(list(board.legal_moves))
        text = ours(board, move)
        board.push(move)
        state = state.apply(state.game.parse_move(text, state))
        if ply % every == 0:
            assert state.position_text(to="fen") == board.fen()
    assert state.position_text(to="fen") == board.fen()
    return state


def check_game(seed: int, every: int = 4) -> None:
    """A random game has python-chess' FEN; so has one that goes on from its position, with another number of the move."""
    chess = pytest.importorskip("chess")
    rng, game = random.Random(seed), chess_game("native" if seed % 2 else "interpreter")
    board, state = chess.Board(), game.initial_state()
    state = play_along(board, state, rng, rng.randrange(10, 90), every)
    if state.is_terminal:
        return
    number = rng.choice([1, 37, rng.randrange(1, 400)])
    fen = " ".join([*board.fen().split()[:5], str(number)])
    play_along(chess.Board(fen), game.position(fen), rng, rng.randrange(1, 30), every)


@pytest.mark.parametrize("seed", range(8))
def test_random_games_have_the_whole_fen_of_python_chess(seed: int) -> None:
    check_game(seed, every=12)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8, 308))
def test_many_random_games_have_the_whole_fen_of_python_chess(seed: int) -> None:
    check_game(seed)


@pytest.mark.parametrize("backend", ["interpreter", "native"])
def test_black_to_move_at_number_37(backend: Backend) -> None:
    chess, game = pytest.importorskip("chess"), chess_game(backend)
    fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 37"
    board, state = chess.Board(fen), game.position(fen)
    for text in ("e8g8", "e1c1", "h3g2"):
        move = board.parse_uci(text)
        state = state.apply(game.parse_move(ours(board, move), state))
        board.push(move)
        assert state.position_text(to="fen") == board.fen()
    assert state.position_text(to="fen").endswith(" w - - 0 39")


@pytest.mark.parametrize("backend", ["interpreter", "native"])
def test_random_endgames_are_written_to_their_ends_as_python_chess_does(backend: Backend) -> None:
    chess = pytest.importorskip("chess")
    game, rng, ends = chess_game(backend), random.Random(5), set()
    for _ in range(40):
        board = chess.Board(None)
        while not board.is_valid() or board.is_game_over():
            squares = rng.sample(range(64), 5)
            board = chess.Board(None)
            for square, piece in zip(
                squares, ["K", "k", rng.choice("QR"), rng.choice("Qqr"), rng.choice("nb")], strict=True
            ):
                board.set_piece_at(square, chess.Piece.from_symbol(piece))
            board.turn, board.halfmove_clock = rng.random() < 0.5, rng.randrange(60, 95)
            board.fullmove_number = board.halfmove_clock + 37
        state = game.position(board.fen())
        while not state.is_terminal:
            moves = list(board.legal_moves)
            move = next((m for m in moves if mates(board, m)), rng.choice(moves))
            board.push(move)
            state = state.apply(game.parse_move(move.uci(), state))
        assert state.position_text(to="fen") == board.fen()
        ends.add(board.outcome(claim_draw=True).termination.name)
    assert ends >= {"CHECKMATE", "STALEMATE", "INSUFFICIENT_MATERIAL", "FIFTY_MOVES"}


def mates(board: Any, move: Any) -> bool:
    board.push(move)
    found = board.is_checkmate()
    board.pop()
    return bool(found)


def ours(board: Any, move: Any) -> str:
    """A legal move as the ruleset writes it."""
    if board.is_castling(move):
        return "O-O" if board.is_kingside_castling(move) else "O-O-O"
    text = move.uci()
    return text + " e.p." if board.is_en_passant(move) else text[:4] + f"={text[4:].upper()}".rstrip("=")


def uci(text: str, white: bool) -> str:
    row = 1 if white else 8
    castled = {"O-O": f"e{row}g{row}", "O-O-O": f"e{row}c{row}"}
    return castled.get(text, text.replace(" e.p.", "").replace("=", "").lower())
