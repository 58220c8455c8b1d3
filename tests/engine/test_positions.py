"""Positions as text: what is written is read back as the same state, and what can't be is refused at its place."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gamedsl
from gamedsl.cli.main import main
from gamedsl.engine.records.record import Record
from gamedsl.language.rules.files import shipped
from gamedsl.language.source.diagnostic import GameDSLError
from tests.shipped_sample import sampled, small
from tests.values import codes_named

SHIPPED = sorted(shipped())
DRAWN = {"abs-trac-toe"}  # a random drawing takes long


@cache
def game_of(name: str) -> gamedsl.Game:
    return gamedsl.load(name, **small(name))


def play(game: gamedsl.Game, seed: int, most: int) -> Iterator[gamedsl.State]:
    """The states of a random play, also those with a part of the choices made at once."""
    state, rng = game.initial_state(), random.Random(seed)
    yield state
    for _ in range(most):
        if state.is_terminal:
            return
        state = state.apply(state.propose(rng))
        yield state


def check(state: gamedsl.State) -> None:
    text = state.position_text()
    assert state.game.position(text) == state, text
    assert state.game.position(state.position_text(one_line=True)) == state


@pytest.mark.parametrize("name", sampled(SHIPPED, "test_a_position_is_read_as_it_was_written"))
def test_a_position_is_read_as_it_was_written(name: str) -> None:
    states = list(play(game_of(name), 1, 3 if name in DRAWN else 30))
    for state in (states[0], states[len(states) // 2], states[-1]):
        check(state)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_every_position_of_some_plays_is_read_as_it_was_written(name: str) -> None:
    for seed in range(1 if name in DRAWN else 4):
        for state in play(game_of(name), seed, 150):
            check(state)


SMALL = (
    "rock-paper-scissors",
    "phantom-tic-tac-toe",
    "oware",
    "pig",
    "nim",
    "liars-dice",
    "tic-tac-toe",
    "t-tic-t-tac-toe",
)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(SMALL), st.integers(0, 10**6), st.integers(0, 40))
def test_small_games(name: str, seed: int, plies: int) -> None:
    check(list(play(game_of(name), seed, plies))[-1])


def test_compiled_games_read_the_same() -> None:
    native = gamedsl.load(TIC, backend="native")
    state = list(play(game_of(TIC), 5, 4))[-1]
    read = native.position(state.position_text())
    assert read == state
    assert [str(m) for m in read.legal_moves()] == [str(m) for m in state.legal_moves()]


def test_chess_reads_like_a_board() -> None:
    assert game_of("chess").initial_state().position_text() == (
        "game: chess\n"
        "options: { draws: automatic }\n"
        "to_move: white\n"
        "board:\n"
        '  - "r n b q k b n r"  # a8 to h8\n'
        '  - "p p p p p p p p"  # a7 to h7\n'
        '  - ". . . . . . . ."  # a6 to h6\n'
        '  - ". . . . . . . ."  # a5 to h5\n'
        '  - ". . . . . . . ."  # a4 to h4\n'
        '  - ". . . . . . . ."  # a3 to h3\n'
        '  - "P P P P P P P P"  # a2 to h2\n'
        '  - "R N B Q K B N R"  # a1 to h1\n'
        "set:\n"
        "  castling: { white: [queen_side, king_side], black: [queen_side, king_side] }\n"
    )


def test_a_board_may_be_one_text_and_nothing_else_need_be_told() -> None:
    state = game_of("tic-tac-toe").position("board: |\n  X . O\n  . X .\n  . . .\n")
    assert state.current_player == 0
    assert len(state.legal_moves()) == 6


def test_a_player_without_a_move_is_mated_at_once() -> None:
    rows = ["R . . . . . k .", ". . . . . p p p", *[". . . . . . . ."] * 5, ". . . . . . K ."]
    state = game_of("chess").position(json.dumps({"to_move": "black", "board": rows}))
    assert state.is_terminal
    assert state.winners == {0}


def test_the_turn_notes_a_position_before_the_decision() -> None:
    """Go: a board that is noted may not come again."""
    go = gamedsl.load("go", n=2)
    state = go.position('to_move: black\nboard: [". .", "x ."]\n')
    assert [n for _, n in codes_named(state, "positions")[0].items()] == [1]
    assert state == go.position('to_move: black\nboard: [". .", "x ."]\nhistory: this\n')


def test_what_a_seat_does_not_know_is_left_out() -> None:
    game = game_of("phantom-tic-tac-toe")
    one, other = (game.initial_state(), game.initial_state())
    for a, b in zip(("a1", "b2"), ("a1", "c3"), strict=True):
        one, other = one.apply(game.parse_move(a, one)), other.apply(game.parse_move(b, other))
    assert one != other
    assert one.position_text(for_seat=0) == other.position_text(for_seat=0)
    assert one.position_text(for_seat=1) != other.position_text(for_seat=1)
    with pytest.raises(GameDSLError, match="E0655"):
        game.position(one.position_text(for_seat=0))


# --------------------------------------------------------------------------------------------------------- refused

TIC = "tic-tac-toe"
REFUSED = [
    (TIC, 'board:\n  - "X . O"\n  - ". Y ."\n  - ". . ."\n', "E0651", 3, 8, "Y is not a symbol for b2"),
    (TIC, 'board:\n  - "X . O"\n  - ". X"\n  - ". . ."\n', "E0650", 3, 5, "the row a2 to c2 has 3 cells, not 2"),
    (TIC, 'board: ["X . O"]\n', "E0650", 1, 8, "the board has 3 rows, not 1"),
    (TIC, "boards: []\n", "E0640", 1, 1, "key boards"),
    (TIC, "set: { mark: { X: [a1, b2], O: [b2] } }\n", "E0644", 1, 24, "mark[X] and mark[O] both have a piece on b2"),
    (TIC, "set: { mark: { X: [a1, a1] } }\n", "E0644", 1, 24, "a1 is named twice"),
    (TIC, "set: { mark: { X: [a1, a9] } }\n", "E0644", 1, 24, "'a9' is not one of cell"),
    (TIC, "set: { mark: { Z: [a1] } }\n", "E0644", 1, 16, "Z is none of X, O"),
    (TIC, "set: { marks: { X: [a1] } }\n", "E0644", 1, 8, "there is no variable or piece called marks"),
    (TIC, 'board: [". . .", ". . .", ". . ."]\nset: { mark: { X: [a1] } }\n', "E0644", 2, 8, "`board` already gives mark"),
    (TIC, "to_move: Z\n", "E0653", 1, 10, "there is no such player"),
    (TIC, "to_move: chance\n", "E0653", 1, 10, "a player is to move here"),
    (TIC, "at: plays piece\n", "E0652", 1, 5, "the course of play has no place called plays piece"),
    (TIC, "history: this\n", "E0644", 1, 10, "nothing is noted in this game"),
    (TIC, "chosen: { X: a1 }\n", "E0644", 1, 9, "nobody chooses in secret here"),
    (TIC, "game: chess\n", "E0654", 1, 7, "of chess, not of tic-tac-toe"),
    ("nim", "options: { heaps: 99 }\n", "E0654", 1, 19, "there is no option heaps"),
    ("nim", "options: { a: 5 }\n", "E0654", 1, 15, "a is 5, not"),
    ("kalah", "set: { last: 99 }\n", "E0644", 1, 14, "99 is outside 1 to 13"),
    ("backgammon", 'at: "roll a"\nset: { checker: { white: [t1, t1, t1, t1, t1, t1, t1, t1, t1, t1, t1, t1, t1, t1, t1, t1] } }\n',
     "E0644", 2, 26, "on t1; at most 15 can be"),
    ("backgammon", 'at: "roll a"\nset: { checker: { white: [t1, t2, t3, t4, t5, t6, t7, t8, t9, t1, t2, t3, t4, t5, t6, t7] } }\n',
     "E0644", 2, 26, "16 pieces checker[white] are set, but there are only 15"),
    ("go", "history: [zzz]\n", "E0644", 1, 11, "this is not a noted position"),
    ("rock-paper-scissors", "chosen: { left: rock, right: paper }\n", "E0644", 1, 30, "then all players would have chosen"),
    ("rock-paper-scissors", "chosen: { left: stone }\n", "E0644", 1, 17, "is not a move of this game"),
    ("chess", "to_move: white\nset: { rook: { white: [a1] } }\n", "E0644", 2, 6, "the rules cannot continue from there"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "code", "line", "column", "words"), REFUSED, ids=range(len(REFUSED)))
def test_what_cannot_be_is_refused(name: str, text: str, code: str, line: int, column: int, words: str) -> None:
    with pytest.raises(GameDSLError) as problem:
        game_of(name).position(text)
    (found, *_) = problem.value.diagnostics
    assert (found.code, found.span.line, found.span.column) == (code, line, column), found
    assert words in found.message
    assert found.help or found.near or " is none of " in found.message


def test_a_name_that_was_meant_is_suggested() -> None:
    for text, near in (
        ("set: { marks: {} }\n", "mark"),
        ("to_moves: X\n", "to_move"),
        ("at: plays plaice\n", "plays place"),
    ):
        with pytest.raises(GameDSLError) as problem:
            game_of(TIC).position(text)
        assert near in problem.value.diagnostics[0].near


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_spoilt_position_is_read_or_refused(data: st.DataObject) -> None:
    """No text makes anything but a state or a message."""
    game = game_of(data.draw(st.sampled_from(("tic-tac-toe", "oware", "rock-paper-scissors", "phantom-tic-tac-toe"))))
    text = list(play(game, data.draw(st.integers(0, 50)), 6))[-1].position_text()
    at = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 3))
    spoilt = (
        text[:at] + data.draw(st.sampled_from(("", "x", "0", '"', "[", ": ", "-", "\n", "{", "?"))) + text[at + cut :]
    )
    try:
        state = game.position(spoilt)
    except GameDSLError:
        return
    check(state)


# ----------------------------------------------------------------------------------------------------- the commands


def test_the_command_prints_what_the_others_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "position.yaml"
    assert main(["position", TIC, "--from", "a1; b1; b2", "-o", str(file)]) == 0
    assert main(["position", TIC, "--position", str(file)]) == 0
    assert capsys.readouterr().out == file.read_text(encoding="utf-8")
    for command in (
        ["perft", TIC, "--depth", "2"],
        ["solve", TIC],
        ["simulate", TIC, "-n", "20", "--backend", "interpreter"],
        ["verify", TIC, "--no-save", "-q"],
    ):
        found = []
        for how in (["--position", str(file)], ["--from", "a1; b1; b2"], ["--position", str(file), "--from", ""]):
            form = ["--format", "json"] if command[0] in ("perft", "solve") else []
            assert main([*command, *how, *form]) == 0
            found.append([x for x in capsys.readouterr().out.splitlines() if "seconds" not in x and " s " not in x])
        assert found[0][:3] == found[1][:3] == found[2][:3]


def test_moves_follow_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    board = '{"to_move": "O", "board": ["X . .", ". . .", ". . ."]}'
    assert main(["position", TIC, "--from", "b2", "--position", board, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["board"] == ["X . .", ". O .", ". . ."]


def test_a_play_begins_at_a_position_and_its_record_tells_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board, file = tmp_path / "begin.yaml", tmp_path / "play.record"
    board.write_text('to_move: O\nboard: ["X . .", ". X .", "O . ."]\n', encoding="utf-8")
    seats = ["--seats", "random", "--seed", "3", "--plain"]
    assert main(["play", TIC, "--position", str(board), *seats, "-o", str(file)]) == 0
    record = Record.read(file)
    states = record.replay(game_of(TIC))
    assert states[0] == game_of(TIC).position(board.read_text(encoding="utf-8"))
    assert states[-1].is_terminal
    assert main(["replay", str(file)]) == 0
    capsys.readouterr()
    assert main(["play", "--resume", str(file), "--plain"]) == 0
    assert "the game is over after" in capsys.readouterr().out
    assert main(["play", "--resume", str(file), "--position", str(board)]) == 2
    assert main(["play", "--position", str(board)]) == 2


def test_a_record_for_a_seat_tells_its_position_only() -> None:
    game = game_of("phantom-tic-tac-toe")
    state = list(play(game, 2, 3))[-1]
    record = Record.begin(game, "phantom-tic-tac-toe", position=state.position_text(one_line=True))
    told = json.loads(record.for_seat(game, 0).position)
    assert told == json.loads(state.position_text(for_seat=0, one_line=True))
    assert Record.parse(record.text()).replay(game) == [state]


def test_a_file_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", TIC, "--depth", "1", "--position", "nowhere.yaml"]) == 2
    assert "there is no file `nowhere.yaml`" in capsys.readouterr().err
    assert main(["position", TIC, "--seat", "Y"]) == 2
    assert "there is no player Y" in capsys.readouterr().err


HELD = """
players X, O

type suit = {hearts, spades}

state
  held: player -> suit -> 0..4

move take_one(s: suit) written "{s}"
  when held[me, s] < 4
  add 1 to held[me, s]

play
  turns from X, 4 times
    me plays take_one
  draw
"""


def test_keys_nest(tmp_path: Path) -> None:
    path = tmp_path / "held.gdl"
    path.write_text(HELD)
    game = gamedsl.load(path)
    nested = game.position("set:\n  held: { X: { hearts: 4 }, O: { spades: 2, hearts: 1 } }\n")
    assert nested == game.position('set:\n  held: { "X, hearts": 4, "O, spades": 2, "O, hearts": 1 }\n')
    assert codes_named(nested, "held") == [4, 0, 1, 2]
    with pytest.raises(GameDSLError) as problem:
        game.position("set:\n  held: { X: { hearts: 4 }, O: { spade: 2 } }\n")
    assert (problem.value.diagnostics[0].code, problem.value.diagnostics[0].span.column) == ("E0644", 34)
    (tmp_path / "held.examples.yaml").write_text(
        "examples:\n  - name: full\n    set: { held: { X: { hearts: 4 } } }\n    only: [spades]\n"
    )
    assert main(["test", str(path)]) == 0


def test_a_board_without_rows_says_how_cells_are_named() -> None:
    with pytest.raises(GameDSLError) as problem:
        game_of("nine-mens-morris").position('board: ["x . ."]')
    (found,) = problem.value.diagnostics
    assert found.help == "Name cells under `set`, as in `set: { man: { white: [a7, d7] } }`."
    assert codes_named(game_of("nine-mens-morris").position("set: { man: { white: [a7, d7] } }"), "man")[0] == 3


@pytest.mark.parametrize("word", ["e2e4", "e4", "Ke2", "nonsense"])
def test_nothing_is_a_move_after_the_end(word: str) -> None:
    """In every notation, and whatever it is, the reason is that the game is over."""
    chess = game_of("chess")
    state = chess.initial_state()
    for move in ("f3", "e5", "g4", "Qh4"):
        state = state.apply(chess.parse_move(move, state))
    with pytest.raises(GameDSLError, match="the game is over") as problem:
        state.apply(chess.parse_move(word, state))
    assert problem.value.diagnostics[0].code == "E0503"


@pytest.mark.parametrize("words", [["--players", "2", "go"], ["go", "--players", "2"], ["-q", "go", "--no-chance"]])
def test_arguments_and_options_stand_in_any_order(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", *words]) == 0
    assert "gomoku" in capsys.readouterr().out
