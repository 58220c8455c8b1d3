"""Battleship as whole trees, with results and what each player knows, one to one with OpenSpiel's; random plays beside it."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

import gamedsl
from gamedsl import State
from tests.games.classics.trees import whole_tree

LENGTHS = ("ones", "twos", "threes", "fours", "fives")
SQUARE = re.compile(r"([a-z])(\d+)")


def pair(rows: int, columns: int, ships: list[int], shots: int, repeated: bool = False) -> tuple[State, Any]:
    """The beginning here and there."""
    pyspiel: Any = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra `peers`)")
    sizes, values = ";".join(map(str, ships)), ";".join("1" for _ in ships)
    theirs = f"battleship(board_width={columns},board_height={rows},ship_sizes=[{sizes}],ship_values=[{values}],"
    theirs += f"num_shots={shots},allow_repeated_shots={repeated})"
    fleet = {name: ships.count(n) for n, name in enumerate(LENGTHS, 1)}
    ours = gamedsl.load("battleship", rows=rows, columns=columns, shots=shots, repeated=repeated, **fleet)
    return ours.initial_state(), pyspiel.load_game(theirs).new_initial_state()


def ours(columns: int) -> Any:
    """The key of a move here: which way a ship lies, if any, with row and column in the sea, from 0."""

    def key(text: str) -> str:
        (letter, row), *_ = SQUARE.findall(text.split()[-1])
        column = (ord(letter) - ord("a")) % (columns + 1)
        return f"{text.split()[0] if ' ' in text else ''} {int(row) - 1}, {column}"

    return key


def theirs(text: str) -> str:
    """The same of the peer's name."""
    way = "level" if "horizontally" in text else "upright" if "vertically" in text else ""
    return f"{way} {text.split('(')[1].rstrip(')')}"


def test_the_same_tree() -> None:
    tree = whole_tree(*pair(2, 2, [1], 2), ours(2), theirs)
    assert (tree.histories, tree.ends, tree.sets) == (1573, 1072, [53, 109])
    assert tree.is_one_to_one


def test_a_longer_ship() -> None:
    assert whole_tree(*pair(1, 3, [2], 3), ours(3), theirs).is_one_to_one


@pytest.mark.slow
def test_two_ships_and_repeated_shots() -> None:
    assert whole_tree(*pair(2, 2, [1, 2], 2, repeated=True), ours(2), theirs).is_one_to_one


def test_plays_on_the_usual_board() -> None:
    """The same moves at every ply, and the same results."""
    state, peer = pair(10, 10, [2, 3, 3, 4, 5], 100)
    rng, key = Random(1), ours(10)
    while not peer.is_terminal():
        seat = peer.current_player()
        assert state.to_act == (seat,)
        there = {theirs(peer.action_to_string(seat, a)): a for a in peer.legal_actions()}
        here = {key(str(m)): m for m in state.legal_moves()}
        assert here.keys() == there.keys()
        name = rng.choice(sorted(here))
        state = state.apply(here[name])
        peer.apply_action(there[name])
    assert state.is_terminal
    assert [float(r) for r in state.returns] == list(peer.returns())
