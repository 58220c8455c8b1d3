"""Hive against published counts, and play by play against OpenSpiel.

OpenSpiel follows the tournament rules: its first bugs are no queens, as here without ``queen_first``. It tells two bugs
of one kind apart, so moves are compared by kind and cell. Its board follows the hive, ours does not: a play stops before
it comes to our border. One thing differs: it looks from the white queen on for the bugs that hold the hive together, so
before she is laid it lets black tear the hive apart. Until then its steps that we don't have are not asked for.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import gamedsl
from gamedsl import State
from tests.games.classics.native import native_perft
from tests.games.classics.soundness import load, numbers, plays_end

SEQUENCES = [4, 96, 1440, 21_600, 516_240, 12_219_480]  # github.com/jonthysell/Mzinga/wiki/Perft, the base game
KINDS = {"Q": "queen", "B": "beetle", "S": "spider", "G": "hopper", "A": "ant"}
BEFORE = {"\\": (0, -1), "-": (-1, 0), "/": (-1, 1)}  # the sign stands before the neighbour's name: column, row
AFTER = {"/": (1, -1), "-": (1, 0), "\\": (0, 1)}
SIDE, PLIES = 13, 160  # the middle is m13, in column and row 13


class Hive:
    """Where the bugs of OpenSpiel's play lie, and its actions in our words."""

    def __init__(self, peer: Any) -> None:
        self.peer, self.at = peer, dict[str, tuple[int, int]]()

    def target(self, action: int) -> tuple[str, tuple[int, int]]:
        """The bug that an action lays or moves, and where to."""
        bug, _, beside = self.peer.action_to_string(action).partition(" ")
        if not beside:
            return bug, (SIDE, SIDE)
        column, row = self.at[beside.strip("\\/-")]
        right, down = BEFORE.get(beside[0]) or AFTER.get(beside[-1]) or (0, 0)
        return bug, (column + right, row + down)

    def text(self, action: int) -> str:
        """An action as we write it."""
        if self.peer.action_to_string(action) == "pass":
            return "pass"
        bug, to = self.target(action)
        return f"{cell(self.at[bug])}-{cell(to)}" if bug in self.at else f"{KINDS[bug[1]]} {cell(to)}"

    def apply(self, action: int) -> None:
        if self.peer.action_to_string(action) != "pass":
            bug, to = self.target(action)
            self.at[bug] = to
        self.peer.apply_action(action)

    @property
    def at_border(self) -> bool:
        """Whether a bug could come to the border with its next move."""
        ways = ((column - SIDE, row - SIDE) for column, row in self.at.values())
        return any(max(abs(right), abs(down), abs(right + down)) > SIDE - 3 for right, down in ways)


def cell(place: tuple[int, int]) -> str:
    return f"{chr(96 + place[0])}{place[1]}"


def offered(hive: Hive) -> dict[str, int]:
    """Its actions by our texts; one for several that mean the same."""
    return {hive.text(action): action for action in reversed(hive.peer.legal_actions())}


def allowed(ours: set[str], theirs: set[str], white_queen: bool) -> set[str]:
    """Those of its moves that are compared: without steps that tear the hive while it does not see them."""
    return theirs if white_queen else {text for text in theirs if text in ours or "-" not in text}


def follow(seed: int, state: State, peer: Any) -> bool:
    """One random play both ways. Returns whether it ended by an enclosed queen."""
    hive, rng = Hive(peer), Random(seed)
    for ply in range(PLIES):
        if hive.at_border:
            return False
        ours, theirs = {str(move): move for move in state.legal_moves()}, offered(hive)
        wanted = allowed(set(ours), set(theirs), "wQ" in hive.at)
        assert set(ours) == wanted, f"seed {seed}, ply {ply}: {sorted(set(ours) ^ wanted)}"
        text = rng.choice(sorted(ours))
        state = state.apply(ours[text])
        hive.apply(theirs[text])
        assert state.is_terminal == peer.is_terminal()
        if state.is_terminal:
            assert list(state.returns) == list(peer.returns())
            return True
    return False


def plays(seeds: range, backend: str) -> int:
    """How many plays against OpenSpiel ended by an enclosed queen."""
    pyspiel: Any = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra `peers`)")
    peer = pyspiel.load_game("hive(board_size=14,uses_mosquito=false,uses_ladybug=false,uses_pillbug=false)")
    start = gamedsl.load("hive", side=SIDE, rounds=250, backend=backend).initial_state()
    return sum(follow(seed, start, peer.new_initial_state()) for seed in seeds)


def test_few_plays_against_open_spiel() -> None:
    plays(range(2), "interpreter")


@pytest.mark.slow
def test_many_plays_against_open_spiel() -> None:
    assert plays(range(1000, 1200), "native") > 10


def test_sequences() -> None:
    assert numbers("hive", 2) == SEQUENCES[:2]
    assert native_perft(load("hive").initial_state(), 4) == SEQUENCES[3]
    assert native_perft(load("hive", queen_first=True).initial_state(), 2) == 5 * 5 * 6


@pytest.mark.slow
def test_more_sequences() -> None:
    assert native_perft(load("hive").initial_state(), 6) == SEQUENCES[5]


def test_plays_end() -> None:
    assert plays_end("hive", 2, 81)
