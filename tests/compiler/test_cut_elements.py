"""Whether a set stays connected without one element, for all elements in one pass."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl.compiler.compile.compiler import ProgramForms, Wanted, write
from gamedsl.compiler.emit.sets.cut_elements import asked_before, windows
from gamedsl.engine import InterpretedGame
from gamedsl.language.core.nodes import Program

from .test_random_plays import same_plays

TOGETHER = """game "Together"
players A, B
board {board}
piece stone of player
piece stake
define rest(a: cell) = if a in {staked} then occupied else occupied - {{a}}
define one(s: set of cell) = component(the(s), s) = s
move go(a: cell, b: cell)
  when a in stone[me]
  when count(occupied) > 1
  when one(rest(a))
  when b in neighbors(a) - occupied
  move stone[me] from a to b
move lay(a: cell)
  when a in empty and count(stone[me]) < 5
  when {where}
  put stone[me] on a
play
  turns from A, 40 times
    me plays lay | go
      stuck
        draw
  draw
"""
APART, BESIDE = "yes", "occupied = {} or neighbors(a) meets occupied"


def program_of(folder: Path, board: str, where: str, staked: str) -> Program:
    path = folder / "together.gdl"
    path.write_text(TOGETHER.format(board=board, where=where, staked=staked))
    return gamedsl.load(path).program


@pytest.mark.parametrize("where", [APART, BESIDE])
@pytest.mark.parametrize("board", ["hex 3", "grid 4 by 4", "hex 6"])
def test_the_engine_makes_the_same_games(board: str, where: str, tmp_path: Path) -> None:
    """Where the pieces are connected before the move, and where often they are not."""
    program = program_of(tmp_path, board, where, "top_row" if "grid" in board else "{center}")
    special = ProgramForms(program).specialized
    assert special is not None
    assert any(asked_before(s.plan) for s in special.program.schemas)
    assert "bmi.pext" in write(ProgramForms(program), Wanted("quick")).ir
    same_plays(InterpretedGame(program), 8, seed=4)


@pytest.mark.parametrize("across", [20, 31, 32, 40])
def test_neighbors_that_are_far_from_each_other_have_no_window(across: int) -> None:
    """Rows of so many cells: those above and below a cell are twice as far from each other."""
    cells = range(5 * across)
    beside = tuple(sum(1 << y for y in (x - across, x - 1, x + 1, x + across) if y in cells) for x in cells)
    found = windows(beside)
    assert (found is None) == (2 * across + 1 > 57)
    for x, row in enumerate(beside if found is not None else ()):
        assert found is not None and found.around[x] << 8 * found.bytes[x] == row
        assert 8 * found.bytes[x] + found.places[x] == x
