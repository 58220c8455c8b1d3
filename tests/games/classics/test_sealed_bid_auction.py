"""A sale by sealed bids as a whole tree, with gains and what each seat knows, one to one with OpenSpiel's; and its equilibrium."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import gamedsl
from gamedsl import State
from tests.games.classics.trees import whole_tree

RULE = {1: 0, 2: 1, 3: 1}  # value -> bid


def test_the_same_tree() -> None:
    """Histories counted as OpenSpiel counts them: its lot is drawn even where only one bid is the highest."""
    pyspiel: Any = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra `peers`)")
    peer = pyspiel.load_game("first_sealed_auction(max_value=3)").new_initial_state()
    tree = whole_tree(gamedsl.load("sealed-bid-auction", top=3).initial_state(), peer, theirs=bid_there)
    assert (tree.histories, tree.ends, tree.sets) == (117, 50, [3, 3])
    assert tree.is_one_to_one


def bid_there(text: str) -> str:
    """The bid in the peer's name of an action."""
    return text.split(": ")[-1]


def gain(state: State, values: tuple[int, int], bids: tuple[int, int]) -> Fraction:
    """What the first player gains on average with these values and bids, chance deciding between equal ones."""
    for value in values:
        state = state.apply(state.game.parse_move(f"pick {value}", state))
    for bid in bids:
        state = state.apply(state.game.parse_move(str(bid), state))
    return sum((odds * state.apply(move).returns[0] for move, odds in state.chance_outcomes()), Fraction(0))


def test_the_equilibrium() -> None:
    """Whoever meets the bids 0, 1, 1 for the values 1, 2, 3 does not gain by another bid, whatever the own value."""
    start = gamedsl.load("sealed-bid-auction", top=3).initial_state()
    for value in RULE:
        expected = {bid: sum(gain(start, (value, v), (bid, RULE[v])) for v in RULE) for bid in range(value)}
        assert expected[RULE[value]] == max(expected.values())


def test_worth_is_seen_by_the_owner_alone() -> None:
    start = gamedsl.load("sealed-bid-auction", top=3).initial_state()
    for first, second in product((1, 2, 3), repeat=2):
        state = start
        for value in (first, second):
            state = state.apply(state.game.parse_move(f"pick {value}", state))
        assert state.observation(0)["variables"]["worth"] == [first, None]
        assert state.observation(1)["variables"]["worth"] == [None, second]
