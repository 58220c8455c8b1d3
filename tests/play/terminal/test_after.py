"""The commands available after the end of a play."""

from __future__ import annotations

from pathlib import Path

from gamedsl.engine.records.record import Record
from gamedsl.play.terminal.play import PlayConfig, run
from gamedsl.play.terminal.saving.kept_plays import plays_folder
from gamedsl.play.terminal.session.seats import register

from .script import ScriptFace

MENU = "review, undo, rematch, save, quit> "
WON = ["a1", "b1", "a2", "b2", "a3"]


def after(*lines: str, name: str = "tic-tac-toe", moves: list[str] = WON, **more: object) -> ScriptFace:
    """A play that is won, and what is typed then."""
    face = ScriptFace([*moves, *lines])
    assert run(name, PlayConfig(**more), face=face) == 0  # type: ignore[arg-type]
    return face


def kept() -> list[list[str]]:
    return sorted([e.text for e in Record.read(p).plies] for p in plays_folder().glob("*.record"))


def test_the_end_of_the_input_or_quit_ends_it() -> None:
    assert after().asked[-1][0] == MENU
    for word in ("quit", "q", "/quit"):
        face = after(word, "left")
        assert face.answers == ["left"]
    assert kept() == [WON] * 4


def test_nothing_is_asked_where_nobody_is_or_nobody_played() -> None:
    face = ScriptFace(WON, people=False)
    assert run("tic-tac-toe", face=face) == 0 and all(prompt != MENU for prompt, _ in face.asked)
    face = ScriptFace([])
    assert run("tic-tac-toe", config=PlayConfig(seats="random"), face=face) == 0 and face.asked == []


def test_a_play_can_be_stepped_through() -> None:
    face = after("review", "", "", "back", "last", "", "2", "first", "?", "done", "quit")
    steps = [prompt for prompt, _ in face.asked if prompt.startswith("step")]
    assert [s.split()[1] for s in steps] == ["0", "1", "2", "1", "5", "5", "2", "0", "0"]
    shown = face.text.split("step 1 of 5")[1].split("step 2 of 5")[0]
    assert "   2. O: b1" in shown and "[O]" in shown and "b2" not in shown.replace("b2]", "")
    assert face.text.count("result: X wins") == 4  # the end, two looks at the last step, and back at the menu


def test_quit_is_heard_in_the_review() -> None:
    assert after("review", "quit", "left").answers == ["left"]


def test_the_end_can_be_taken_back() -> None:
    face = after("undo 3", "c1", "b2", "quit")
    assert "taken back: X: a2, O: b2, X: a3" in face.shown
    assert kept() == [["a1", "b1", "c1", "b2"]]
    (path,) = plays_folder().glob("*.record")
    assert "result" not in path.read_text()


def test_a_rematch_moves_the_seats_on() -> None:
    """Against a program that takes the first free square, whoever begins with b2 and a3, c1 wins by b2, a3, c1."""
    register("plain", lambda argument: lambda state, player, rng: state.legal_moves(player)[0])
    face = after("rematch", "b2", "quit", moves=["b2", "a3", "c1"], seats="human,plain")
    assert "a new game: X plain, O human" in face.text
    (won, other) = sorted(kept(), key=len, reverse=True)
    assert won[:1] == ["b2"] and other[1] == "b2"


def test_a_rematch_is_kept_as_a_play_of_its_own() -> None:
    face = after("rematch", "c3", "quit", seats="human,human")
    assert kept() == [WON, ["c3"]]
    assert "a new game: X human, O human" in face.shown and face.text.count("X> ") == 4


def test_saving_help_history_and_rules(tmp_path: Path) -> None:
    face = after("what", "?", "help", "", "history", "rules", "board", f"save {tmp_path / 'own'}", "q")
    assert Record.read(tmp_path / "own").plies[-1].text == "a3"
    assert face.shown.count("The game is over.") == 3
    assert "   3. X: a2" in face.shown and "End of the game" in face.shown


def test_what_chance_has_done_is_not_taken_back(tmp_path: Path) -> None:
    face = after("undo", "quit", name="rock-paper-scissors", moves=["", "rock", "", "paper"])
    assert "a choice made in secret cannot be taken back" in face.shown
