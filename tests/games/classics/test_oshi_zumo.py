"""Oshi-zumo as whole trees, with results and what each player knows, one to one with OpenSpiel's (its own form by turns)."""

from __future__ import annotations

from typing import Any

import pytest

import gamedsl
from tests.games.classics.trees import Tree, whole_tree


def trees(size: int, least: int = 1, rounds: int = 100, coins: int = 5, last_place: str = "counts") -> Tree:
    """Our tree beside the peer's."""
    pyspiel: Any = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra `peers`)")
    options: dict[str, Any] = {"size": size, "least": least, "rounds": rounds, "coins": coins, "last_place": last_place}
    state = gamedsl.load("oshi-zumo", **options).initial_state()
    alesia = last_place == "draws"
    theirs = f"oshi_zumo(coins={coins},size={size},min_bid={least},horizon={rounds},alesia={alesia})"
    peer = pyspiel.load_game(f"turn_based_simultaneous_game(game={theirs})").new_initial_state()
    return whole_tree(state, peer, theirs=lambda text: text.split(": ")[-1])


@pytest.mark.parametrize(("size", "histories", "ends", "sets"), [(1, 738, 230, 214), (2, 861, 256, 256)])
def test_the_same_tree(size: int, histories: int, ends: int, sets: int) -> None:
    tree = trees(size)
    assert (tree.histories, tree.ends, tree.sets) == (histories, ends, [sets, sets])
    assert tree.is_one_to_one


def test_other_rules() -> None:
    """Bids of nothing, few rounds, and Alesia. (With a least bid of 2 the peer goes on when nobody can pay it.)"""
    assert trees(1, least=0, rounds=3, coins=2).is_one_to_one
    assert trees(2, last_place="draws", coins=4).is_one_to_one
