"""The classics against OpenSpiel: random plays go through both at once, move by move.

At every ply the same player is to move and the moves offered are the same ones, through the names in `peers.PAIRS`;
a play ends in both at the same ply with the same returns. What differs, and how it is met:

- Pentago there knows no win before the twist: option `early = waits`.
- Pig there lets a player stop before the first throw and throw on with enough points: these two are not asked for.
- Go there ends in a draw when a stone brings back an earlier board: these are not asked for. No suicide.
- Nine men's morris, draughts and quoridor there end in a draw after a fixed number of plies, where the rulesets count
  repetitions or plies without a capture, or nothing at all: a play is followed until one of the two calls a draw. So
  are those of lines of action, which there end in a draw when a position comes for the third time.
- Chinese checkers there is a draw after a number of turns: likewise.
- Ultimate tic-tac-toe and amazons there take several actions for what is one move here.

Left out: domineering, konane, kayles and Yavalath, which OpenSpiel does not have, and backgammon, whose actions there
are both dice at once.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.classics.peers import PAIRS, Pair, play_both

FEW, MANY = 2, 200
MOST_PLIES = 30_000
pairs = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.title)


@pytest.fixture(scope="module")
def pyspiel() -> Any:
    """OpenSpiel's module."""
    return pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra `peers`)")


@pairs
def test_few_plays(pyspiel: Any, pair: Pair) -> None:
    start = pyspiel.load_game(pair.peer).new_initial_state()
    assert all(play_both(pair, start, seed) > 0 for seed in range(FEW))


@pytest.mark.slow
@pairs
def test_many_plays(pyspiel: Any, pair: Pair) -> None:
    """As many as come to ``MOST_PLIES`` together."""
    start, plies = pyspiel.load_game(pair.peer).new_initial_state(), 0
    for seed in range(MANY):
        length = play_both(pair, start, 1000 + seed)
        assert length > 0
        plies += length
        if plies > MOST_PLIES:
            break
