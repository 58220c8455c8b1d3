"""What is heard at every question, and going back and forth by commands."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from gamedsl.play.terminal.play import PlayConfig, run
from gamedsl.play.terminal.screen.screen_face import ScreenFace, key_bar
from gamedsl.play.terminal.screen.screen_output import ScreenOutput

from .script import ScriptFace, make, own_game, session_of, sit
from .test_session import DICE

SQUARE = "0,0 90,0 90,90 0,90"
FIRST = [SQUARE, "0,30 90,30", "0,60 90,60", "30,0 30,90", "60,0 60,90"]


def reached(name: str) -> tuple[object, list[str]]:
    """A session and the lines that lead to the question of that name."""
    match name:
        case "Enter when ready":
            return session_of("rock-paper-scissors"), []
        case "Accept this drawing?":
            return session_of("abs-trac-toe"), FIRST
        case "Confirm":
            return session_of("t-tic-t-tac-toe-game", bwah="yes"), ["a1"]
        case "p1, figure> ":
            return session_of("abs-trac-toe"), []
    raise AssertionError(name)


QUESTIONS = ("Enter when ready", "Accept this drawing?", "Confirm", "p1, figure> ")


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("word", ["quit", "q", "/quit", "QUIT"])
def test_quit_is_heard_at_every_question(name: str, word: str) -> None:
    session, lines = reached(name)
    table, face = sit(session, *lines, word, "no")  # type: ignore[arg-type]
    assert table.run() == "quit"
    asked = [prompt for prompt, _ in face.asked]
    assert name in (asked[-2] if asked[-1].startswith("Save the game") else asked[-1])


@pytest.mark.parametrize("name", QUESTIONS)
def test_help_and_rules_are_heard_at_every_question(name: str) -> None:
    session, lines = reached(name)
    table, face = sit(session, *lines, "?", "rules", "quit", "no")  # type: ignore[arg-type]
    assert table.run() == "quit"
    asked = [p for p, _ in face.asked if not p.startswith("Save the game")][-3:]
    assert asked == [asked[0]] * 3 and name in asked[0]
    assert "Rules" in face.shown


def test_leaving_at_a_question_asks_whether_to_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    table, _ = sit(
        session_of("t-tic-t-tac-toe-game", bwah="yes"), "a1", "yes", "b2", "quit", "?", "cancel", "no", "q", "q"
    )
    assert table.run() == "quit" and table.session.now.plies == 1
    table.close()
    assert len(list(tmp_path.iterdir())) == 1  # a second `quit` at "Save the game first?" loses nothing


def test_only_what_was_asked_for_is_an_answer() -> None:
    table, face = sit(session_of("t-tic-t-tac-toe-game", bwah="yes"), "a1", "a1", "a1", "yes")
    with pytest.raises(EOFError):
        table.run()
    assert table.session.now.plies == 1 and not any("taken back" in line for line in face.shown)


# --------------------------------------------------------------------------------------------- back and forth


def test_so_many_plies_back() -> None:
    table, face = sit(
        session_of("tic-tac-toe"), "a1", "b1", "c1", "u 2", "undo 9", "undo 0", "redo", "history", "q", "no"
    )
    assert table.run() == "quit" and table.session.now.plies == 3
    assert "taken back: O: b1, X: c1" in face.shown and "only 1 ply can be taken back" in face.shown
    assert face.shown[face.shown.index("O> history") + 1 :][:3] == ["   1. X: a1", "   2. O: b1", "   3. X: c1"]


def test_so_many_plies_back_end_where_a_person_chooses() -> None:
    session = session_of("tic-tac-toe", "human,random")
    for move in ("a1", "b1", "c1"):
        make(session, move)
    session.play_by_program()
    assert session.history.undo(1) is None and session.now.plies == 2
    assert session.history.redo() is None and session.history.undo(3) is None and session.now.plies == 0


def test_what_chance_brought_first_is_no_ply_to_take_back() -> None:
    """Two rolls of the dice begin the play: nothing can be taken back, then a move of white."""
    session = session_of("backgammon", seed=5)
    while session.state.kind == "chance":
        session.play_by_program()
    rolls = session.now.plies
    assert rolls >= 2
    for plies in (1, 2, rolls, 9):
        assert session.history.undo(plies) == "there is nothing to take back"
    session.play(session.state.legal_moves()[0])
    for plies in (2, rolls + 1, 9):
        assert session.history.undo(plies) == "only 1 ply can be taken back"
    assert session.history.undo() is None and session.now.plies == rolls


def test_history_tells_no_secret() -> None:
    session = session_of("phantom-tic-tac-toe", "random,human", seed=5)
    table, face = sit(session, "history", "quit", "no")
    assert table.run() == "quit"
    secret = session.moments[1].move
    assert secret is not None and not any(str(secret) in line.split() for line in face.shown)


# ------------------------------------------------------------------------------------------------ parts of moves


def test_part_of_a_move_is_played_shown_and_can_be_taken_back(tmp_path: Path) -> None:
    """Without algebraic notation, in which e4 is the whole move."""
    session = own_game(tmp_path, 'variant of "chess.gdl"\n\nremove notation san\n')
    table, face = sit(session, "e4", "undo", "c3", "quit")
    assert table.run() == "quit" and table.session.now.plies == 0
    assert "read as e2e4 (`undo` takes it back)" in face.shown and "   1. white: e2e4" in face.shown
    assert "choose one by its number:" in face.shown


def test_part_of_a_move_that_can_not_be_taken_back_is_asked_about(tmp_path: Path) -> None:
    table, face = sit(own_game(tmp_path, DICE), "thr", "no", "thr", "?", "yes", "quit", "no")
    assert table.run() == "quit"
    assert [p for p, _ in face.asked].count("Is it throw? [yes/no] ") == 3
    assert table.session.record.plies[0].text == "throw"


def test_part_of_a_secret_choice_is_not_enough() -> None:
    table, face = sit(session_of("rock-paper-scissors"), "", "pap", "quit")
    assert table.run() == "quit" and not table.session.state.pending
    assert "paper" not in face.text


# ------------------------------------------------------------------------------------------------- drawing


def test_undo_takes_back_strokes_of_ones_own_only() -> None:
    own = "0,45 90,45"
    session = session_of("abs-trac-toe")
    table, face = sit(session, *FIRST, "yes", "undo", own, "undo", "u", own, "quit", "no")
    assert table.run() == "quit"
    assert session.now.plies == 1
    assert face.shown.count("you have drawn nothing yet, and another player's strokes cannot be taken back") == 2


def test_undo_at_the_last_look_takes_a_stroke_back() -> None:
    table, face = sit(session_of("abs-trac-toe"), *FIRST, "undo", "60,0 60,90", "yes", "quit", "no")
    assert table.run() == "quit" and table.session.now.plies == 1
    assert [p for p, _ in face.asked].count("p1, right> ") == 2


SQUARE = "figure 10,10 90,10 90,90 10,90"


@pytest.mark.parametrize("strokes", [1, 3])
def test_strokes_that_nobody_wants_to_save_are_told(strokes: int) -> None:
    """Also at the question whether all strokes are right. The line can be typed at the next play."""
    drawn = ["square", "10,30 90,30", "10,60 90,60"][:strokes]
    face = ScriptFace([*drawn, "quit", "no"])
    assert run("abs-trac-toe", config=PlayConfig(no_save=True, marks=","), face=face) == 0
    told = next(line for line in face.shown if line.startswith(SQUARE))
    assert told.count(";") == strokes - 1
    again = ScriptFace([told, "quit", "no"])
    run("abs-trac-toe", config=PlayConfig(no_save=True, marks=","), face=again)
    assert told in again.shown


@pytest.mark.parametrize("end", [KeyboardInterrupt, EOFError])
def test_strokes_are_saved_by_an_interruption(
    end: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert (
        run("abs-trac-toe", config=PlayConfig(marks=",", save="play.record"), face=ScriptFace(["square", end])) == 130
    )
    (path,) = tmp_path.glob("*.record")
    face = ScriptFace(["quit"])
    assert run(config=PlayConfig(resume=str(path)), face=face) == 0
    assert "the game continues after 0 plies and an unfinished drawing" in face.shown
    assert "Drawn before: figure (`undo` takes a stroke back)." in face.shown
    assert face.asked[-1][0] == "p1, upper> "


def test_help_and_refusals_of_advice_while_drawing() -> None:
    table, face = sit(session_of("abs-trac-toe"), "help", "hint", "eval")
    with pytest.raises(EOFError):
        table.run()
    assert "thinking ..." not in face.shown
    assert "  generate     draw the missing strokes at random" in face.shown
    assert "asks whether to save" not in face.text


@pytest.mark.parametrize("columns", [20, 60, 80])
def test_the_key_bar_keeps_how_to_get_help_and_how_to_leave(columns: int) -> None:
    bar = key_bar(columns)
    assert len(bar) <= columns and bar.endswith("help   quit")
    assert ("save" in bar) == (columns == 80)


def test_the_key_bar_follows_the_size_of_the_terminal() -> None:
    """It is made when it is painted, not when the question is asked."""
    with create_pipe_input() as source, create_app_session(input=source, output=DummyOutput()):
        face = ScreenFace()
        source.send_text("a1\r")
        assert face.ask("X> ", ("a1",)) == "a1"
        bar = face.session.bottom_toolbar
        assert callable(bar)
        for columns in (40, 120):
            face.output = ScreenOutput(columns=columns, rows=24)
            assert bar() == key_bar(columns)


def test_a_choice_of_few_values_names_them_in_the_prompt(tmp_path: Path) -> None:
    """What the prompt names can be typed; a subject that all values share is named once, or else the variable."""
    rules = """
    game "Choices"
    players A, B
    state
      chosen: {v1 "version 1.0", v2 "version 2.0"}
      emblem: player
    move roll
    move hold

    play
      A chooses chosen
      B chooses emblem
      A plays roll | hold
      win A
    """
    session = own_game(tmp_path, dedent(rules))
    table, face = sit(session, "2.0", "B", "hold")
    assert table.run() == "over"
    prompts = [prompt for prompt, _ in face.asked]
    assert prompts == ["A, choose a version: 1.0 or 2.0> ", "B, choose an emblem: A or B> ", "A, roll or hold> "]
    assert [ply.text for ply in session.record_to_keep.plies] == ["version 2.0", "B", "hold"]


def test_a_prompt_names_neither_places_nor_many_values() -> None:
    for name in ("tic-tac-toe", "chess", "go"):
        table, face = sit(session_of(name), "quit")
        table.run()
        assert re.fullmatch(r"\w+> ", face.asked[0][0])
