"""Nothing tells of an open choice, or of what a ruleset hides."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamedsl.cli.main import main as cli
from gamedsl.play.terminal.play import PlayConfig, run
from gamedsl.play.terminal.session.session import Session

from .script import CLEARED, ScriptFace, drawn, make, own_game, session_of, sit
from .test_play import Terminal

CARDS = """game "Cards"
players one, two
type card = {ace, king, queen, jack}
state
  hand: player -> set of card, seen by owner
  deck: set of card = {ace, king, queen, jack}, seen by nobody
  shown: player -> card?
move show_card(c in hand[me]) written "show {c}"
  set shown[me] to c
  take {c} from hand[me]
play
  repeat 2 times
    for p in players
      pick at random from deck -> c
      take {c} from deck
      add c to hand[p]
  turns from one until shown[two] is some
    me plays show_card
  draw
look
  beside "hand of {p}:" hand[p] for p in players
  beside "deck:" deck
"""


def transcript(session: Session, *answers: str, people: bool = True) -> list[str]:
    """All that is shown until the answers run out, with what was asked (and with what was not hidden of the answers)."""
    table, face = sit(session, *answers, people=people)
    with pytest.raises(EOFError):
        table.run()
    return face.shown


HANDS = st.sampled_from(["rock", "paper", "scissors", "  ROCK ", "2"])


@settings(max_examples=15, deadline=None)
@given(HANDS, HANDS, st.booleans())
def test_the_first_choice_changes_nothing_that_is_seen(first: str, other: str, people: bool) -> None:
    """Between the choices as well: lists, boards, saves, attempts to take it back."""
    ready = [""] if people else []
    between = ["?", "board", "undo", "why rock", "nonsense", "redraw", "rules"]
    plays = [
        transcript(session_of("rock-paper-scissors"), *ready, "?", choice, *ready, *between, people=people)
        for choice in (first, other)
    ]
    assert plays[0] == plays[1]
    assert any("left has chosen." in line for line in plays[0])


def test_saving_between_the_choices_writes_the_same_file(tmp_path: Path) -> None:
    for name, choice in (("a", "rock"), ("b", "scissors")):
        shown = transcript(session_of("rock-paper-scissors"), "", choice, "", f"save {tmp_path / name}")
        assert f"saved: {tmp_path / name}" in shown and choice not in "\n".join(shown)
    assert (tmp_path / "a").read_text("utf-8") == (tmp_path / "b").read_text("utf-8")


def test_both_choices_are_told_when_both_are_made() -> None:
    table, face = sit(session_of("rock-paper-scissors"), "", "rock", "", "paper")
    assert table.run() == "over"
    assert "   1. left: rock" in face.shown and "   2. right: paper" in face.shown
    assert face.shown.index("   1. left: rock") > max(i for i, line in enumerate(face.shown) if "in secret" in line)


def test_choices_are_asked_for_unseen_and_the_screen_is_handed_over() -> None:
    table, face = sit(session_of("rock-paper-scissors"), "", "rock", "", "paper")
    table.run()
    assert [hidden for _, hidden in face.asked] == [True] * 4
    first = face.shown.index("It is left's turn. Only left may look at the screen now.")
    assert face.shown[first - 1] == CLEARED
    second = face.shown.index("It is right's turn. Only right may look at the screen now.")
    assert CLEARED in face.shown[first + 1 : second]


def test_one_person_alone_needs_no_hand_over() -> None:
    table, face = sit(session_of("rock-paper-scissors", "human,random", 3), "rock", "paper", "rock", "paper")
    assert table.run() == "over"
    assert CLEARED not in face.shown and all("in secret" in prompt and hidden for prompt, hidden in face.asked)


def test_hands_are_shown_to_their_owners_only(tmp_path: Path) -> None:
    session = own_game(tmp_path, CARDS)
    while session.state.kind == "chance":
        session.play_by_program()
    one, two, anybody = drawn(session, 0), drawn(session, 1), drawn(session, None)
    assert "hand of one:" in one and "hand of two:" not in one
    assert "hand of two:" in two and "hand of one:" not in two
    assert "hand of" not in anybody and all("\ndeck:" not in shown for shown in (one, two, anybody))
    assert all("hidden in deck: 0" in shown for shown in (one, two, anybody))
    assert "hidden in hand: one 2, two 2" in anybody and "hidden in hand: two 2" in one


def test_cards_that_are_dealt_are_not_told(tmp_path: Path) -> None:
    session = own_game(tmp_path, CARDS)
    shown = transcript(session, "")
    hidden = [name for name in ("ace", "king", "queen", "jack") if not any(name in line for line in shown)]
    assert len(hidden) == 2  # one sees the own two cards and no others
    assert any("chance: pick (hidden)" in line for line in shown)  # the other's last card; now it is one's turn
    refusal = session.history.undo()
    assert refusal == "there is nothing to take back"


def test_programs_among_themselves_have_no_secrets(tmp_path: Path) -> None:
    table, face = sit(own_game(tmp_path, CARDS, "random"))
    assert table.run() == "over" and "hidden" not in face.text


def test_what_was_shown_can_not_be_taken_back(tmp_path: Path) -> None:
    session = own_game(tmp_path, CARDS)
    while session.state.kind == "chance":
        session.play_by_program()
    make(session, str(session.state.legal_moves()[0]))
    refusal = session.history.undo()
    assert refusal is not None and "hidden" in refusal


def test_marks_left_by_an_open_choice_stay_off_the_sheet(tmp_path: Path) -> None:
    session = own_game(
        tmp_path,
        """game "Bids"
players one, two
state
  bid: player -> 0..3
move offer(n in 1..3) written "{n}"
  set bid[me] to n
play
  everyone plays offer
  one passes
  rank by bid
look
  beside "bid of {p}" bid[p] for p in players
  leave "{n}!" after offer
""",
    )
    make(session, "2")
    assert '"2!"' not in drawn(session) and "last:" not in drawn(session)
    session.play(session.game.parse_move("3", session.state))
    assert '"2!"' in drawn(session) and '"3!"' in drawn(session)


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("game", ["rock-paper-scissors", "t-tic-t-tac-toe"])
@pytest.mark.parametrize(("answer", "code"), [(EOFError, 130), (KeyboardInterrupt, 130), ("quit", 0)])
def test_an_end_after_the_first_secret_choice_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keep: bool, game: str, answer: str | type[BaseException], code: int
) -> None:
    """Only an open choice has been made, and that is never written down."""
    monkeypatch.chdir(tmp_path)
    face = ScriptFace(["", "rock", answer])
    assert run(game, config=PlayConfig(no_save=not keep), face=face) == code
    assert ("interrupted before the first move" in face.shown) == (code == 130)
    assert any("has chosen." in line for line in face.shown)
    assert list(tmp_path.iterdir()) == [] and "Save the game" not in face.text


@pytest.mark.parametrize("plain", [True, False])
def test_a_secret_typed_while_the_program_thinks_is_not_shown(tmp_path: Path, plain: bool) -> None:
    terminal = Terminal("rock-paper-scissors", *(["--plain"] if plain else []), cwd=tmp_path)
    terminal.wait_for("Enter when ready")
    terminal.send("\r")
    terminal.wait_for("left, in secret")
    terminal.send("hint\r")
    terminal.wait_for("thinking ...")
    terminal.send("paper")
    terminal.wait_for("in secret (not shown)>")
    assert "paper" not in re.sub("hint: .*", "", terminal.output)
    terminal.send("\r")  # an empty line: `paper` was thrown away
    terminal.wait_for("in secret (not shown)>" if plain else "\x1b[?2004h")  # (a new prompt)
    assert "right" not in terminal.output
    terminal.send("rock\r")
    terminal.wait_for("Enter when ready")
    terminal.send("\x03")
    terminal.wait_for("before the first move")
    assert terminal.exit_code() == 130


def marks(lines: list[str]) -> tuple[int, int]:
    """How many X and O are on the board of a page."""
    squares = "".join(line.rpartition("│")[0] for line in lines)
    return squares.count("X"), squares.count("O")


def test_who_is_told_all_plies_sees_the_whole_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = session_of("phantom-tic-tac-toe")
    make(session, "a1", "a2", "b1", "b2", "c1")
    path = tmp_path / "play"
    session.save(str(path))
    assert cli(["replay", str(path)]) == 0
    assert marks(capsys.readouterr().out.splitlines()) == (3, 2)
    assert cli(["replay", str(path), "--seat", "O"]) == 0
    assert marks(capsys.readouterr().out.splitlines()) == (0, 2)


def test_plays_among_programs_are_shown_whole() -> None:
    for seats, expected in (("random,random", (1, 1)), (None, (0, 0))):
        session = session_of("phantom-tic-tac-toe", seats)
        make(session, "a1", "a2")
        assert marks(drawn(session).splitlines()) == expected
