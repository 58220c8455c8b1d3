"""Phantom go: the tries, the results and what each seat sees, ply by ply against OpenSpiel's phantom_go."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from gamedsl import State
from tests.games.classics.soundness import after, load

NAME, N = "phantom-go", 5
ROW = re.compile(r"^ *(\d+) ([+XO]+)$", re.MULTILINE)
COUNT = re.compile(r"(\d+) stones were captured")


@pytest.fixture(scope="module")
def peer() -> Any:
    """OpenSpiel's game."""
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra `peers`)")
    return pyspiel.load_game(f"phantom_go(board_size={N},komi=7.5,max_game_length=10000)")


def stones(text: str) -> dict[str, int]:
    """By player the points of a picture, as bits."""
    found = {"X": 0, "O": 0}
    for row, points in ROW.findall(text):
        for column, point in enumerate(points):
            if point != "+":
                found[point] |= 1 << ((int(row) - 1) * N + column)
    return found


def same_view(state: State, peer: Any, seat: int) -> None:
    """A seat sees its own stones, those that it has run into, and how many the last move took."""
    seen, theirs = state.observation(seat)["variables"], peer.observation_string(seat)
    board = stones(theirs)
    assert seen["stone"][seat] == board["XO"[seat]]
    assert seen["found"][seat] == board["XO"[1 - seat]]
    assert seen["stone"][1 - seat] is None and seen["found"][1 - seat] is None
    told = COUNT.search(theirs)
    if told:
        assert seen["taken"] == int(told[1])


def same_play(peer: Any, seed: int) -> int:
    """A random play in both; returns its plies."""
    rng, state, other, plies = Random(seed), load(NAME, n=N).initial_state(), peer.new_initial_state(), 0
    while not other.is_terminal():
        assert not state.is_terminal and state.current_player == other.current_player()
        for seat in (0, 1):
            same_view(state, other, seat)
        mine = state.current_player
        there = {other.action_to_string(mine, a).split()[1].lower(): a for a in other.legal_actions()}
        here = {str(m): m for m in state.legal_moves()}
        refused = state.observation(mine)["variables"]["refused"][mine]
        again = {t for t in there if t != "pass" and refused >> ((int(t[1:]) - 1) * N + "abcde".index(t[0])) & 1}
        assert here.keys() == there.keys() - again  # (there a refused point may be tried again)
        text = rng.choice(sorted(here))
        state, plies = state.apply(here[text]), plies + 1
        other.apply_action(there[text])
    assert state.is_terminal
    assert [float(r) for r in state.returns] == list(other.returns())
    return plies


def test_against_open_spiel(peer: Any) -> None:
    assert sum(same_play(peer, seed) for seed in range(4)) > 50


@pytest.mark.slow
def test_many_plays_against_open_spiel(peer: Any) -> None:
    assert sum(same_play(peer, seed) for seed in range(200)) > 2500


def test_a_stone_that_is_run_into() -> None:
    state = after(NAME, "e5", "e5", "b3")
    assert state.observation(1)["variables"]["found"] == [None, 1 << 40]  # the middle of 81 points
    assert state.observation(0)["variables"]["found"] == [0, None]
    assert state.to_act == (0,)
