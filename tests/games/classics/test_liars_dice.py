"""Liar's dice as whole trees, with results and what each seat knows, one to one with OpenSpiel's, for one die each and two."""

from __future__ import annotations

from typing import Any

import pytest

import gamedsl
from tests.games.classics.trees import Tree, whole_tree


def peers_word(text: str) -> str:
    """What the peer calls a move: `2 x 3` is 2-3."""
    return {"liar": "Liar"}.get(text, text.replace(" x ", "-"))


def trees(dice: int, sides: int) -> Tree:
    """Our tree beside the peer's."""
    pyspiel: Any = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra `peers`)")
    peer = pyspiel.load_game(f"liars_dice(numdice={dice},dice_sides={sides})").new_initial_state()
    state = gamedsl.load("liars-dice", dice=dice, sides=sides).initial_state()
    return whole_tree(state, peer, ours=peers_word)


SLOW = pytest.param(6, 294_883, 147_420, 12_288, marks=pytest.mark.slow)


@pytest.mark.parametrize(("sides", "histories", "ends", "sets"), [(3, 1147, 567, 96), (4, 8181, 4080, 512), SLOW])
def test_a_die_each(sides: int, histories: int, ends: int, sets: int) -> None:
    tree = trees(1, sides)
    assert (tree.histories, tree.ends, tree.sets) == (histories, ends, [sets, sets])
    assert tree.is_one_to_one


def test_two_dice_each() -> None:
    """A player's dice are rolled at once: two different ones are the same hand whichever comes first."""
    tree = trees(2, 2)
    assert tree.sets == [3 * 128, 3 * 128]
    assert tree.is_one_to_one
