"""Games in files of other programs (PGN, PDN, SGF), and texts that join the plies of a turn."""

from __future__ import annotations

import io
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

import gamedsl
from gamedsl import Game, Move, State
from gamedsl.cli.main import main
from gamedsl.engine import Record
from gamedsl.language.rules.files import shipped
from gamedsl.language.source import GameDSLError
from tests.shipped_sample import small

MIDDLE_GAME = "r1bq1rk1/ppp2ppp/2n2n2/3pp3/1bP5/2NP1NP1/PP2PPBP/R1BQ1RK1 w - - 0 7"


def code(error: pytest.ExceptionInfo[GameDSLError]) -> str:
    return str(error.value.diagnostics[0].code)


# ------------------------------------------------------------------------------------------------------------- PGN


@pytest.mark.parametrize("seed", range(6))
def test_games_written_by_python_chess(seed: int) -> None:
    """With tags, a position to begin with, comments, glyphs and lines that were not played."""
    chess = pytest.importorskip("chess")
    pgn = pytest.importorskip("chess.pgn")
    rng = Random(seed)
    written = pgn.Game()
    if seed % 2:
        written.setup(chess.Board(MIDDLE_GAME))
    node, board = written, written.board()
    for ply in range(16):
        moves = list(board.legal_moves)
        move = rng.choice(moves)
        after = node.add_variation(move)
        if ply % 5 == 2:
            after.comment, after.nags = 'a remark; with (brackets), "quotes" and 1. e4', {1, 14}
        if ply % 4 == 1:
            other = rng.choice(moves)
            if other != move:
                node.add_variation(other, comment="not played").add_variation(chess.Move.null())
        node = after
        board.push(move)
    written.headers["Result"] = rng.choice(["1-0", "0-1", "1/2-1/2", "*"])
    record = Record.parse(str(written), "game.pgn")
    assert len(record.plies) == 16
    assert record.replay(gamedsl.load("chess"))[-1].position_text(to="fen") == board.fen()
    assert pgn.read_game(io.StringIO(str(written))) is not None


def test_castling_with_noughts_is_no_result() -> None:
    text = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. d3 0-0 6. h3"
    assert [e.text for e in Record.parse(text).plies][-3:] == ["d3", "0-0", "h3"]
    assert [e.text for e in Record.parse("1. 32-28 19-23 2. 28x19 0-0").plies] == ["32-28", "19-23", "28x19"]


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ('[Event "a"]\n\n1. e4 {no end', 3, "not closed"),
        ('[Event "a"]\n1. e4 (1. d4', 2, "not closed"),
        ('[Event "a"]\n1. e4) e5', 2, "closes nothing"),
        ('[Event "a"]\n1. e4 *\n\n[Event "b"]\n1. d4 *', 4, "another game"),
        ("1. e4 e5 1-0\n1. d4 d5 *", 2, "another game"),
        ("1. e4 e5 1-0 d4 2. d5", 1, "follows the result"),
    ],
)
def test_damaged_files(text: str, line: int, problem: str) -> None:
    with pytest.raises(GameDSLError) as error:
        Record.parse(text)
    assert code(error) == "E0531" and f"line {line}: " in str(error.value) and problem in str(error.value)


def test_lists_of_moves_are_what_they_were() -> None:
    """One ply a line, whatever is in it."""
    for text in ("1. X: r1c1\n2. O: r2c2\n", "open X a1 O a2\nX c3 O c4", "1. e4\n2. e5\n3. Nf3"):
        assert len(Record.parse(text).plies) == len(text.split("\n")) - text.endswith("\n")


@pytest.mark.parametrize(
    "text", ["1. e4 e5 1/2-1/2", "\ufeff1. e4 e5 *", "{a}\n1. e4 e5", '\ufeff[Event "a"]\n\n1.e4 e5 1-0\r\n']
)
def test_other_beginnings_and_ends(text: str) -> None:
    assert [e.text for e in Record.parse(text).plies] == ["e4", "e5"]


def test_a_long_file_takes_linear_time() -> None:
    """Tokens looked up from the beginning would take hours."""
    tags = '[Event "a"]\n' * 20_000
    assert Record.parse("\n" * 200_000 + "a1").plies[0].text == "a1"
    assert len(Record.parse('[Event "a"] 1. ' + "0-0 " * 100_000 + "*").plies) == 100_000
    assert Record.parse(tags + "1. e4 " + "(" * 100_000 + ")" * 100_000 + " e5 *").plies[1].text == "e5"


def test_the_commands_read_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.pgn"
    file.write_text('[Event "casual"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 Nc6 *\n', encoding="utf-8")
    after = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\n"
    for start in (str(file), "1. e4 e5 2. Nf3 Nc6", "e4; e5; Nf3; Nc6"):
        assert main(["position", "chess", "--from", start, "--notation", "fen"]) == 0
        assert capsys.readouterr().out == after
    assert main(["position", "chess", "--from", "1. e4 e5", "--notation", "fen"]) == 0
    assert capsys.readouterr().out.startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w")
    assert main(["replay", str(file), "--game", "chess"]) == 0
    assert "4. black: b8c6" in capsys.readouterr().out


# ------------------------------------------------------------------------------------------------------------- SGF


def test_a_game_of_go() -> None:
    """White's stone in the corner is captured by b9 and a8: points are counted from the top left."""
    text = "(;GM[1]FF[4]SZ[9]C[a \\] bracket];B[ba];W[aa];B[ab](;W[];B[tt];W[ee])(;W[cc];B[dd]))"
    record = Record.parse(text.replace("B[tt]", "B[]"), "game.sgf")
    assert [e.text for e in record.plies] == ["ba", "aa", "ab", "pass", "pass", "ee"]
    end = Record.parse(text.split("(;W[]")[0] + ")", "game.sgf").replay(gamedsl.load("go", n=9))[-1]
    assert end.ask("stone[white]") == frozenset() and end.ask("stone[black]") == {"b9", "a8"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(;SZ[9];B[ee];W[cc]", "cut"),
        ("(;SZ[9](;B[ee])", "cut"),
        ("(;SZ[9];B[ee])(;SZ[9];B[cc])", "another game"),
        ("(;SZ[9]AB[aa];W[cc])", "usual position"),
        ("(;SZ[9];W[cc])", "not W's turn"),
        ("(;SZ[9];B[cc];B[dd])", "not B's turn"),
        ("(;SZ[nine];B[cc])", "not the size"),
        ("(;SZ[9];B cc)", "not part of a property"),
    ],
)
def test_files_that_are_refused(text: str, expected: str) -> None:
    with pytest.raises(GameDSLError) as error:
        Record.parse(text)
    assert code(error) == "E0531" and expected in str(error.value)


def test_an_old_pass() -> None:
    text = "\ufeff(;SZ[9];B[cc];W[tt];B[])"
    assert [e.text for e in Record.parse(text).plies] == ["cc", "pass", "pass"]
    assert Record.parse(text).replay(gamedsl.load("go", n=9))[-1].is_terminal


def test_a_board_of_another_size_is_refused() -> None:
    for text in ("(;SZ[13];B[cc])", "(;B[cc])"):
        with pytest.raises(GameDSLError) as error:
            Record.parse(text).replay(gamedsl.load("go", n=9))
        assert code(error) == "E0533"
    assert len(Record.parse("(;B[cc])").replay(gamedsl.load("go"))) == 2


# ------------------------------------------------------------------------------------------- plies that are joined

CASE = """\
to_move: white
board:
  - ". . . . . . . . . ."
  - ". . . . . . . . . ."
  - ". . . . . . . . . ."
  - ". . . . . . . . . ."
  - ". . . . . b . . . ."
  - ". . . . . . . . . ."
  - ". . . b . . . . . ."
  - "b . w . . . . . . ."
  - ". . . . . . . . . ."
  - ". . . . . . . . . ."
"""


def end_of(game: Game, state: State, text: str) -> State:
    return game.play_text(text, state)[-1][1]


def test_a_double_capture() -> None:
    """c3 is square 37; it jumps over d4 and f6, by e5 (28) to g7 (19)."""
    game = gamedsl.load("international-draughts")
    state = game.position(CASE)
    one_by_one = end_of(game, end_of(game, state, "37x28"), "28x19")
    for text in ("37x28x19", "37x19", "37X19", "c3xe5xg7", "c3xg7"):
        assert end_of(game, state, text) == one_by_one, text
    for text in ("37x17", "37x28x17", "37-19", "36x19"):
        with pytest.raises(GameDSLError) as error:
            game.play_text(text, state)
        assert code(error) == "E0501"


def chains(game: Game, seed: int, plies: int) -> list[tuple[State, list[Move], State]]:
    """The turns of a random game in which each ply begins where the one before ended: the state, the plies, the state after."""
    state, rng, found = game.initial_state(), Random(seed), list[tuple[State, list[Move], State]]()
    before, made = state, list[Move]()
    for _ in range(plies):
        if state.is_terminal:
            break
        player = state.to_act if state.kind == "player" else None
        move = state.propose(rng)
        if player is None or (made and state.to_act != (made[-1].player,)):
            before, made = state, []
        if not made:
            before = state
        if player is not None:
            made.append(move)
        state = state.apply(move)
        if len(made) > 1 and (state.is_terminal or state.to_act != player):
            found.append((before, made, state))
    return found


LONG_TURNS = ("backgammon", "english-draughts", "international-draughts")  # 32 such turns in three games each


@pytest.mark.parametrize("name", [n if n in LONG_TURNS else pytest.param(n, marks=pytest.mark.slow) for n in shipped()])
def test_a_turn_may_be_written_as_one(name: str) -> None:
    """The joined text leads where the plies lead, or is refused; it never leads elsewhere."""
    game = gamedsl.load(name, **small(name))
    if game.secrets.hides:
        return
    for before, made, after in chains(game, 3, 80):
        texts = [str(move) for move in made]
        for sign in "x-/*":
            words = [text.split(sign) for text in texts]
            if all(len(w) == 2 and w[0] and w[1] for w in words) and all(a[1] == b[0] for a, b in pairwise(words)):
                joined = sign.join([words[0][0], *(w[1] for w in words)])
                try:
                    assert end_of(game, before, joined) == after
                except GameDSLError as error:
                    assert error.diagnostics[0].code == "E0502"
