"""Numbered actions: the numbering by hand, and its laws on shipped rulesets with both backends."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gamedsl
from gamedsl import Game, GameDSLError, State
from tests.random_states import states_by_numbers
from tests.shipped_sample import small

RULESETS = Path(__file__).parents[2] / "rulesets"
SHIPPED = sorted(p.stem for folder in (RULESETS, RULESETS / "classics") for p in folder.glob("*.gdl"))
SOME = ("connect-four", "chess", "backgammon", "horn-tiles", "t-tic-t-tac-toe", "rock-paper-scissors", "leduc-poker")
NUMBERS = st.lists(st.integers(0, 999), max_size=30)


@cache
def game(name: str, backend: Any = "interpreter") -> Game:
    return gamedsl.load(name, backend=backend, **small(name))


# ------------------------------------------------------------------------------------------------------ by hand


def test_a_kind_with_two_parameters() -> None:
    """Cells are numbered row by row from a1, so e2 is 12 and e4 is 28; the last parameter varies fastest."""
    chess = game("chess")
    assert chess.action(chess.parse_move("e2e4", chess.initial_state())) == 12 * 64 + 28
    assert chess.action_text(12 * 64 + 28) == "e2e4"
    assert chess.action_parts(12 * 64 + 28) == (0, 12, 28)
    assert [k.name for k in chess.action_kinds] == [
        "go",
        "promote",
        "take_in_passing",
        "castle_short",
        "castle_long",
    ]
    assert [k.size for k in chess.action_kinds] == [64 * 64, 64 * 64 * 4, 64 * 64, 1, 1]
    assert chess.num_actions == chess.num_player_actions == 64 * 64 * 6 + 2
    assert chess.action_factors == (5, 64, 64, 4)


def test_passing_and_chance_come_last() -> None:
    board = game("backgammon")
    assert [board.action_text(a) for a in range(744, 751)] == ["pass", *(f"roll {n}" for n in range(1, 7))]
    assert (board.num_actions, board.num_player_actions) == (751, 745)
    assert board.initial_state().legal_actions() == list(range(745, 751))
    move = board.move(746, board.initial_state())
    assert (move.kind, move.player, str(move)) == ("chance", None, "roll 2")


def test_values_to_choose(tmp_path: Path) -> None:
    """The same text is the same action at every stop."""
    path = tmp_path / "values.gdl"
    path.write_text(
        "players X, O\n\nstate\n  first: 1..3\n  second: 2..4\n\nplay\n  X chooses first\n  O chooses second\n  draw\n",
        encoding="utf-8",
    )
    mine = gamedsl.load(path)
    assert [mine.action_text(a) for a in range(mine.num_actions)] == ["1", "2", "3", "4"]
    state = mine.initial_state()
    assert state.legal_actions() == [0, 1, 2]
    assert state.apply_action(2).legal_actions() == [1, 2, 3]
    assert mine.move(1, state).player == 0 and mine.move(1, state.apply_action(2)).player == 1


def test_several_players_at_once() -> None:
    throw = game("rock-paper-scissors").initial_state()
    assert throw.legal_actions(0) == throw.legal_actions(1) == throw.legal_actions() == [0, 1, 2]
    half = throw.apply_action(2, player=1)
    assert half.to_act == (0,) and half.legal_actions(1) == []
    assert half.apply_action(0) == throw.apply_action(0).apply_action(2)
    assert half.apply_action(0).returns == (1, -1)  # rock beats scissors


def test_moves_that_are_legal_by_mistake_have_numbers() -> None:
    mine = game("t-tic-t-tac-toe-game")
    [kind] = [k for k in mine.action_kinds if k.schema is not None and mine.program.schemas[k.schema].mistake]
    for a in range(kind.first, kind.first + kind.size):
        assert mine.action(mine.move(a, mine.initial_state())) == a


def test_a_ruleset_whose_numbers_are_those_of_the_cells() -> None:
    state = game("tic-tac-toe").initial_state()
    after = state.apply_action(4)
    assert after.legal_actions() == [0, 1, 2, 3, 5, 6, 7, 8]
    mask = after.action_mask()
    assert mask.dtype == np.bool_ and mask.shape == (9,) and mask.tolist() == [a != 4 for a in range(9)]
    assert after.apply_action(np.int64(0)) == after.apply_action(0)


def test_the_numbering_depends_on_the_digest_only(tmp_path: Path) -> None:
    """Titles, look and notation of clauses do not count; the size of the board does."""
    text = (RULESETS / "tic-tac-toe.gdl").read_text(encoding="utf-8")
    other = tmp_path / "other.gdl"
    other.write_text(text.replace('game "', 'game "Another '), encoding="utf-8")
    mine, twin = game("tic-tac-toe"), gamedsl.load(other)
    assert mine.digest == twin.digest and mine.title != twin.title and mine.action_kinds == twin.action_kinds
    assert gamedsl.load("m-n-k", m=4, n=5).num_actions == 20


# --------------------------------------------------------------------------------------------------------- laws


def check_numbering(state: State) -> None:
    """The laws of numbers, masks, parts and moves in one state."""
    rules, actions = state.game, state.legal_actions()
    assert actions == sorted(set(actions))
    moves = state.legal_moves()
    assert sorted(map(rules.action, moves)) == actions
    for player in state.to_act:
        assert state.legal_actions(player) == sorted(map(rules.action, state.legal_moves(player)))
        assert all(rules.move(a, state, player) in state.legal_moves(player) for a in state.legal_actions(player))
    assert np.flatnonzero(state.action_mask()).tolist() == actions
    for a in actions:
        move = rules.move(a, state)
        assert move in moves and rules.action(move) == a and rules.action_text(a) == str(move)
        assert rules.action_of_parts(rules.action_parts(a)) == a
        assert (a >= rules.num_player_actions) == (move.kind == "chance")


def check_parts(state: State, action: int) -> None:
    """Every part of a legal action is allowed by the mask after the parts before it."""
    parts = state.game.action_parts(action)
    for at, part in enumerate(parts):
        mask = state.part_mask(parts[:at])
        assert mask.shape == (state.game.action_factors[at],) and mask[part]
        following = {state.game.action_parts(a)[: at + 1] for a in state.legal_actions()}
        assert {(*parts[:at], int(i)) for i in np.flatnonzero(mask)} == {p for p in following if p[:at] == parts[:at]}
    assert not state.part_mask(parts).any()


def check_play(state: State, numbers: list[int]) -> None:
    """A play by numbers is the play by moves."""
    for number in numbers:
        if state.is_terminal:
            assert state.legal_actions() == []
            return
        check_numbering(state)
        actions = state.legal_actions()
        action = actions[number % len(actions)]
        check_parts(state, action)
        move = state.game.move(action, state)
        after = state.apply_action(action)
        assert after == state.apply(move)
        state = after


@pytest.mark.parametrize("backend", ["interpreter", "native"])
@pytest.mark.parametrize("name", SOME)
@settings(max_examples=4, deadline=None)
@given(numbers=NUMBERS)
def test_laws(name: str, backend: str, numbers: list[int]) -> None:
    check_play(game(name, backend).initial_state(), numbers[:12])


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["interpreter", "native"])
@pytest.mark.parametrize("name", [n for n in SHIPPED if n != "abs-trac-toe"])
def test_laws_on_every_ruleset(name: str, backend: str) -> None:
    rng = random.Random(1)
    for _ in range(3):
        check_play(game(name, backend).initial_state(), [rng.randrange(1000) for _ in range(40)])


@pytest.mark.parametrize("name", ["tic-tac-toe", "t-tic-t-tac-toe", "backgammon", "leduc-poker", "pig", "horn-tiles"])
def test_numbers_and_moves_are_one_to_one(name: str) -> None:
    mine = game(name)
    state = mine.initial_state()
    numbers = range(mine.num_actions) if mine.num_actions < 2000 else range(0, mine.num_actions, 97)
    moves = [mine.move(a, state) for a in numbers]
    assert [mine.action(m) for m in moves] == list(numbers)
    part = [s.part for s in mine.program.schemas]  # two parts may write different moves alike
    assert len({(None if m.schema is None else part[m.schema], str(m)) for m in moves}) == len(moves)
    assert [k.first for k in mine.action_kinds] == [
        sum(k.size for k in mine.action_kinds[:i]) for i in range(len(mine.action_kinds))
    ]


@settings(max_examples=10, deadline=None)
@given(numbers=NUMBERS)
def test_both_backends_number_alike(numbers: list[int]) -> None:
    plain, compiled = (
        states_by_numbers(game("backgammon", b).initial_state(), numbers) for b in ("interpreter", "native")
    )
    assert [s.legal_actions() for s in plain] == [s.legal_actions() for s in compiled]


# ------------------------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize("backend", ["interpreter", "native"])
def test_refusals(backend: str) -> None:
    mine = game("tic-tac-toe", backend)
    state = mine.initial_state().apply_action(4)
    with pytest.raises(GameDSLError, match="E0503"):
        state.apply_action(4)
    for wrong in (-1, 9, 10**30):
        with pytest.raises(GameDSLError, match="E0540"):
            state.apply_action(wrong)
        with pytest.raises(GameDSLError, match="E0540"):
            mine.action_text(wrong)
    for parts in ((1, 0), (0, 9), (0,), (0, 0, 0), (-1, 0)):
        with pytest.raises(GameDSLError, match="E0540"):
            mine.action_of_parts(parts)
    chess = game("chess").initial_state()
    with pytest.raises(GameDSLError, match="E0541"):
        mine.action(chess.legal_moves()[0])
    with pytest.raises(GameDSLError, match="E0541"):
        mine.action(game("backgammon").move(744, chess))


def test_drawings_have_no_numbers() -> None:
    mine = game("abs-trac-toe")
    state = mine.initial_state()
    drawing = state.propose(random.Random(1))
    for refused in (state.legal_actions, state.action_mask, state.part_mask, lambda: mine.action(drawing)):
        with pytest.raises(GameDSLError, match="E0541"):
            refused()
    while state.kind == "drawing":
        state = state.apply(state.propose(random.Random(1)))
    check_numbering(state)
