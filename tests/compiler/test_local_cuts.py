"""Whether a set stays connected without one element, by the elements beside it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import gamedsl
from gamedsl.compiler.compile.compiler import ProgramForms, Wanted, write
from gamedsl.compiler.emit.sets.local_cuts import asked_before, connected_cases
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
    assert any(list(asked_before(s.plan)) for s in special.program.schemas)
    assert "bmi.pext" in write(ProgramForms(program), Wanted("quick")).ir
    same_plays(InterpretedGame(program), 8, seed=4)


def test_connected_cases_are_those_of_a_search() -> None:
    random = Random(1)
    for _ in range(60):
        size = random.randrange(7)
        links = {(i, j) for i in range(size) for j in range(i) if random.random() < 0.4}
        beside = [sum(1 << j for j in range(size) if {(i, j), (j, i)} & links) for i in range(size)]
        for subset, found in enumerate(connected_cases(tuple(beside))):
            groups = [{i} for i in range(size) if subset >> i & 1]
            for a, b in links:
                joined = [g for g in groups if a in g or b in g]
                if subset >> a & 1 and subset >> b & 1 and len(joined) == 2:
                    groups = [g for g in groups if g not in joined] + [joined[0] | joined[1]]
            assert found == (len(groups) == 1)
