"""Game trees: their counts beside published ones, and what a node knows beside the engine."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
import pytest

import gamedsl
from gamedsl.lab.equilibrium import GameTree, game_tree
from gamedsl.lab.equilibrium.expansion import CHANCE, END
from gamedsl.language.source import GameDSLError, UsageError


@cache
def tree_of(name: str, **options: Any) -> GameTree:
    return game_tree(gamedsl.load(name, **options).initial_state())


BOAT = {"rows": 2, "columns": 2, "ones": 1, "twos": 0, "threes": 0, "fours": 0, "fives": 0, "shots": 2}
PUBLISHED: list[Any] = [
    ("kuhn-poker", {}, [6, 6], 58, 30),
    ("kuhn-poker", {"players": 3}, [16, 16, 16], 617, 312),
    ("leduc-poker", {}, [468, 468], 9457, 5520),
    ("liars-dice", {"dice": 1, "sides": 3}, [96, 96], 1147, 567),
    ("liars-dice", {"dice": 1, "sides": 4}, [512, 512], 8181, 4080),
    ("goofspiel", {"cards": 3, "order": "falling", "bids": "hidden"}, [8, 8], 67, 36),
    ("goofspiel", {"cards": 4, "order": "falling", "bids": "hidden"}, [81, 81], 1077, 576),
    ("goofspiel", {"cards": 3, "order": "falling", "bids": "open"}, [10, 10], 67, 36),
    ("goofspiel", {"cards": 4, "order": "falling", "bids": "open"}, [161, 161], 1077, 576),
    ("sealed-bid-auction", {"top": 3}, [3, 3], 117, 50),
    ("oshi-zumo", {"coins": 5, "size": 1}, [214, 214], 738, 230),
    ("oshi-zumo", {"coins": 5, "size": 2}, [256, 256], 861, 256),
    ("dark-hex", {"rows": 2, "columns": 2, "collision": "passes"}, [59, 35], 471, 234),
    ("dark-hex", {"rows": 2, "columns": 2, "collision": "again"}, [17, 53], 441, 216),
    ("battleship", BOAT, [53, 109], 1573, 1072),
]


@pytest.mark.parametrize(("name", "options", "sets", "histories", "ends"), PUBLISHED)
def test_published_numbers(name: str, options: dict[str, Any], sets: list[int], histories: int, ends: int) -> None:
    tree = tree_of(name, **options)
    assert (tree.set_counts, len(tree), len(tree.ends)) == (sets, histories, ends)


@pytest.mark.slow
def test_liars_dice_with_six_sides() -> None:
    tree = tree_of("liars-dice", dice=1, sides=6)
    assert (tree.set_counts, len(tree), len(tree.ends)) == ([12288, 12288], 294_883, 147_420)


@pytest.mark.parametrize(("name", "options"), [row[:2] for row in PUBLISHED])
def test_nodes_are_the_engines_states(name: str, options: dict[str, Any]) -> None:
    """Keys, texts, actions, odds and results of some nodes, found by playing there."""
    tree, rng = tree_of(name, **options), random.Random(name)
    for node in rng.sample(range(len(tree)), min(12, len(tree))):
        state = tree.position(node)
        actions, seat = state.legal_actions(), int(tree.seats[node])
        children = range(int(tree.first_child[node]), int(tree.first_child[node]) + len(actions))
        assert [tree.action_numbers(c)[-1] for c in children] == actions
        assert all(tree.parent[c] == node for c in children)
        if seat >= 0:
            i = int(tree.information_set[node])
            known = state.information_state(seat)
            assert (known.key, known.text) == (tree.keys[i], tree.text(i))
            assert tree.actions(i) == actions and seat == state.to_act[0]
        elif seat == CHANCE:
            odds = {state.game.action(m): float(p) for m, p in state.chance_outcomes()}
            assert np.allclose(tree.chance[list(children)], [tree.chance[node] * odds[a] for a in actions])
        else:
            assert seat == END
            assert tuple(tree.graph.results[tree.state[node]]) == state.returns


def test_histories_share_a_set_exactly_when_their_keys_are_equal() -> None:
    """All nodes of a whole tree."""
    tree = tree_of("goofspiel", cards=3, order="falling", bids="hidden")
    found: dict[tuple[int, str], set[int]] = {}
    for node in np.flatnonzero(tree.seats >= 0):
        seat = int(tree.seats[node])
        key = tree.position(int(node)).information_state(seat).key
        found.setdefault((seat, key), set()).add(int(tree.information_set[node]))
    assert all(len(sets) == 1 for sets in found.values())
    assert len(found) == len(tree.sets)


@pytest.mark.parametrize(("name", "options"), [row[:2] for row in PUBLISHED])
def test_perfect_recall(name: str, options: dict[str, Any]) -> None:
    """The nodes of an information set have the same last sequence of their seat; chance adds up to one."""
    tree = tree_of(name, **options)
    for node in np.flatnonzero(tree.seats >= 0):
        i = tree.information_set[node]
        assert tree.sequences[node, tree.sets.seat[i]] == tree.sets.parent[i]
    below = np.ones(len(tree))
    for node in np.flatnonzero(tree.seats >= 0)[::-1]:
        below[node] = tree.sets.actions[tree.information_set[node]]
    reach = tree.chance.copy()
    for node in range(1, len(tree)):  # all players choose uniformly
        reach[node] = reach[tree.parent[node]] / below[tree.parent[node]]
        if tree.seats[tree.parent[node]] == CHANCE:
            reach[node] *= tree.chance[node] / tree.chance[tree.parent[node]]
    assert abs(reach[tree.ends].sum() - 1) < 1e-12


def test_too_many_histories_are_refused_before_there_is_a_tree() -> None:
    state = gamedsl.load("phantom-tic-tac-toe").initial_state()
    with pytest.raises(GameDSLError, match="E0525 there are more than 2,000 histories"):
        game_tree(state, limit=2_000)
    with pytest.raises(GameDSLError, match="E0525 there are more than 500 histories"):  # plays that may never end
        game_tree(gamedsl.load("rock-paper-scissors").initial_state(), limit=500)


def test_the_time_is_a_limit() -> None:
    with pytest.raises(GameDSLError, match="time ran out after"):
        game_tree(gamedsl.load("phantom-tic-tac-toe").initial_state(), seconds=0)


def test_drawings_are_refused() -> None:
    with pytest.raises(UsageError, match="infinitely many drawings"):
        game_tree(gamedsl.load("abs-trac-toe").initial_state())
