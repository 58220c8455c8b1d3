"""Bounds on the number of decisions: known lengths, games without a bound, and random plays."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import gamedsl
from gamedsl import Game
from tests.shipped_sample import sampled

RULESETS = Path(__file__).parents[2] / "rulesets"
SHIPPED = sorted(p.stem for folder in (RULESETS, RULESETS / "classics") for p in folder.glob("*.gdl"))


def load(name: str) -> Game:
    return gamedsl.load(name, backend="interpreter")


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("tic-tac-toe", 9),
        ("connect-four", 42),
        ("gomoku", 225),
        ("ultimate-tic-tac-toe", 81),
        ("sealed-bid-auction", 1),
    ],
)
def test_known_lengths(name: str, most: int) -> None:
    assert load(name).max_game_length == most


@pytest.mark.parametrize("name", ["chess", "backgammon", "go"])
def test_no_bound(name: str) -> None:
    assert load(name).max_game_length is None


def test_a_claim_is_no_proof() -> None:
    mine = load("kuhn-poker")
    assert (mine.max_game_length, mine.claimed_game_length) == (None, 3)


def test_counters_have_room_for_all_their_numbers() -> None:
    assert load("nim").max_game_length == 4 * 15  # the counters hold 0..15


@pytest.mark.parametrize("name", sampled(SHIPPED, "length"))
def test_no_random_play_is_longer(name: str) -> None:
    mine, rng = load(name), random.Random(1)
    if mine.max_game_length is None or mine.max_game_length > 300:
        return
    for _ in range(3):
        state, made = mine.initial_state(), 0
        while not state.is_terminal:
            decided = state.kind != "chance"
            after = state.apply(state.propose(rng))
            made += decided and not after.pending
            state = after
        assert made <= mine.max_game_length
