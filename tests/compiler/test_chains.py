"""Chains of captures: conditions on what lies between as sets, and only those that can capture are gone through."""

from __future__ import annotations

import operator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamedsl.compiler import cutoffs
from gamedsl.compiler.transform.fruitful_members import keep_fruitful
from gamedsl.compiler.transform.lift_conditions import lift_condition
from gamedsl.compiler.transform.pipeline import specialize_for_playouts
from gamedsl.engine import InterpretedGame
from gamedsl.language.core import evaluate, exprs_of, walk
from gamedsl.language.core import nodes as n

from . import small_rulesets as small
from .agree import agree, compiled
from .replay import shares_differ
from .specialization_check import first_difference, relabelled

SIDE = 5
CELLS = 1 << SIDE * SIDE
OPS = {"eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le}

CHAINS = """players X, O
board grid 6 by 6
piece man of player
piece king of player
state
  need: 0..12
  jumped: set of cell
define mine = man[me] | king[me]
define theirs = man[rival] | king[rival]
define over(c: cell, d: cell) = between(c, d) & occupied
define ways(c: cell) = ray(c, ne) | ray(c, nw) | ray(c, se) | ray(c, sw)
define targets(c: cell, from: cell, done: set of cell) = {d in ways(c) & (empty | {from}):
    count(over(c, d) - {from}) = 1 and over(c, d) - {from} within theirs - done and
    (from in king[me] or count(between(c, d)) = 1)}
define best(c: cell, from: cell, done: set of cell) at most 12 deep =
    max of 1 + best(d, from, done | (over(c, d) - {from})) for d in targets(c, from, done) or 0
move jump(from: cell, to: cell)
  when from in mine
  when to in targets(from, from, {})
  when 1 + best(to, from, over(from, to)) = need
  remove man[rival] from over(from, to)
  remove king[rival] from over(from, to)
  if from in man[me]
    remove man[me] from from
  else
    remove king[me] from from
  put king[me] on to
move step(from: cell, to: cell)
  when from in mine
  when to in ways(from) & empty
  when if from in king[me] then between(from, to) within empty else to in steps(from, {ne, nw})
  when need = 0
  if from in man[me]
    move man[me] from from to to
  else
    move king[me] from from to to
play
  put man[X] on {a1, c1, e1, b2, d2}
  put man[O] on {b6, d6, f6, c5, e5}
  put king[X] on f2
  put king[O] on a5
  turns from X
    set need to max of best(c, c, {}) for c in mine or 0
    me plays jump | step
      stuck
        lose me
"""


@pytest.fixture(scope="module")
def between(tmp_path_factory: pytest.TempPathFactory) -> n.TableData:
    text = f"players X, O\nboard grid {SIDE} by {SIDE}\npiece mark of player\nmove go(c: cell, d: cell)\n"
    text += "  when between(c, d) disjoint mark[me]\n  put mark[me] on c\nplay\n  turns from X\n    me plays go\n"
    program = small.program_of(text, tmp_path_factory.mktemp("rays"))
    found = {
        x.table
        for s in program.schemas
        for g in s.guards
        for x in walk(g.condition)
        if isinstance(x, n.Lookup) and x.table.name == "between"
    }
    return found.pop()


@given(
    st.integers(0, SIDE * SIDE - 1),
    st.integers(0, CELLS - 1),
    st.sampled_from(sorted(OPS)),
    st.integers(0, 5),
    st.booleans(),
)
@settings(max_examples=300, deadline=None)
def test_what_is_passed_over_is_counted(
    between: n.TableData, c: int, among: int, op: str, k: int, turned: bool
) -> None:
    """Against the table itself, for each element that a ray may lead to; larger numbers are not told apart."""

    def holds(number: int) -> bool:
        return OPS[op](k, number) if turned else OPS[op](number, k)

    cell = between.keys[0]
    p, s, t = n.Local(1, "p", n.ElemT(cell)), n.Local(2, "s", n.ElemT(cell)), n.SetT(cell)
    passed = n.Op2("meet", n.Lookup(between, (n.Load(s), n.Load(p))), n.Const(among, t), t)
    number, constant = n.Op1("count", passed, n.IntT(0, cell.size)), n.Const(k, n.IntT(k, k))
    found = lift_condition(p, n.Op2(op, *((constant, number) if turned else (number, constant)), n.BoolT()))
    assert (found is not None) == (len({holds(v) for v in range(cutoffs.PASSED_OVER, cell.size)}) == 1)
    there = 0 if found is None else evaluate(found, {s.id: c})
    for d in range(cell.size if found else 0):
        assert bool(there >> d & 1) == holds((between.values[c * cell.size + d] & among).bit_count()), d


def test_only_pieces_that_can_capture_are_gone_through(tmp_path: Path) -> None:
    """Before the longest capture is sought, and before a capture's way is chosen."""
    before = small.program_of(CHAINS, tmp_path)
    after = keep_fruitful(before)
    jump, step = after.schemas
    assert jump.plan[0] != before.schemas[0].plan[0] and step.plan == before.schemas[1].plan
    sought = [x for b in after.blocks for e in exprs_of(b.statements) for x in walk(e) if isinstance(x, n.Loop)]
    assert [x.kind for x in sought if x.kind == "max" and isinstance(x.over, n.Load)] == ["max"]


def test_chains_are_those_of_the_engine(tmp_path: Path) -> None:
    """Men that jump over a neighbor, kings from afar; the piece that jumps leaves its square."""
    game = InterpretedGame(small.program_of(CHAINS, tmp_path))
    native = compiled(game)
    for seed in range(3):
        agree(game, seed, 60, native)


def test_longest_chains_are_specialized(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the depths of a definition put into each other are too large, they stay functions that get what they read;
    random plays of both forms are those of the rules."""
    monkeypatch.setattr(cutoffs, "EXPRESSION_NODES", 500)
    program = small.program_of(CHAINS, tmp_path)
    special = specialize_for_playouts(program)
    assert special is not None and any("best" in f.name for f in special.program.functions)
    for seed in range(2):
        assert first_difference(InterpretedGame(program), relabelled(special.program), seed, 12) == ""
    assert shares_differ(compiled(InterpretedGame(program)), 2000, 1, 60) == ""
