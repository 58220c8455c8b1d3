"""Dark hex as whole trees, with results and what each player knows, beside OpenSpiel's, for both rules on collisions."""

from __future__ import annotations

from typing import Any

import pytest

import gamedsl
from tests.games.classics.trees import Tree, whole_tree

VERSIONS = {"again": "cdh", "passes": "adh"}


def trees(rows: int, columns: int, collision: str) -> Tree:
    """Our tree beside the peer's."""
    pyspiel: Any = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra `peers`)")
    theirs = f"dark_hex(num_rows={rows},num_cols={columns},gameversion={VERSIONS[collision]})"
    peer = pyspiel.load_game(theirs).new_initial_state()
    game = gamedsl.load("dark-hex", rows=rows, columns=columns, collision=collision)
    return whole_tree(game.initial_state(), peer)


BOARDS = [
    (2, 2, "passes", 471, 234, [59, 35]),
    (2, 2, "again", 441, 216, [17, 53]),
    pytest.param(2, 3, "passes", 149_953, 75_578, [4033, 2725], marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("rows", "columns", "collision", "histories", "ends", "sets"), BOARDS)
def test_the_same_tree(rows: int, columns: int, collision: str, histories: int, ends: int, sets: list[int]) -> None:
    """The peer's strings tell how many plies there were, which the rival's failed tries would leak; ours do not."""
    tree = trees(rows, columns, collision)
    assert (tree.histories, tree.ends, tree.sets) == (histories, ends, sets)
