"""Numbers of turns in notations: counted by hand here, and against python-chess in ``tests/games/classics/test_chess_fen.py``."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Literal, TypeAlias

import pytest

import gamedsl
from gamedsl.engine import Record
from gamedsl.engine.beginning import beginning_from
from gamedsl.language.source.diagnostic import GameDSLError

Backend: TypeAlias = Literal["interpreter", "native"]
backends = pytest.mark.parametrize("backend", ["interpreter", "native"])

# A turn is one walk or several hops; two notations count, each in its own way.
HOPS = """
players light, dark

board track 40

piece stone of player

state
  hopping: bool

define next_row(c: cell) = {d in cell: number(d) = number(c) + 1}

move walk(c: cell) written "{c}"
  when c in empty and not hopping
  put stone[me] on c

move hop(c: cell) written "hop {c}"
  when c in empty
  put stone[me] on c
  set hopping to yes

move rest written "rest"
  when hopping
  set hopping to no

play
  turns from light
    repeat
      me plays walk | hop | rest
    until not hopping

look
  show stone[light] as "l"
  show stone[dark] as "d"

notation moves
  text "l" if me = light, "d" if me = dark
  count "1" after dark

notation plies
  text "l" if me = light, "d" if me = dark
  count "0"
  count "5" after light
"""


@pytest.fixture
def hops(tmp_path: Path) -> Path:
    path = tmp_path / "hops.gdl"
    path.write_text(HOPS)
    return path


def after(game: gamedsl.Game, state: gamedsl.State, moves: str) -> gamedsl.State:
    for text in moves.split("; "):
        state = state.apply(game.parse_move(text, state))
    return state


@backends
def test_a_turn_of_several_plies_counts_once(hops: Path, backend: Backend) -> None:
    game = gamedsl.load(hops, backend=backend)
    state = game.initial_state()
    counted = [
        ("t1", "d 1", "d 1 6"),
        ("hop t2", "d 1", "d 1 6"),  # dark's turn goes on
        ("hop t3", "d 1", "d 1 6"),
        ("rest", "l 2", "l 2 6"),
        ("hop t4", "l 2", "l 2 6"),
        ("rest", "d 2", "d 3 7"),
        ("t5", "l 3", "l 4 7"),
    ]
    for move, moves, plies in counted:
        state = after(game, state, move)
        assert (state.position_text(to="moves"), state.position_text(to="plies")) == (moves, plies)


@backends
def test_a_count_that_was_read_goes_on(hops: Path, backend: Backend) -> None:
    game = gamedsl.load(hops, backend=backend)
    assert game.position("d 37").position_text(to="moves") == "d 37"
    state = after(game, game.position("d 37"), "t1; t2; t3")  # dark, light, dark
    assert state.position_text(to="moves") == "l 39"
    assert game.position("d 0").position_text(to="moves") == "d 0"
    assert game.position("d").position_text(to="moves") == "d 1"


def test_equal_positions_stay_equal(hops: Path) -> None:
    game = gamedsl.load(hops)
    early, late = game.position("d 1"), game.position("d 37")
    assert early == late
    assert hash(early) == hash(late)
    assert len({early, late}) == 1


@backends
def test_every_way_to_keep_a_state_keeps_the_number(hops: Path, backend: Backend) -> None:
    game = gamedsl.load(hops, backend=backend)
    first = game.position("d 37")
    for state in (first, after(game, first, "t1; t2; t3; hop t4")):
        number = state.position_text(to="moves")
        ways = [
            pickle.loads(pickle.dumps(state)),
            copy.copy(state),
            copy.deepcopy(state),
            game.deserialize(state.serialize()),
            game.deserialize(state.serialize(for_seat=0)),
            game.position(state.position_text()),
            game.position(state.position_text(one_line=True)),
            game.position(state.position_text(for_seat=1)),
            state.with_values({("hopping", 0): [int(state.value("hopping"))]}),
            pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(state)))),
        ]
        assert [way.position_text(to="moves") for way in ways] == [number] * len(ways)
        assert all(way == state for way in ways)
    deep = pickle.loads(pickle.dumps(after(game, first, "t1; t2; t3; t4")))
    assert deep.first_state.position_text(to="moves") == "d 37"
    assert after(game, deep, "t5; t6").position_text(to="moves") == "d 40"


@backends
def test_a_record_keeps_the_number(hops: Path, backend: Backend) -> None:
    game = gamedsl.load(hops, backend=backend)
    first = game.position("d 37")
    record = Record.begin(game, "hops", position=first.position_text(one_line=True))
    move = game.parse_move("t1", first)
    read = Record.parse(record.plus_move(game, move).text())
    assert read.replay(game)[-1].position_text(to="moves") == "l 38"


@backends
def test_a_long_game_is_counted_though_its_early_states_are_let_go(hops: Path, backend: Backend) -> None:
    game = gamedsl.load(hops, backend=backend)
    state = game.position("l 37")
    for number in range(1, 40):  # 79 plies, of which the last 32 to 63 are kept: light and dark hop and rest in turn
        state = after(game, state, f"hop t{number}; rest")
    assert state.previous is not None
    assert len(state.history) == 78
    assert state.position_text(to="moves") == "d 56"  # light had 20 turns, dark 19
    by_number = game.position("l 37")
    for action in state.action_history:
        by_number = by_number.apply_action(action)
    assert by_number.position_text(to="moves") == "d 56"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("d x", "x is not a number of turns"),
        ("d -1", "-1 is not a number of turns"),
        ("d 1.5", "1.5 is not a number of turns"),
        ("d 007", "007 is not a number of turns"),
        ("d ٣", "٣ is not a number of turns"),
        ("d 1000000", "1000000 is not a number of turns"),
    ],
)
def test_what_is_no_number_is_refused_at_its_place(hops: Path, text: str, problem: str) -> None:
    with pytest.raises(GameDSLError) as refused:
        gamedsl.load(hops).position(text)
    (found, *_) = refused.value.diagnostics
    assert (found.code, found.span.column) == ("E0656", 3)
    assert problem in found.message
    assert "whole number" in found.help


@pytest.mark.parametrize(
    ("turns", "problem"),
    [
        ("{ drak: 3 }", "turns of drak are not counted"),
        ("{ dark: many }", "many is not a number of turns"),
        ("{ dark: true }", "true is not a number of turns"),
        ("{ dark: 1000000 }", "1000000 is not a number of turns"),
    ],
)
def test_turns_that_are_no_number_are_refused(hops: Path, turns: str, problem: str) -> None:
    with pytest.raises(GameDSLError, match=problem):
        gamedsl.load(hops).position(f"turns: {turns}\nto_move: dark\n")


def test_turns_of_all_are_a_number(hops: Path) -> None:
    game = gamedsl.load(hops)
    state = game.position("turns: { dark: 3, light: 4, everyone: 7 }\nto_move: dark\n")
    assert (state.position_text(to="moves"), state.position_text(to="plies")) == ("d 4", "d 7 9")
    assert game.position("turns: 7\nto_move: dark\n").position_text(to="plies") == "d 7 5"


def test_turns_that_no_notation_counts_are_refused() -> None:
    with pytest.raises(GameDSLError, match="no notation of this ruleset counts turns"):
        gamedsl.load("tic-tac-toe").position("turns: 3\nto_move: X\n")


def test_a_saved_number_out_of_range_is_refused(hops: Path) -> None:
    game = gamedsl.load(hops)
    for bad in ({"turns": {"dark": 10**9}}, {"turns": {"drak": 1}}, {"turns": {"dark": True}}, {"last mover": 7}):
        with pytest.raises((ValueError, KeyError)):
            beginning_from(game, bad)


def test_an_unknown_player_is_refused_with_those_there_are(tmp_path: Path) -> None:
    path = tmp_path / "hops.gdl"
    path.write_text(HOPS.replace("after dark", "after drak"))
    with pytest.raises(GameDSLError) as refused:
        gamedsl.load(path)
    (found, *_) = refused.value.diagnostics
    assert (found.code, found.near) == ("E0201", ("dark",))
