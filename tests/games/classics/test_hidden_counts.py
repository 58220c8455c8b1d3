"""Games with hidden information as whole trees: histories, ends, and the information sets of every seat.

The numbers are those of OpenSpiel and of an independent program, with simultaneous choices one after the other, and with
information sets of perfect recall that tell nothing more.
"""

from __future__ import annotations

from typing import Any

import pytest

import gamedsl
from gamedsl import State

GOOFSPIEL: dict[str, Any] = {"order": "falling"}
BOAT: dict[str, Any] = {"rows": 2, "columns": 2, "ones": 1, "twos": 0, "threes": 0, "fours": 0, "fives": 0}
SMALL: list[Any] = [
    ("kuhn-poker", {}, 58, 30, [6, 6]),
    ("kuhn-poker", {"players": 3}, 617, 312, [16, 16, 16]),
    ("liars-dice", {"dice": 1, "sides": 3}, 1147, 567, [96, 96]),
    ("goofspiel", {"cards": 3, "bids": "hidden"} | GOOFSPIEL, 67, 36, [8, 8]),
    ("goofspiel", {"cards": 4, "bids": "hidden"} | GOOFSPIEL, 1077, 576, [81, 81]),
    ("goofspiel", {"cards": 3, "bids": "open"} | GOOFSPIEL, 67, 36, [10, 10]),
    ("goofspiel", {"cards": 4, "bids": "open"} | GOOFSPIEL, 1077, 576, [161, 161]),
    ("oshi-zumo", {"coins": 5, "size": 1}, 738, 230, [214, 214]),
    ("oshi-zumo", {"coins": 5, "size": 2}, 861, 256, [256, 256]),
    ("dark-hex", {"rows": 2, "columns": 2, "collision": "passes"}, 471, 234, [59, 35]),
    ("dark-hex", {"rows": 2, "columns": 2, "collision": "again"}, 441, 216, [17, 53]),
    ("battleship", BOAT | {"shots": 2}, 1573, 1072, [53, 109]),
    ("sealed-bid-auction", {"top": 3}, 117, 50, [3, 3]),
]
LARGE: list[Any] = [
    ("leduc-poker", {}, 9457, 5520, [468, 468]),
    ("liars-dice", {"dice": 1, "sides": 4}, 8181, 4080, [512, 512]),
    ("liars-dice", {"dice": 1, "sides": 6}, 294_883, 147_420, [12_288, 12_288]),
    ("dark-hex", {"rows": 2, "columns": 3, "collision": "passes"}, 149_953, 75_578, [4033, 2725]),
]


class Count:
    """Nodes, ends and information sets below a state."""

    def __init__(self, state: State) -> None:
        self.nodes = self.ends = 0
        self.sets: list[set[str]] = [set() for _ in range(state.game.num_players)]
        self.below(state)

    def below(self, state: State) -> None:
        self.nodes += 1
        if state.is_terminal:
            self.ends += 1
            return
        if state.kind != "chance":
            seat = state.to_act[0]
            self.sets[seat].add(state.information_state(seat).key)
        for action in state.legal_actions():
            self.below(state.apply_action(action))


def counted(state: State) -> tuple[int, int, list[int]]:
    found = Count(state)
    return found.nodes, found.ends, [len(keys) for keys in found.sets]


@pytest.mark.parametrize(("name", "options", "histories", "ends", "sets"), SMALL)
def test_counts(name: str, options: dict[str, Any], histories: int, ends: int, sets: list[int]) -> None:
    state = gamedsl.load(name, backend="interpreter", **options).initial_state()
    assert counted(state) == (histories, ends, sets)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options", "histories", "ends", "sets"), LARGE)
def test_large_counts(name: str, options: dict[str, Any], histories: int, ends: int, sets: list[int]) -> None:
    state = gamedsl.load(name, backend="interpreter", **options).initial_state()
    assert counted(state) == (histories, ends, sets)
