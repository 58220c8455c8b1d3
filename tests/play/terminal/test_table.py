"""What is said at the table: moves typed, commands, refusals, mistakes, drawings, leaving."""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamedsl.engine import Game, InterpretedGame
from gamedsl.engine.records.record import Record
from gamedsl.language.rules import load_program
from gamedsl.language.source import GameDSLError
from gamedsl.play.terminal.input.commands import Command, read_command
from gamedsl.play.terminal.input.read_typed_move import Illegal, Legal, Partial, Several, Unknown, read_move

from .script import CLEARED, make, own_game, session_of, sit

SQUARE = "0,0 90,0 90,90 0,90"


def play(session, *answers: str, people: bool = True):  # type: ignore[no-untyped-def]
    """Sits down until the answers run out; the table and its face."""
    table, face = sit(session, *answers, people=people)
    with pytest.raises(EOFError):
        table.run()
    return table, face


# ------------------------------------------------------------------------------------------------------ reading


@pytest.mark.parametrize(
    ("text", "move"),
    [("a1 to c1", "a1 to c1"), ("R1C1  TO c1", "a1 to c1"), ("a1-to-c1", "a1 to c1")],
)
def test_forgiving_reading(text: str, move: str) -> None:
    session = session_of("x-s-and-lines", n="3")
    make(session, "a1", "c1", "b3")
    reading = read_move(session.state, text, 0)
    assert isinstance(reading, Legal) and str(reading.move) == move and not reading.mistake


def test_numbers_stand_for_numbered_places() -> None:
    session = session_of("abs-trac-toe", "random")
    session.play_by_program()
    session.play_by_program()
    reading = read_move(session.state, "7", session.state.to_act[0])
    assert isinstance(reading, Partial) and str(reading.move) == "s7"


def test_a_part_of_several_moves_gives_a_choice_and_of_one_that_move() -> None:
    session = session_of("tic-tac-toe")
    reading = read_move(session.state, "b", 0)
    assert isinstance(reading, Several) and [str(m) for m in reading.moves] == ["b1", "b2", "b3"]
    make(session, "b1", "c3", "b2")
    assert read_move(session.state, "b", 1) == Partial(session.game.parse_move("b3", session.state))
    assert isinstance(read_move(session.state, "c3", 1), Illegal)
    assert isinstance(read_move(session.state, "c9", 1), Unknown)


def test_a_square_that_one_move_goes_to_is_enough() -> None:
    """In the first position of dark chess only a pawn comes to e4; c3 is open to a pawn and to a knight."""
    session = session_of("dark-chess")
    reading = read_move(session.state, "e4", 0)
    assert isinstance(reading, Partial) and str(reading.move) == "e2e4"
    reading = read_move(session.state, "c3", 0)
    assert isinstance(reading, Several) and {str(m) for m in reading.moves} == {"c2c3", "b1c3"}


@pytest.mark.parametrize("text", ["f1 d3", "F1-D3", "f1d3"])
def test_an_illegal_move_is_read_as_freely_as_a_legal_one(text: str) -> None:
    """Its own notation is no help: ``did you mean: f1d3`` for ``f1 d3``."""
    session = session_of("chess")
    reading = read_move(session.state, text, 0)
    assert isinstance(reading, Illegal) and str(reading.move) == "f1d3"
    _, face = play(session, f"why {text}")
    assert "f1d3 is not legal:" in face.shown and "did you mean" not in face.text


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("e2 e4", "e2e4 is legal"),
        ("e4", "e2e4 is legal"),
        ("a3", "a2a3 is legal"),  # in the notation that the ruleset declares
        ("b1", "similar legal moves:"),
        ("e2e9", "'e2e9' is not a move of this game"),
    ],
)
def test_why_reads_what_a_turn_reads(text: str, answer: str) -> None:
    _, face = play(session_of("chess"), f"why {text}")
    assert answer in face.shown


@pytest.mark.parametrize(
    "text", ["é漢字😀 e2e4", "e2e4 é", "e2е4", "\u202ee2e4", "e2e4\x07", "e2+e4", "≈e2e4", "e2e4 1"]
)
def test_what_is_not_known_is_never_passed_over(text: str) -> None:
    """Everything that is typed counts, but for capitals, spaces and punctuation (the third has a Cyrillic letter)."""
    assert isinstance(read_move(session_of("chess").state, text, 0), Unknown)


@cache
def loaded(name: str) -> Game:
    return InterpretedGame(load_program(name, {}))


@given(st.sampled_from(["chess", "rock-paper-scissors", "t-tic-t-tac-toe-game"]), st.integers(0, 99), st.data())
def test_a_move_is_taken_only_for_a_text_that_it_holds(name: str, at: int, data: st.DataObject) -> None:
    """The letters and digits of what is typed stand in the move that is taken for it, in the same order."""
    state = loaded(name).initial_state()
    player, moves = state.to_act[0], state.legal_moves(state.to_act[0])
    text = moves[at % len(moves)].text
    noise = data.draw(st.text(max_size=3))
    cut = data.draw(st.integers(0, len(text)))
    typed = text[:cut] + noise + text[cut:]
    reading = read_move(state, typed, player)
    if isinstance(reading, Legal | Partial):
        bare = [
            c
            for c in unicodedata.normalize("NFC", typed).casefold()
            if not unicodedata.category(c).startswith(("P", "Z"))
        ]
        assert "".join(c for c in bare if not c.isspace()) in "".join(
            c for c in str(reading.move).casefold() if c.isalnum()
        )


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("?", Command("?")), ("? b 2", Command("?", "b 2")), ("?b", Command("?", "b")), ("WHY a1", Command("why", "a1")),
        ("/undo", Command("undo")), ("q", Command("quit")), ("save my file", Command("save", "my file")),
        ("undo it", None), ("a1", None), ("", None), ("saved", None),
    ],
)  # fmt: skip
def test_commands(text: str, command: Command | None) -> None:
    assert read_command(text) == command


def test_a_move_named_like_a_command_is_the_move(tmp_path: Path) -> None:
    session = own_game(
        tmp_path,
        """game "Names"
players one, two
move go_back written "undo"
move go_on written "on"
play
  turns from one, 3 times
    me plays go_back | go_on
  draw
""",
    )
    table, face = play(session, "undo", "on", "/undo", "/undo")
    assert table.session.now.plies == 0
    assert "   1. one: undo" in face.shown and "taken back: two: on" in face.shown


# ---------------------------------------------------------------------------------------------------- the talk


def test_a_game_typed_to_its_end() -> None:
    table, face = sit(session_of("tic-tac-toe"), "a1", "b1", "a2", "b2", "a3")
    assert table.run() == "over"
    assert face.shown[-2:] == ["result: X wins", "returns: X 1, O -1"]
    assert [prompt for prompt, _ in face.asked] == ["X> ", "O> ", "X> ", "O> ", "X> "]


def test_a_refusal_names_rule_clause_and_line_and_is_recorded() -> None:
    table, face = play(session_of("tic-tac-toe"), "a1", "a1", "why A1", "why b1", "nonsense")
    where = face.shown.index("O> a1")
    assert face.shown[where + 1 : where + 3] == ["a1 is not legal:", "- that square is taken  [2.03b]"]
    assert face.shown[where + 3].strip().startswith("tic-tac-toe.gdl:")
    assert 'when c in empty "that square is taken"' in face.shown[where + 3]
    assert "b1 is legal" in face.shown
    assert "`?` lists the legal moves" in face.shown
    assert [(e.kind, e.who, e.text) for e in table.session.record.entries] == [
        ("ply", "X", "a1"),
        ("refused", "O", "a1"),
    ]


def test_lists_by_kind_filtered_and_picked_by_number() -> None:
    session = session_of("t-tic-t-tac-toe-game", edition="v2")
    make(session, "c3")
    table, face = play(session, "?", "? curtain", "3", "? wall h1", "#1")
    listed = face.text
    assert "place (24)" in listed and "super (16)" in listed and "berlin wall (57)" in listed
    assert "and 33 more: `? berlin wall`" in listed
    assert [e.text for e in table.session.record.plies] == ["c3", "curtain h3", "wall h1.1"]


def test_nothing_that_is_by_mistake_is_proposed_and_the_pen_stays_on_the_paper() -> None:
    session = session_of("t-tic-t-tac-toe-game", bwah="yes")
    table, face = play(session, "?", "a1", "no", "a1", "yes", "? bwah", "bwah b2", "no", "bwah b2", "yes", "e5", "yes")
    assert [e.text for e in table.session.record.plies] == ["a1", "bwah b2", "e5"]
    assert "wrong symbol" not in face.text and "no legal move contains 'bwah'" in face.shown
    assert face.shown.count("bwah b2 is a mistake that the rules allow, but that nobody makes on purpose.") == 2
    assert face.shown.count("You can still change it.") == 5
    assert "a1 was taken back" in face.shown and "bwah b2 was taken back" in face.shown


def test_no_pen_where_nobody_can_go_wrong() -> None:
    _, face = play(session_of("t-tic-t-tac-toe-game"), "a1", "bwah b2")
    assert "pen" not in face.text and "mistakes are not played here" in face.text


def test_undo_redo_redraw_rules_help_board() -> None:
    table, face = play(
        session_of("t-tic-t-tac-toe-game"),
        "a1",
        "undo",
        "undo",
        "redo",
        "redo",
        "redraw",
        "a1",
        "redraw",
        "rules",
        "help",
    )
    assert table.session.now.plies == 1
    for text in ("taken back: X: a1", "there is nothing to take back", "nothing was taken back"):
        assert text in face.shown
    assert "nothing on the sheet needs redrawing" in face.shown
    assert [e.kind for e in table.session.record.entries] == ["ply", "refused", "redraw"]
    assert "Rules" in face.shown and any(line.startswith("4.04c ") for line in face.shown)
    assert all(len(line) <= 80 for line in face.shown)


def test_quit_asks_whether_to_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    table, _ = sit(session_of("tic-tac-toe"), "quit")
    assert table.run() == "quit"
    table, face = sit(session_of("tic-tac-toe"), "a1", "quit", "hm", "cancel", "q", "yes")
    assert table.run() == "quit"
    table.close()
    (file,) = tmp_path.iterdir()
    assert f"continue it with: gamedsl play --resume {file.name}" in face.shown
    assert [e.text for e in Record.read(file).plies] == ["a1"]
    table, _ = sit(session_of("tic-tac-toe"), "a1", "save mine", "quit")
    assert table.run() == "quit" and (tmp_path / "mine").exists()
    table, face = sit(session_of("tic-tac-toe"), "a1", "save mine", "quit", "no")
    assert table.run() == "quit" and "the file `mine` already exists" in face.shown


def test_the_end_of_a_part_is_told() -> None:
    session = session_of("t-tic-t-tac-toe", "random")
    table, face = sit(session)
    assert table.run() == "over"
    told = [line.strip() for line in face.shown]
    numbers = [line[5] for line in told if line.startswith("Game ")]
    assert numbers[-5:] == ["1", "2", "3", "4", "5"]  # after the games of tic-tac-toe, which are numbered by themselves
    assert any(line.startswith("Rock-Paper-Scissors: ") for line in told)
    assert any(line.startswith("Games won by") for line in told)


# ---------------------------------------------------------------------------------------------------- drawings


def test_strokes_are_checked_one_by_one() -> None:
    table, face = play(
        session_of("abs-trac-toe"),
        SQUARE,
        "0,30 80,30",
        "lower 0,30 90,30",
        "0,30 90,30",
        "0,60 90,60; left 30,0 30,90",
        "60,0 60,90",
        "yes",
        "?",
        "0,45 45,0 rubbish",
    )
    assert [e.kind for e in table.session.record.entries] == ["refused", "ply"]
    assert "upper cannot be drawn like this:" in face.shown and "`upper` is next, not `lower`" in face.shown
    faults = face.text.split("upper cannot be drawn like this:")[1]
    assert "AT-2" in faults and "abs-trac-toe.gdl:" in faults
    assert table.session.record.plies[0].text.startswith("figure 0,0 90,0 90,90 0,90; upper 0,30 90,30; lower")
    assert "bend: open curve across figure; then: nothing more" in face.shown


def test_a_generated_drawing_follows_from_the_seed_and_can_be_drawn_again() -> None:
    plays = [play(session_of("abs-trac-toe", seed=s), "generate", "yes", "generate", "yes")[0] for s in (3, 3, 4)]
    first, same, other = ([e.text for e in t.session.record.plies] for t in plays)
    assert first == same != other and len(first) == 2
    table, _ = play(session_of("abs-trac-toe", seed=3), "generate", "generate", "yes")
    assert table.session.record.plies[0].text != first[0]
    table, face = play(session_of("abs-trac-toe", seed=3), SQUARE, "again", SQUARE, "undo", "undo")
    assert table.session.now.plies == 0 and face.asked[-1][0] == "p1, figure> "


def test_without_people_before_it_a_finished_drawing_is_taken() -> None:
    table, _ = play(session_of("abs-trac-toe"), "generate", "generate", people=False)
    assert table.session.now.plies == 2 and table.session.state.phase == "claiming"


def test_the_screen_is_cleared_between_two_people_only() -> None:
    _, face = play(session_of("tic-tac-toe"), "a1", "b1")
    assert CLEARED not in face.shown


def test_a_ruleset_that_goes_wrong_costs_the_move_only(tmp_path: Path) -> None:
    session = own_game(
        tmp_path,
        """game "Full"
players one, two
state
  total: 0..3
move more(n in 1..3) written "{n}"
  add n to total
play
  turns from one, 3 times
    me plays more
  draw
""",
    )
    table, face = play(session, "3", "2")
    assert "2 cannot be made:" in face.shown and table.session.now.plies == 1


def test_a_save_that_fails_does_not_stop_the_play(tmp_path: Path) -> None:
    from gamedsl.play.terminal.saving.save_file import SaveFile

    table, face = sit(session_of("tic-tac-toe"), "a1", "b1")
    table.file = SaveFile(str(tmp_path / "no" / "such" / "folder"), always=True)
    with pytest.raises(EOFError):
        table.run()
    assert table.session.now.plies == 2 and face.shown.count("not saved:") == 2


def test_a_notation_is_read_listed_and_told() -> None:
    session = session_of("chess")
    session.write_in("san")
    table, face = play(session, "e4", "g8f6", "? N", "Nxb8", "Nf3", "hint x", "history", "undo")
    assert [str(m.move) for m in table.session.moments[1:]] == ["e2e4", "g8f6"]
    assert "1. white: e4" in face.text and "2. black: Nf6" in face.text and "3. white: Nf3" in face.text
    assert "Nxb8 is not" not in face.text
    assert "taken back: white: Nf3" in face.text
    assert "Nc3" in face.text and "b1c3" not in face.text


def test_no_notation_where_something_is_hidden() -> None:
    session = session_of("dark-chess")
    with pytest.raises(GameDSLError, match="what a player may not know"):
        session.write_in("fen")
