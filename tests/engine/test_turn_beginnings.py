"""A position stands at the beginning of a turn: what the rules do before the decision is carried out, what the course of
play computes need not be told, and what nothing computes is asked for by name."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import gamedsl
from gamedsl.cli.main import main
from gamedsl.engine.positions.names import unique_names
from gamedsl.engine.positions.places import places_of
from gamedsl.language.rules.files import shipped
from gamedsl.language.source.diagnostic import GameDSLError
from tests.shipped_sample import sampled, small
from tests.values import codes_named

CHESS_ROWS = ["k . . . . . . .", *[". . . . . . . ."] * 6, ". . . . . . . K"]


@cache
def game_of(name: str) -> gamedsl.Game:
    return gamedsl.load(name, **small(name))


def moves(state: gamedsl.State) -> list[str]:
    return [str(m) for m in state.legal_moves()]


def text(**entries: Any) -> str:
    return json.dumps(entries)


# ------------------------------------------------------------------------------- what comes before the decision


def test_a_forced_capture_is_found_before_the_decision() -> None:
    """International draughts computes how many pieces must be captured before each move (FMJD 4.13)."""
    rows = [". . . . . . . . . ."] * 10
    rows[1], rows[2], rows[9] = ". . . . b . . . . .", ". . . w . . . . . .", "b . . . . . . . . ."
    state = game_of("international-draughts").position(text(to_move="white", board=rows))
    assert moves(state) == ["d8xf10"]


@pytest.mark.parametrize("position", [text(to_move="white", board=CHESS_ROWS), "k7/8/8/8/8/8/8/7K w - - 0 1"])
def test_a_play_may_be_over_before_the_decision(position: str) -> None:
    """FIDE 5.2.2: two bare kings. Also in a notation."""
    state = game_of("chess").position(position)
    assert state.is_terminal
    assert state.winners == frozenset()


def test_a_third_repetition_ends_the_play_before_the_decision() -> None:
    state = game_of("chess").initial_state()
    for word in ("g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"):
        state = state.apply(game_of("chess").parse_move(word, state))
    text_before = state.position_text()
    again = game_of("chess").position(text_before)
    assert again.apply(game_of("chess").parse_move("f6g8", again)).is_terminal


PINCERS = """
players white, black
board grid 4 by 4 named by letters from bottom
piece man of player
move go(from: cell, to: cell) written "{from}-{to}"
  when from in man[me] "no man of yours stands there"
  when to in neighbors(from) & empty
  move man[me] from from to to
play
  put man[white] on bottom_row
  put man[black] on top_row
  turns from white, 60 times
    me plays go
      stuck
        lose me
  draw
"""


def test_a_count_of_turns_is_full_unless_it_is_told(tmp_path: Path) -> None:
    path = tmp_path / "pincers.gdl"
    path.write_text(PINCERS)
    game = gamedsl.load(path)
    state = game.position(text(to_move="white", board=["black . . .", ". . . .", ". . . .", "white . . ."]))
    assert codes_named(state, "turns to come") == [60]
    (tmp_path / "pincers.examples.yaml").write_text(
        "examples:\n  - name: x\n    position:\n      to_move: white\n"
        '      board: ["black . . .", ". . . .", ". . . .", "white . . ."]\n    moves: [a1-a2]\n    to_move: black\n'
    )
    assert main(["test", str(path)]) == 0
    later = game.position(text(to_move="black", board=["black . . .", *[". . . ."] * 3], set={"turns to come": 7}))
    assert codes_named(later, "turns to come") == [7]


def test_who_begins_is_to_move_if_nothing_is_said() -> None:
    """Go begins with black, who is the first player; clobber's second player never begins."""
    assert game_of("go").position(text(board=["."] * 9 and [". . . . . . . . ."] * 9)).to_act == (0,)


def test_dice_are_waited_for_unless_they_are_told() -> None:
    game = game_of("backgammon")
    checkers = {"white": ["t6", "t5"], "black": ["t19", "t20"]}
    waiting = game.position(text(to_move="white", set={"checker": checkers}))
    assert waiting.kind == "chance"
    assert game.position(waiting.position_text()) == waiting
    thrown = game.position(text(to_move="white", set={"checker": checkers, "dice": {"5": 1, "6": 1}}))
    assert thrown.kind == "player"
    assert codes_named(thrown, "both") == [1]  # computed after the throw, before the decision
    assert game.position(thrown.position_text()) == thrown


# ----------------------------------------------------------------------------------------------- asked for by name


@pytest.mark.parametrize(
    ("name", "position", "words"),
    [
        ("international-draughts", text(at="plays jump | step"), "omits need: the turn computes it"),
        ("international-draughts", text(at="plays jump"), "omits hopper and jumped and need"),
        ("whist", text(to_move="north"), "omits"),
        ("backgammon", text(), "omits to_move"),
        ("tsuro", text(to_move="p2"), "omits p to come"),
    ],
)
def test_what_nothing_computes_is_asked_for_by_name(name: str, position: str, words: str) -> None:
    with pytest.raises(GameDSLError) as problem:
        game_of(name).position(position)
    (found, *_) = problem.value.diagnostics
    assert found.code == "E0660"
    assert words in found.message
    assert found.help


def test_a_value_that_the_turn_computes_otherwise_is_refused() -> None:
    rows = [". . . . . . . . . ."] * 10
    rows[1], rows[2] = ". . . . b . . . . .", ". . . w . . . . . ."
    with pytest.raises(GameDSLError, match="need is 1 there: the rules compute it"):
        game_of("international-draughts").position(text(to_move="white", board=rows, set={"need": 3}))


# --------------------------------------------------------------------------------------------------------- the law


def sampled_states(game: gamedsl.Game, seeds: int, each: int) -> Iterator[gamedsl.State]:
    """Some states of random plays in which a player decides."""
    for seed in range(seeds):
        state, rng = game.initial_state(), random.Random(seed)
        found: list[gamedsl.State] = []
        while not state.is_terminal and len(found) < 120:
            if state.kind in ("player", "together") and not state.pending:
                found.append(state)
            state = state.apply(state.propose(rng))
        yield from rng.sample(found, min(each, len(found)))


def kept(state: gamedsl.State) -> str:
    """The position without the helper variables that it need not name."""
    data = json.loads(state.position_text(one_line=True))
    game, places = state.game, places_of(state.game)
    place = places.named(data["at"]) if "at" in data else places.before(places.first_decision)
    names = zip(game.program.variables, unique_names(game.program), strict=True)
    helpers = {name for v, name in names if v.role == "temp" and v.index not in place.missing}
    data["set"] = {name: value for name, value in data.get("set", {}).items() if name not in helpers}
    return json.dumps(data)


# Their helpers are not told by the board: which of a player's pieces are still to be set up.
ASKED = ("stratego", "atreso")


def check_law(name: str, seeds: int, each: int) -> None:
    """Board, player to move and the variables that nothing recomputes give the same legal moves and the same result."""
    for state in sampled_states(game_of(name), seeds, each):
        try:
            again = game_of(name).position(kept(state))
        except GameDSLError as problem:
            assert name in ASKED and problem.diagnostics[0].code == "E0660", problem
            continue
        assert (again.kind, again.to_act) == (state.kind, state.to_act), kept(state)
        assert (moves(again), again.is_terminal) == (moves(state), state.is_terminal), kept(state)


DRAWN = {"abs-trac-toe"}  # a random drawing takes long


@pytest.mark.parametrize("name", sampled(sorted(set(shipped()) - DRAWN), "beginnings"))
def test_law_of_beginnings(name: str) -> None:
    check_law(name, 2, 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped()))
def test_law_of_beginnings_everywhere(name: str) -> None:
    check_law(name, 1 if name in DRAWN else 8, 4)


def test_a_turn_beyond_the_highest_number_is_that_number() -> None:
    """The ruleset asks only whether the turn is 2, so its counter stops at 3, which stands for all later turns."""
    game = game_of("hex")
    later = game.position(text(to_move="red", set={"turn": 25}))
    assert codes_named(later, "turn") == [3]
    assert later == game.position(text(to_move="red"))
    assert later.position_text().endswith("# turn: 3 or later\n")
    assert game.position(text(set={"turn": 1})) == game.initial_state()
