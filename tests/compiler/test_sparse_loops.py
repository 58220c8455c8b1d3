"""Loops over few tuples of many: the same states as the engine, and small tables."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl.compiler.compile.compiler import ProgramForms
from gamedsl.engine import InterpretedGame
from gamedsl.language.core import all_exprs
from gamedsl.language.core import nodes as n

from .agree import agree, compiled

LISTED = """game "Listed"
players A, B
board grid 4 by 4
piece stone of player
state
  score: 0..400
define rows = {{(a1, b1, c1), (b1, c1, d1), (a3, b3, c3), (a1, a2, a3), (d1, c2, b3), (d3, d2, d1)}}
define made(p: player) = {asked}
move put_one(to: cell)
  when to in empty
  put stone[me] on to
  set score to (score + {counted}) mod 401
play
  turns from A
    me plays put_one
      stuck
        draw
    if made(me)
      win me
"""
ASKED = {
    "some": "some (x, y, z) in rows: {x, y, z} within stone[p]",
    "every": "not (every (x, y, z) in rows: {x, y, z} meets stone[rival(p)] or x in empty or y in empty)",
    "filter": "count({(x, y, z) in rows: x in stone[p] and y in stone[p] and z not in empty}) >= 2",
    "sum": "(sum of column(x) * row(z) for (x, y, z) in rows) + (sum of count({x, y} & stone[p]) for (x, y, z) in rows) > 24",
    "union": "count(union of {x, z} - stone[p] for (x, y, z) in rows) < 4",
}


def program_of(folder: Path, kind: str) -> n.Program:
    path = folder / "listed.gdl"
    counted = "sum of (if to in {x, z} then row(y) else 0) for (x, y, z) in rows"
    path.write_text(LISTED.format(asked=ASKED[kind], counted=counted))
    return gamedsl.load(path).program


@pytest.mark.parametrize("kind", ASKED)
def test_loops_over_tuples(kind: str, tmp_path: Path) -> None:
    program = program_of(tmp_path, kind)
    game = InterpretedGame(program)
    native = compiled(game)
    for play in range(4):
        agree(game, play, 20, native)
    if kind == "filter":  # the tuples themselves are needed
        return
    assert not any(large(e) for e in all_exprs(ProgramForms(program).generic))
    special = ProgramForms(program).specialized
    assert special is not None and not any(large(e) for e in all_exprs(special.program))


def large(e: n.Expr) -> bool:
    """Whether it is a loop over triples of cells, or a table of what they are."""
    domain = e.table.keys[0] if isinstance(e, n.Lookup) else e.local.type if isinstance(e, n.Loop) else None
    size = domain.domain.size if isinstance(domain, n.ElemT) else getattr(domain, "size", 0)
    return size >= 12**3
