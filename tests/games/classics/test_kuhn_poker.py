"""Kuhn poker as a whole tree, with chips won and what each seat knows, one to one with OpenSpiel's.

The numbers of information sets (6 each for two players, 16 each for three) are those of perfect recall.
"""

from __future__ import annotations

from typing import Any

import pytest

import gamedsl
from tests.games.classics.trees import whole_tree


def passed_or_bet(text: str) -> str:
    """What the peer calls a move."""
    return {"check": "pass", "fold": "pass", "call": "bet"}.get(text, text)


@pytest.fixture(scope="module")
def pyspiel() -> Any:
    """OpenSpiel's module."""
    return pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra `peers`)")


@pytest.mark.parametrize(
    ("players", "histories", "decisions", "ends", "sets"), [(2, 58, 24, 30, [6, 6]), (3, 617, 288, 312, [16, 16, 16])]
)
def test_the_same_tree(pyspiel: Any, players: int, histories: int, decisions: int, ends: int, sets: list[int]) -> None:
    peer = pyspiel.load_game(f"kuhn_poker(players={players})").new_initial_state()
    tree = whole_tree(
        gamedsl.load("kuhn-poker", players=players).initial_state(), peer, ours=passed_or_bet, theirs=str.lower
    )
    assert (tree.histories, tree.decisions, tree.ends, tree.sets) == (histories, decisions, ends, sets)
    assert tree.is_one_to_one
