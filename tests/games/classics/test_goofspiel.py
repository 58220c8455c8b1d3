"""Goofspiel as whole trees, with results and what each seat knows, one to one with OpenSpiel's (its own form by turns).

The numbers of information sets are those of perfect recall. With open bids OpenSpiel's strings forget which of the two bids
came when, so that there each of our sets lies in one of its, and only the numbers tell that they are the right ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import gamedsl
from gamedsl import State
from tests.games.classics.trees import Tree, utilities, whole_tree

ORDERS = {"falling": "descending", "rising": "ascending", "random": "random"}


def trees(cards: int, bids: str, order: str = "falling") -> Tree:
    """Our tree beside the peer's."""
    return both({"cards": cards, "bids": bids, "order": order}, "win_loss", utilities)


def both(options: dict[str, int | str], returns: str, worth: Callable[[State], list[float]]) -> Tree:
    """The same with a rule of the peer's for utilities, and what they are here."""
    pyspiel: Any = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra `peers`)")
    state = gamedsl.load("goofspiel", **options).initial_state()
    theirs = f"num_cards={options['cards']},points_order={ORDERS[str(options['order'])]},returns_type={returns}"
    theirs += f",imp_info={options['bids'] == 'hidden'},players={state.game.num_players}"
    peer = pyspiel.load_game(f"turn_based_simultaneous_game(game=goofspiel({theirs}))").new_initial_state()
    return whole_tree(state, peer, theirs=lambda text: text.split(": ")[1], worth=worth)


@pytest.mark.parametrize(("cards", "histories", "ends", "sets"), [(3, 67, 36, 8), (4, 1077, 576, 81)])
def test_hidden_bids(cards: int, histories: int, ends: int, sets: int) -> None:
    tree = trees(cards, "hidden")
    assert (tree.histories, tree.ends, tree.sets) == (histories, ends, [sets, sets])
    assert tree.is_one_to_one


@pytest.mark.parametrize(("cards", "histories", "ends", "sets"), [(3, 67, 36, 10), (4, 1077, 576, 161)])
def test_open_bids(cards: int, histories: int, ends: int, sets: int) -> None:
    tree = trees(cards, "open")
    assert (tree.histories, tree.ends, tree.sets) == (histories, ends, [sets, sets])
    assert tree.tells_no_less


@pytest.mark.parametrize("bids", ["open", "hidden"])
def test_prizes_in_any_order(bids: str) -> None:
    assert trees(3, bids, "random").ends == 6 * 36
    assert trees(3, bids, "rising").ends == 36


def test_three_players() -> None:
    """A bid that two share wins nothing, and neither does a lower one. (With three, utilities there are shares of a win.)"""
    options: dict[str, int | str] = {"cards": 3, "bids": "hidden", "order": "falling", "players": 3}
    tree = both(options, "total_points", lambda state: [float(s) for s in state.scores])
    assert tree.ends == 6**3
    assert tree.is_one_to_one
