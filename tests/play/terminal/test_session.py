"""The laws of a play: back and forth, saved and resumed, the same seed the same play."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamedsl.engine import Game, InterpretedGame
from gamedsl.engine.records.record import Record
from gamedsl.language.rules import load_program
from gamedsl.language.source.diagnostic import GameDSLError, UsageError
from gamedsl.play.terminal.saving.save_file import SaveFile, free_name
from gamedsl.play.terminal.session.seats import HUMAN, SeatPlayer, kinds, make_seat, make_seats, register
from gamedsl.play.terminal.session.session import Session

from .script import make, own_game, session_of

GAMES = ("tic-tac-toe", "x-s-and-lines", "horn-tiles", "t-tic-t-tac-toe-game")


@cache
def loaded(name: str) -> Game:
    return InterpretedGame(load_program(name, {}))


DICE = """game "Dice"
players one, two
state
  points: player -> 0..60
move keep written "keep"
  add 1 to points[me]
move throw written "throw"
  roll d6 -> die
  add die to points[me]
play
  turns from one, 8 times
    me plays keep | throw
  rank by points
"""


def seated(name: str, seed: int, human: bool) -> Session:
    game = loaded(name)
    return Session(game, name, (HUMAN,) * 2 if human else make_seats("random", game.players), seed)


def wander(session: Session, plies: int) -> None:
    """Plays that many plies as the programs would, whoever sits there."""
    from random import Random

    for _ in range(plies):
        if not session.state.is_terminal:
            session.play(session.state.propose(Random(f"{session.seed} {session.now.plies}")))


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 99), st.integers(1, 12), st.integers(1, 12))
def test_back_and_forth_is_where_one_was(name: str, seed: int, plies: int, back: int) -> None:
    session = seated(name, seed, human=True)
    wander(session, plies)
    moments = list(session.moments)
    steps = sum(session.history.undo() is None for _ in range(back))
    assert steps == min(back, plies, len(moments) - 1)
    assert session.now == moments[len(moments) - 1 - steps]
    assert all(session.history.redo() is None for _ in range(steps))
    assert session.moments == moments
    assert session.history.redo() is not None


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 99), st.integers(0, 15))
def test_a_saved_play_goes_on_where_it_was(tmp_path_factory, name: str, seed: int, plies: int) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path_factory.mktemp("saved") / "play.record"
    session = seated(name, seed, human=False)
    wander(session, plies)
    session.refuse(0, "something")
    session.save(str(path))
    again = Session.resume(loaded(name), Record.read(path), session.seats, seed)
    assert (again.state, again.now.sheet, again.record) == (session.state, session.now.sheet, session.record)
    assert again.is_saved
    while not session.state.is_terminal and session.now.plies < plies + 4:
        assert str(session.play_by_program()) == str(again.play_by_program())


def test_what_was_taken_back_is_gone_when_another_move_is_made() -> None:
    session = seated("tic-tac-toe", 1, human=True)
    make(session, "a1", "b1")
    assert session.history.undo() is None
    make(session, "c3")
    assert session.history.redo() == "nothing was taken back"
    assert [e.text for e in session.record.plies] == ["a1", "c3"]


def test_undo_takes_the_programs_answer_back_too() -> None:
    session = session_of("tic-tac-toe", "human,random")
    make(session, "b2")
    session.play_by_program()
    assert session.history.undo() is None
    assert session.now.plies == 0 and session.waiting_for() == 0
    assert session.history.undo() == "there is nothing to take back"


def test_chance_can_not_be_taken_back(tmp_path: Path) -> None:
    session = own_game(tmp_path, DICE)
    make(session, "throw")
    assert session.state.kind == "chance" and session.waiting_for() is None
    session.play_by_program()
    refusal = session.history.undo()
    assert refusal is not None and "chance" in refusal
    make(session, "keep")
    assert session.history.undo() is None
    assert session.history.undo() == refusal


def test_open_choices_can_not_be_taken_back_and_are_not_saved(tmp_path: Path) -> None:
    session = session_of("rock-paper-scissors")
    empty = session.record
    make(session, "rock")
    assert session.history.undo() == "a choice made in secret cannot be taken back"
    session.save(str(tmp_path / "a"))
    assert Record.read(tmp_path / "a").entries == empty.entries == ()
    session.play(session.game.parse_move("paper", session.state))
    assert session.history.undo() == "a choice made in secret cannot be taken back"


def test_the_source_of_chance_follows_from_seed_and_ply(tmp_path: Path) -> None:
    first, second, third = (own_game(tmp_path, DICE, "random", seed) for seed in (7, 7, 8))
    for session in (first, second, third):
        while not session.state.is_terminal:
            session.play_by_program()
    assert first.record == second.record
    assert first.record.entries != third.record.entries


def test_refusals_and_redraws_are_in_the_record() -> None:
    session = session_of("t-tic-t-tac-toe-game")
    assert not session.redraw()
    session.refuse(0, "r9c9")
    assert session.now.sheet.may_redraw
    assert session.redraw() and not session.redraw()
    assert [(e.kind, e.text) for e in session.record.entries] == [("refused", "r9c9"), ("redraw", "")]
    assert session.state == session.game.initial_state()


# -------------------------------------------------------------------------------------------------------- files


def test_a_file_of_another_play_is_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "precious"
    path.write_text("mine", encoding="utf-8")
    session = seated("tic-tac-toe", 1, human=True)
    make(session, "a1")
    file = SaveFile()
    with pytest.raises(UsageError):
        file.save(session, str(path))
    assert path.read_text(encoding="utf-8") == "mine"
    file.save(session, str(tmp_path / "own"))
    make(session, "b1")
    file.save(session)
    assert len(Record.read(tmp_path / "own").plies) == 2


def test_names_for_files_are_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    first = free_name("my game/../x.gdl")
    assert "/" not in first and first.startswith("gamedsl-x-") and first.endswith(".record")
    Path(first).write_text("", encoding="utf-8")
    assert free_name("x") != first


def test_a_cut_record_is_refused(tmp_path: Path) -> None:
    session = seated("tic-tac-toe", 1, human=True)
    make(session, "a1", "b1")
    session.save(str(tmp_path / "play"))
    lines = (tmp_path / "play").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "cut").write_text("".join(lines[:-1]), encoding="utf-8")
    with pytest.raises(GameDSLError):
        Record.read(tmp_path / "cut")


# -------------------------------------------------------------------------------------------------------- seats


def test_seats() -> None:
    players = ("one", "two", "three")
    assert [s.text for s in make_seats(None, players)] == ["human"] * 3
    assert [s.text for s in make_seats("random", players)] == ["random"] * 3
    assert [s.is_human for s in make_seats("human, random,human", players)] == [True, False, True]
    for bad in ("human,random", "robot", "random:9", "human:me", ""):
        with pytest.raises(UsageError):
            make_seats(bad, players)


def test_kinds_of_seats_can_be_added() -> None:
    register("first", lambda argument: lambda state, player, rng: state.legal_moves(player)[int(argument or 0)])
    assert "first" in kinds()
    game = loaded("tic-tac-toe")
    session = Session(game, "tic-tac-toe", (make_seat("first:2"), make_seat("first")), 1)
    assert [str(session.play_by_program()) for _ in range(3)] == ["c1", "a1", "b2"]


def test_the_argument_of_a_seat_stays_in_the_record() -> None:
    session = Session(loaded("tic-tac-toe"), "tic-tac-toe", (HUMAN, SeatPlayer("mcts:2s")), 1)
    assert session.record.seats == ("human", "mcts:2s")
