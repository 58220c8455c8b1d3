"""Leduc poker as a whole tree, with chips won and what each seat knows, one to one with OpenSpiel's.

The numbers of nodes and of information sets are those that are published for six cards told apart by their suits.
"""

from __future__ import annotations

from typing import Any

import pytest

import gamedsl
from tests.games.classics.trees import whole_tree


def peers_word(text: str) -> str:
    """What the peer calls a move."""
    return {"check": "call"}.get(text, text)


def test_the_same_tree() -> None:
    pyspiel: Any = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra `peers`)")
    peer = pyspiel.load_game("leduc_poker").new_initial_state()
    tree = whole_tree(gamedsl.load("leduc-poker").initial_state(), peer, ours=peers_word, theirs=str.lower)
    assert (tree.decisions, tree.chances, tree.ends) == (3780, 157, 5520)
    assert tree.sets == [468, 468]
    assert tree.is_one_to_one
