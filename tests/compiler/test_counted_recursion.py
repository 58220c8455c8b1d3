"""Definitions that call themselves: one compiled function that counts down, with the values and errors of the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamedsl.compiler.compile.compiler import ProgramForms, Wanted, write
from gamedsl.compiler.emit.counted_recursion import find_chains
from gamedsl.engine import InterpretedGame

from . import small_rulesets as small
from .agree import agree, compiled

# The longest way over free cells, none of them twice: up to five steps, so `{depth}` may be too few.
WAYS = """players X, O
board grid 3 by 2
piece mark of player
state
  long: 0..9
define way(c: cell, seen: set of cell) at most {depth} deep =
    max of 1 + way(d, seen | {{d}}) for d in (neighbors(c) & empty) - seen or 0
move go(c: cell, to: cell)
  when c in empty
  when to in neighbors(c) & empty
  when way(c, {{c}}) >= way(to, {{to}})
  put mark[me] on c
  set long to way(to, {{to}})
play
  turns from X
    me plays go
      stuck
        draw
"""
# Whether the player to move can take the last of six.
NIM = """players X, O
state
  left: 0..6 = 6
define wins(p: player) at most 6 deep = some m in moves(p, take): after m: left = 0 or not wins(rival(p))
move take(k: 1..3)
  when k <= left
  take k from left
play
  turns from X
    if wins(me)
      win me
    me plays take
"""


def test_depths_are_one_function(tmp_path: Path) -> None:
    """However deep calls may be, the code has the same number of functions."""
    made = []
    for depth in (4, 8):
        program = small.program_of(WAYS.format(depth=depth), tmp_path)
        chains = find_chains(program.functions)
        assert sorted(below for _, below in chains.values()) == list(range(depth))
        assert len({id(chain) for chain, _ in chains.values()}) == 1
        made.append(write(ProgramForms(program), Wanted("rules")).ir.count("\ndefine "))
    assert made[0] == made[1]


@pytest.mark.parametrize("depth", [1, 2, 3, 5, 8])
def test_values_and_errors_are_those_of_the_engine(tmp_path: Path, depth: int) -> None:
    """Also where calls are nested too deeply."""
    game = InterpretedGame(small.program_of(WAYS.format(depth=depth), tmp_path))
    native = compiled(game)
    for seed in range(3):
        agree(game, seed, 8, native)


def test_depths_that_look_ahead_stay_functions(tmp_path: Path) -> None:
    """What they ask of the position after a move is emitted apart, where the depth that is left is not known."""
    game = InterpretedGame(small.program_of(NIM, tmp_path))
    assert not find_chains(game.program.functions)
    native = compiled(game)
    for seed in range(3):
        agree(game, seed, 8, native)
