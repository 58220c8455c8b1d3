"""Random plays of every ruleset with every value of every option, to the end."""

from __future__ import annotations

from random import Random

import pytest

import gamedsl
from gamedsl import State

MATCH = "t-tic-t-tac-toe"
GAME = "t-tic-t-tac-toe-game"
MOST_PLIES = 20_000

CHOICES: list[tuple[str, dict[str, str | int | bool]]] = [
    ("rock-paper-scissors", {}),
    ("tic-tac-toe", {}),
    (GAME, {"edition": "v1"}),
    (GAME, {"edition": "v2"}),
    (GAME, {"starter": "O"}),
    (GAME, {"super_on_first_ply": "never"}),
    (GAME, {"super_from_ply": 3}),
    (GAME, {"bwah": True}),
    (MATCH, {}),
    (MATCH, {"super_on_first_ply": "never"}),
    (MATCH, {"super_from_ply": 3}),
    (MATCH, {"bwah": True}),
    *(("x-s-and-lines", {"n": n}) for n in range(2, 17)),
    ("horn-tiles", {}),
    ("horn-tiles", {"diagonals": False}),
    ("horn-tiles", {"orientation_from": "opening_tile"}),
    ("atreso", {}),
    ("atreso", {"adjacency": "any"}),
    *(("abs-trac-toe", {"players": n}) for n in range(1, 7)),
    ("abs-trac-toe", {"players": 1, "solo": "both_sides"}),
    ("abs-trac-toe", {"players": 4, "teams": "two"}),
    ("abs-trac-toe", {"players": 6, "teams": "three"}),
]


def play(name: str, options: dict[str, str | int | bool], seed: int) -> State:
    """The end of a random play; on the way, that there is always something to do and that it is legal."""
    state = gamedsl.load(name, **options).initial_state()
    rng = Random(seed)
    for _ in range(MOST_PLIES):
        if state.is_terminal:
            return state
        assert state.to_act or state.kind == "chance"
        state = state.apply(state.propose(rng))
    raise AssertionError(f"no end after {MOST_PLIES} plies")


def check_end(state: State) -> None:
    assert state.outcome_text
    assert len(state.returns) == state.game.num_players
    assert all(-1 <= r <= 1 for r in state.returns) or state.scores
    assert state.legal_moves() == []


@pytest.mark.parametrize(("name", "options"), CHOICES, ids=lambda x: x if isinstance(x, str) else str(x))
def test_each_option_value(name: str, options: dict[str, str | int | bool]) -> None:
    check_end(play(name, options, seed=1))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
@pytest.mark.parametrize(("name", "options"), CHOICES, ids=lambda x: x if isinstance(x, str) else str(x))
def test_each_option_value_more(name: str, options: dict[str, str | int | bool], seed: int) -> None:
    check_end(play(name, options, seed))


@pytest.mark.parametrize("seed", range(1, 6))
def test_match(seed: int) -> None:
    check_match(play(MATCH, {}, seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6, 201))
def test_match_more(seed: int) -> None:
    check_match(play(MATCH, {}, seed))


def check_match(state: State) -> None:
    """Five games were played, so there are at most five wins; most wins take the match."""
    check_end(state)
    one, two = state.scores
    assert one + two <= 5
    assert state.winners == (frozenset() if one == two else {0 if one > two else 1})


@pytest.mark.parametrize("seed", range(3))
def test_same_seed_same_play(seed: int) -> None:
    first, second = play("abs-trac-toe", {}, seed), play("abs-trac-toe", {}, seed)
    assert first == second and hash(first) == hash(second)
