"""Games, states and moves of both backends can be copied and pickled, also for other processes."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gamedsl
from gamedsl.compiler.host.native_game import NativeGame
from gamedsl.compiler.host.native_state import NativeState
from gamedsl.engine.errors import RulesError
from gamedsl.engine.state import Game, State
from gamedsl.language.source.diagnostic import GameDSLError, UsageError
from tests.random_states import states_by_numbers
from tests.shipped_sample import sampled, small

RULESETS = Path(__file__).parents[2] / "rulesets"
SHIPPED = sorted(p.stem for folder in (RULESETS, RULESETS / "classics") for p in folder.glob("*.gdl"))
SOME = ("tic-tac-toe", "go", "rock-paper-scissors", "backgammon")


@cache
def game(name: str, backend: Any = "interpreter") -> Game:
    return gamedsl.load(name, backend=backend, **small(name))


def after(name: str, plies: int, seed: int = 1, backend: str = "interpreter") -> State:
    state, rng = game(name, backend).initial_state(), Random(seed)
    for _ in range(plies):
        state = state if state.is_terminal else state.apply(state.propose(rng))
    return state


def again(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


def same(state: State, other: State) -> None:
    assert type(other) is type(state) and other == state and hash(other) == hash(state)
    assert other.entered == state.entered
    assert [str(m) for m in other.legal_moves()] == [str(m) for m in state.legal_moves()]
    assert other.chance_outcomes() == state.chance_outcomes()


@pytest.mark.parametrize("name", sampled(SHIPPED, "test_every_ruleset"))
def test_every_ruleset(name: str) -> None:
    """The game, a state after a few plies, and its moves; what comes from a move that was pickled is what comes from it."""
    state = after(name, 4)
    other = again(state)
    same(state, other)
    assert other.game.digest == state.game.digest and other.game.options == state.game.options
    for move in state.legal_moves()[:5]:
        assert again(move) == move and hash(again(move)) == hash(move) and str(again(move)) == str(move)
        assert other.apply(again(move)) == state.apply(move)


@pytest.mark.parametrize("backend", ["interpreter", "native"])
@pytest.mark.parametrize("name", SOME)
@settings(max_examples=15, deadline=None)
@given(numbers=st.lists(st.integers(0, 999), max_size=40))
def test_positions_of_both_backends(name: str, backend: str, numbers: list[int]) -> None:
    """However a play goes, every copy of its last position is that position."""
    state = states_by_numbers(game(name, backend).initial_state(), numbers)[-1]
    for other in (copy.copy(state), copy.deepcopy(state), again(state), copy.deepcopy([state])[0]):
        same(state, other)
    assert isinstance(state, NativeState) == (backend == "native")


@pytest.mark.parametrize("backend", ["interpreter", "native"])
def test_games_are_copied_and_pickled(backend: str) -> None:
    mine = game("connect-four", backend)
    assert copy.copy(mine) is mine and copy.deepcopy(mine) is mine
    other = again(mine)
    assert type(other) is type(mine) and other.digest == mine.digest
    assert again([mine.initial_state(), mine.initial_state()])[1].game is again(mine)  # made once


def played_on(state: State) -> tuple[State, list[Any]]:
    """What a worker does: it plays on, and sends states and moves back."""
    rng, moves = Random(5), []
    for _ in range(6):
        moves.append(state.propose(rng))
        state = state.apply(moves[-1])
    return state, moves


def wrong(state: State) -> None:
    state.apply(state.legal_moves()[0]).apply(state.legal_moves()[0])


def test_across_processes() -> None:
    """Workers that begin with nothing, as on every system but Linux."""
    starts = [after("go", 3), after("go", 3, backend="native")]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        for start, (end, moves) in zip(starts, pool.map(played_on, starts), strict=True):
            state = start
            for move in moves:
                state = state.apply(move)
            same(state, end)
        with pytest.raises(GameDSLError, match="E0503"):
            pool.map(wrong, starts[:1])


# ------------------------------------------------------------------------------------------------------- refusals


def forged(state: State, change: Callable[[str], str]) -> bytes:
    """A pickle with another saved text in it."""
    make, (kind, saved, *rest) = state.__reduce__()
    return pickle.dumps(_Forged((make, (kind, change(saved), *rest))))


class _Forged:
    def __init__(self, made: Any) -> None:
        self.made = made

    def __reduce__(self) -> Any:
        return self.made


@pytest.mark.parametrize("backend", ["interpreter", "native"])
def test_forged_states_are_refused(backend: str) -> None:
    state, other = after("go", 5, backend=backend), after("connect-four", 2)
    for change in (
        lambda _: other.serialize(),  # of other rules
        lambda s: s.replace('"block": ', '"block": 9'),
        lambda s: s[:100],
        lambda s: s.replace("1", "70"),
    ):
        with pytest.raises(GameDSLError, match="E052"):
            pickle.loads(forged(state, change))


def test_a_state_of_other_rules_gets_no_compiled_rules() -> None:
    native = game("connect-four", "native")
    assert isinstance(native, NativeGame)
    with pytest.raises(GameDSLError, match="E0521"):
        native.compiled(after("tic-tac-toe", 2))
    with pytest.raises(GameDSLError, match="E0521"):
        native.compiled(after("tic-tac-toe", 2, backend="native"))
    same(native.compiled(after("connect-four", 2)), after("connect-four", 2, backend="native"))


def test_what_a_seat_sees_is_not_pickled() -> None:
    """It rests on the whole state, which holds what the seat may not know."""
    seen = after("phantom-tic-tac-toe", 3).seen_by(0)
    assert copy.deepcopy(seen) is seen
    with pytest.raises(GameDSLError, match="E0522"):
        pickle.dumps(seen)


def test_errors_are_pickled() -> None:
    """An error raised in a worker arrives with its diagnostics."""
    for error in (RulesError("it goes wrong"), UsageError("no such file", near=("a",)), GameDSLError()):
        other = again(error)
        assert type(other) is type(error) and str(other) == str(error)
        assert other.diagnostics == error.diagnostics and other.exit_code == error.exit_code
