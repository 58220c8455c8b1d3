"""Backgammon against OpenSpiel, turn by turn: its actions are both dice at once, so what is compared are the boards."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from gamedsl import State
from tests.games.classics.soundness import load
from tests.games.classics.test_backgammon import Board, Side, ends_of_turn
from tests.values import codes_named

WHITE = 1  # OpenSpiel's player who goes the same way


def side_there(peer: Any, p: int) -> Side:
    """The checkers of OpenSpiel's player p, counted along the own way; those on no point and not off are on the bar."""
    points = [peer.board(p, at) for at in range(24)]
    scores = re.search(r"Scores, X: (\d+), O: (\d+)", str(peer))
    assert scores
    off = int(scores[p + 1])
    return (off, *(points if p == WHITE else points[::-1]), 15 - off - sum(points))


def ends_there(peer: Any, p: int) -> dict[Board, Any]:
    """The boards at the end of the turn of OpenSpiel's player p; equal dice take two actions."""
    found: dict[Board, Any] = {}
    for action in peer.legal_actions():
        then = peer.child(action)
        if then.current_player() == p:
            found |= ends_there(then, p)
        else:
            found[side_there(then, p), side_there(then, 1 - p)] = then
    return found


def throw(rng: Random, state: State, peer: Any) -> tuple[State, Any]:
    """The same dice on both sides; the first throw also says who begins."""
    first = not sum(codes_named(state, "dice"))
    peer = peer.child(rng.choice(peer.chance_outcomes())[0])
    dice = re.search(r"Dice: (\d)(\d)", str(peer))
    assert dice
    low, high = sorted((int(dice[1]), int(dice[2])))
    order = (high, low) if not first or peer.current_player() == WHITE else (low, high)
    for number in order:
        state = state.apply(state.game.parse_move(f"roll {number}", state))
    return state, peer


def play_both(start: Any, seed: int) -> int:
    """One random play of both to the same end; every turn leads to the same boards. Tells the number of turns."""
    rng, state, peer, turns = Random(seed), load("backgammon").initial_state(), start, 0
    while not (state.is_terminal or peer.is_terminal()):
        state, peer = throw(rng, state, peer)
        p = state.current_player
        assert peer.current_player() == (WHITE if p == 0 else 1 - WHITE)
        here, there = ends_of_turn(state, p), ends_there(peer, peer.current_player())
        assert here.keys() == there.keys(), f"{peer}"
        board = rng.choice(sorted(here))
        state, peer, turns = here[board], there[board], turns + 1
    assert state.is_terminal and peer.is_terminal()
    assert [float(r) for r in state.returns] == [peer.returns()[WHITE], peer.returns()[1 - WHITE]]
    return turns


@pytest.fixture(scope="module")
def start() -> Any:
    """OpenSpiel's first state; without an end after a number of turns."""
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra `peers`)")
    return pyspiel.load_game("backgammon(max_player_turns=100000)").new_initial_state()


def test_one_play(start: Any) -> None:
    assert play_both(start, 0) > 10


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(20))
def test_many_plays(start: Any, chunk: int) -> None:
    for seed in range(10 * chunk + 1, 10 * chunk + 11):
        assert play_both(start, seed) > 10
