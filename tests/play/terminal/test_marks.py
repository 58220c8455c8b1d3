"""Players choose their marks where the look says so: only what people see and type changes, and no two marks look alike."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gamedsl
from gamedsl.cli.main import main
from gamedsl.engine import InterpretedGame, Record
from gamedsl.engine.picture import chooses_marks, fault_of_marks, lookalikes, marks_at, view
from gamedsl.engine.picture.mark_rules import is_alike
from gamedsl.language.core import chosen_signs, words
from gamedsl.language.rules import load_program
from gamedsl.language.rules.files import shipped
from gamedsl.play.terminal.render.canvas import plain
from gamedsl.play.terminal.render.page import render_page
from gamedsl.play.terminal.render.viewport import Viewport
from gamedsl.play.terminal.saving.save_file import SaveFile
from gamedsl.play.terminal.session.seats import make_seats
from gamedsl.play.terminal.session.session import Session
from gamedsl.play.terminal.table.table import Table
from tests.play.terminal.script import ScriptFace

# Abs-Trac-Toe: "Each player's mark must be distinct from any other player's mark (like "X" and "O", or "*" and "#")". Dots and
# Boxes: who completes a box writes an initial into it (Berlekamp, chapter 1). All others have fixed signs.
CHOOSING = ["abs-trac-toe", "dots-and-boxes"]
PAIRS = [("*", "#"), ("X", "O"), ("☺", ""), ("", "Я")]

# The notation names players, each shown by that name: what is typed has marks in it.
GIFTS = """
game "Gifts"
players X, O
board grid 2 by 2 named by letters
piece mark of player
move give(p: player, c: cell) written "{c} to {p}"
  when c in empty "taken"
  put mark[p] on c
play
  turns from X until empty = {}
    me plays give
  win X "good luck"
look
  show mark[p] as "{p}" chosen by owner for p in players
  beside "marks of {p}" count(mark[p]) for p in players
  leave "+" on c after give until redrawn
"""
# A part of a match: whose marks are shown depends on the roles.
MATCH = """
game "Match"
players one, two
part small
  players X, O
  board grid 1 by 2 named by letters
  piece mark of player
  move place(p: player, c: cell) written "{p} {c}"
    when p = me "not yours"
    when c in empty "taken"
    put mark[me] on c
  play
    turns from X until empty = {}
      me plays place
    draw
  look
    show mark[p] as "{p}" chosen by owner for p in players
play
  play small with X = two, O = one
  draw
"""


def session_of(source: str | Path, seats: str = "human", seed: int = 3) -> Session:
    game = InterpretedGame(load_program(source))
    return Session(game, str(source), make_seats(seats, game.players), seed)


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "rules.gdl"
    path.write_text(text)
    return path


def page(session: Session) -> str:
    return "\n".join(plain(x) for x in render_page(session.picture(), Viewport(100, 60)))


def test_the_documents_that_leave_the_sign_to_the_players() -> None:
    leaving = [name for name, path in sorted(shipped().items()) if "chosen by owner" in path.read_text()]
    assert leaving == CHOOSING == [name for name in leaving if chooses_marks(load_program(name))]


@pytest.mark.parametrize(("name", "marks"), [("abs-trac-toe", ("X", "O")), *(("dots-and-boxes", m) for m in PAIRS)])
def test_marks_stand_on_the_board_and_nowhere_in_the_record(name: str, marks: tuple[str, str]) -> None:
    plain_session, session = session_of(name, "random"), session_of(name, "random")
    session.choose_marks(marks)
    signs = chosen_signs(session.game.program.parts[0])
    while not session.state.is_terminal:
        session.play_by_program()
        plain_session.play_by_program()
        if session.now.plies % 6 and not session.state.is_terminal:
            continue
        picture, usual = session.picture(), plain_session.picture()
        for place, spot in usual.spots.items():
            for before, after in zip(spot.glyphs, picture.spots[place].glyphs, strict=True):
                player = [words(p) for p in session.game.players].index(before.owner)
                assert before.text == signs[player] and after.text == (marks[player] or signs[player])
        names = {p for p, sign, mark in zip(session.game.players, signs, marks, strict=True) if mark and sign == p}
        log = [session.ply_text(entry) for entry in session.log(None)]
        said = [*picture.beside, picture.last, picture.outcome, *(s.name for s in picture.seats), *log]
        assert not any(name in text.replace(":", "").split() for text in said for name in names)
    assert session.record.text() == plain_session.record.text()
    again = Session.resume(session.game, Record.parse(session.record.text()), session.seats, 3)
    assert again.state == session.state and not any(again.marks)


@pytest.mark.parametrize("marks", [("*", "#"), ("a", "b"), ("O", "X"), ("", "#")])
def test_what_is_shown_can_be_typed(tmp_path: Path, marks: tuple[str, str]) -> None:
    """Every move as it is listed, also where each player has chosen the usual sign of the other."""
    path = written(tmp_path, GIFTS)
    shown = session_of(path)
    shown.choose_marks(marks)
    for move in shown.state.legal_moves():
        session = session_of(path)
        session.choose_marks(marks)
        table = Table(session, ScriptFace([session.text(move)]), SaveFile(never=True))
        with pytest.raises(EOFError):
            table.run()
        assert session.moments[1].move == move
        assert f"{marks[0] or 'X'}: {session.text(move)}" in "\n".join(table.face.shown)  # type: ignore[attr-defined]
    texts = [shown.text(move) for move in shown.state.legal_moves()]
    assert texts[:2] == [f"a1 to {marks[0] or 'X'}", f"b1 to {marks[0] or 'X'}"]


def test_all_that_people_read_has_the_marks(tmp_path: Path) -> None:
    session = session_of(written(tmp_path, GIFTS))
    session.choose_marks(["*", "#"])
    face = ScriptFace(
        ["? #", "why a1 to *", "a1 to *", "a1 to #", "b1 to #", "history", "undo", "b1 to O", "a2 to #", "b2 to *"]
    )
    Table(session, face, SaveFile(never=True)).run()
    said = "\n".join(face.shown)
    assert "X" not in said and "O" not in said.replace("#> b1 to O", "")  # (names can be typed as well)
    for text in ("*> ", "#> ", "   1 a1 to #", "1. *: a1 to *", "a1 to # is not legal", "taken back: #: ", "▶ #"):
        assert text in said, text
    assert "result: * wins" in said and "returns: * 1, # -1" in said and "marks of # 2" in said


def test_marks_follow_the_roles_of_a_part(tmp_path: Path) -> None:
    session = session_of(written(tmp_path, MATCH))
    session.choose_marks(["*", "#"])
    assert [session.text(m) for m in session.state.legal_moves()] == ["# a1", "# b1"]  # two is X
    face = ScriptFace(["# a1", "* b1"])
    Table(session, face, SaveFile(never=True)).run()
    said = "\n".join(face.shown)
    assert "two: # a1" in said and "one: * b1" in said and "two (#)" in said
    assert [move.text for move in (m.move for m in session.moments[1:]) if move] == ["X a1", "O b1"]


REFUSED = [
    ("abs-trac-toe", ["**", "#"], "a mark is one character"),
    ("abs-trac-toe", ["\x07", "#"], "visible"),
    ("abs-trac-toe", ["​", "#"], "visible"),  # zero width
    ("abs-trac-toe", ["́", "#"], "visible"),  # an accent alone
    ("abs-trac-toe", ["\ud800", "#"], "visible"),  # half a character
    ("abs-trac-toe", [" ", "#"], "visible"),  # no-break space
    ("abs-trac-toe", ["木", "#"], "one column"),
    ("abs-trac-toe", ["א", "#"], "right to left"),
    ("abs-trac-toe", ["─", "#"], "drawn with"),
    ("abs-trac-toe", ["|", "#"], "drawn with"),
    ("abs-trac-toe", ["·", "#"], "drawn with"),
    ("abs-trac-toe", ["7", "#"], "that the drawing shows"),
    ("abs-trac-toe", ["x", "X"], "look alike"),
    ("abs-trac-toe", ["O", "0"], "look alike"),
    ("abs-trac-toe", ["O", "О"], "look alike"),  # the second one is Cyrillic
    ("abs-trac-toe", ["é", "e"], "look alike"),
    ("abs-trac-toe", ["×", "x"], "look alike"),
    ("abs-trac-toe", ["∗", "*"], "look alike"),
    ("abs-trac-toe", ["○", "o"], "look alike"),
    ("dots-and-boxes", ["2", ""], "is on the board too"),
    ("dots-and-boxes", ["2", "1"], None),
    ("dots-and-boxes", ["", "l"], "is on the board too"),
    ("dots-and-boxes", ["A", "B"], None),
    ("chess", ["A", "B"], "do not choose their marks"),
    ("chess", ["", ""], None),
]


@pytest.mark.parametrize(("name", "marks", "why"), REFUSED)
def test_what_cannot_be_a_mark(name: str, marks: Sequence[str], why: str | None) -> None:
    fault = fault_of_marks(load_program(name), marks)
    assert (fault is None) == (why is None) and (why or "") in (fault or "")
    assert fault is None or fault.isprintable()


def test_a_mark_differs_from_fixed_signs(tmp_path: Path) -> None:
    """The plus sign of moves left on the paper."""
    program = load_program(written(tmp_path, GIFTS))
    assert "`+` looks like `+`" in str(fault_of_marks(program, ["+", ""]))


def test_only_ascii_where_nothing_else_is_shown() -> None:
    assert "only ASCII" in str(fault_of_marks(load_program("abs-trac-toe"), ["☺", ""], ascii=True))


@given(st.characters(), st.characters())
def test_likeness_is_mutual_and_marks_are_signs_of_one_column(one: str, other: str) -> None:
    assert is_alike(one, other) == is_alike(other, one) and is_alike(one, one)
    fault = fault_of_marks(_PROGRAM, [one, other])
    if fault is None:
        assert one != other and one.isprintable() and not one.isspace() and one.casefold() != other.casefold()


_PROGRAM = load_program("dots-and-boxes")


def test_every_pair_of_a_class_is_alike_and_no_character_is_in_two() -> None:
    rows = lookalikes()
    assert len("".join(rows)) == len(set("".join(rows))) and all(len(row) > 1 for row in rows)
    assert all(is_alike(row[0], char) for row in rows for char in row)
    assert not any(is_alike(a, b) for a, b in ("XO", "*#", "VU", "AB", "ce", "☺☻", "★☆", "●○"))


def test_marks_are_given_at_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "dots-and-boxes", "-s", "rows=1", "-s", "columns=1", "--seats", "random", "--seed", "1",
                 "--plain", "--boards", "--no-save", "--marks", "☺,#"]) == 0  # fmt: skip
    shown = capsys.readouterr().out
    assert "# box of second" in shown or "☺ box of first" in shown
    for marks, why in (("*", "1 marks are given"), ("*,*", "look alike"), (",.", "drawn with")):
        assert main(["play", "abs-trac-toe", "--seats", "random", "--no-save", "--marks", marks]) == 2
        assert why in capsys.readouterr().err


def test_people_are_asked_before_the_first_ply(tmp_path: Path) -> None:
    face = ScriptFace(["?", "xx", "*", "", "b1 to *"])
    table = Table(session_of(written(tmp_path, GIFTS)), face, SaveFile(never=True))
    table.asks_marks = True
    with pytest.raises(EOFError):
        table.run()
    prompts = [prompt for prompt, _ in face.asked]
    assert prompts[:4] == ["X, your mark (Enter keeps X)> "] * 3 + ["O, your mark (Enter keeps O)> "]
    assert prompts[4] == "*> " and "a mark is one character, and `xx` is 2" in face.shown
    assert table.session.marks == ("*", "")


@pytest.mark.parametrize(("name", "people"), [("tic-tac-toe", True), ("dots-and-boxes", False)])
def test_others_are_not_asked(name: str, people: bool) -> None:
    face = ScriptFace([], people)
    table = Table(session_of(name), face, SaveFile(never=True))
    table.asks_marks = True
    with pytest.raises(EOFError):
        table.run()
    assert not any("mark" in prompt for prompt, _ in face.asked)


def test_the_rulebook_says_that_players_choose() -> None:
    for name in CHOOSING:
        assert any("may choose their own mark" in p.text for p in load_program(name).parts[0].info)


def test_views_and_observations_know_nothing_of_marks() -> None:
    state = gamedsl.load("dots-and-boxes").initial_state()
    assert marks_at(state, ()).picture(view(state)) == view(state)


def test_a_rematch_rotates_marks_with_the_people(tmp_path: Path) -> None:
    session = session_of(written(tmp_path, GIFTS))
    session.choose_marks(["*", "#"])
    assert session.rematch(1).marks == ("#", "*") and session.until(0).marks == ("*", "#")


def test_a_random_game_is_the_same_with_marks(tmp_path: Path) -> None:
    session, other = session_of(written(tmp_path, GIFTS), "random"), session_of(written(tmp_path, GIFTS), "random")
    session.choose_marks(["O", "X"])
    rng = Random(1)
    while not session.state.is_terminal:
        move = rng.choice(session.state.legal_moves())
        session.play(move)
        other.play(other.game.parse_move(move.text, other.state))
    assert session.state.serialize() == other.state.serialize() and page(session) != page(other)
