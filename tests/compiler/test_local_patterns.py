"""Sets by the pattern of a changing set around an element: what the evaluator and the engine find one by one."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import gamedsl
from gamedsl.compiler.analysis.local_patterns import local_patterns
from gamedsl.compiler.compile import machine
from gamedsl.compiler.compile.compiler import ProgramForms, Wanted, write
from gamedsl.compiler.host.binding import Native
from gamedsl.engine import InterpretedGame
from gamedsl.language.boards.domains import Domain
from gamedsl.language.core import nodes as n
from gamedsl.language.core.constant_folding import evaluate

from .agree import agree, compiled

BOOL = n.BoolT()
PLACES = 70
CELLS = n.SetT(Domain("cell", tuple(f"c{i}" for i in range(PLACES))))
ELEMENT = n.ElemT(CELLS.domain)
C, B, D, H = n.Local(1, "c", ELEMENT), n.Local(2, "b", ELEMENT), n.Local(3, "d", ELEMENT), n.Local(4, "H", CELLS)
HELD = n.Load(H)


def near(rng: Random, most: int = 5) -> n.TableData:
    values = (sum({1 << rng.randrange(PLACES) for _ in range(rng.randint(0, most))}) for _ in range(PLACES))
    return n.TableData("near", (CELLS.domain,), CELLS, tuple(values))


def at(table: n.TableData, x: n.Local) -> n.Expr:
    return n.Lookup(table, (n.Load(x),))


def both(a: n.Expr, b: n.Expr) -> n.Expr:
    return n.Op2("meet", a, b, CELLS)


def less(a: n.Expr, b: n.Expr) -> n.Expr:
    return n.Op2("minus", a, b, CELLS)


def condition(rng: Random, t: n.TableData, depth: int) -> Any:
    """About ``b``, which is near ``c``, and what of H is near them."""
    x = n.Load(rng.choice([B, C]))
    if depth:
        a, b = condition(rng, t, depth - 1), condition(rng, t, depth - 1)
        return rng.choice(
            [n.Op1("not", a, BOOL), n.Op2("and", a, b, BOOL), n.Op2("or", a, b, BOOL), n.Cond(a, b, a, BOOL)]
        )
    inside = both(at(t, C), both(at(t, B), HELD))
    return rng.choice([
        n.Op2("in", x, HELD, BOOL),
        n.Op2("in", x, at(t, B), BOOL),
        n.Op2("disjoint", at(t, C), HELD, BOOL),
        n.Op2("within", both(at(t, C), at(t, B)), HELD, BOOL),
        n.Op2("eq", n.Op1("count", inside, n.IntT(0, PLACES)), n.Const(1, n.IntT(1, 1)), BOOL),
        n.Loop("some", D, less(at(t, C), HELD), None, n.Op2("in", n.Load(D), at(t, B), BOOL), BOOL),
    ])  # fmt: skip


def expression(rng: Random) -> Any:
    t = near(rng)
    over = rng.choice([at(t, C), less(at(t, C), HELD), both(HELD, at(t, C))])
    found: n.Expr = n.Loop("filter", B, over, None, condition(rng, t, rng.randint(0, 2)), CELLS)
    for _ in range(rng.randint(1, 2)):
        part = n.Cond(n.Op2("in", n.Load(C), HELD, BOOL), at(near(rng, 2), C), n.Const(0, CELLS), CELLS)
        found = n.Op2(rng.choice(["union", "minus"]), found, part, CELLS)
    return n.LetE(n.Local(9, "y", ELEMENT), n.Load(C), found) if rng.random() < 0.2 else found


def spread(bits: int, places: int) -> int:
    members = [i for i in range(PLACES) if places >> i & 1]
    return sum(1 << x for i, x in enumerate(members) if bits >> i & 1)


def gathered(subset: int, places: int) -> int:
    members = [i for i in range(PLACES) if places >> i & 1]
    return sum(1 << i for i, x in enumerate(members) if subset >> x & 1)


def test_the_cases_are_what_the_evaluator_says() -> None:
    rng, found = Random(1), 0
    for _ in range(60):
        e = expression(rng)
        if not local_patterns(e):
            continue
        found += 1
        (pattern,) = local_patterns(e)
        assert (pattern.element, pattern.changing) == (C, HELD)
        cases = pattern.cases
        for _ in range(12):
            c, held = rng.randrange(PLACES), rng.getrandbits(PLACES)
            byte = cases.table[cases.first[c] + gathered(held, cases.around[c])]
            assert spread(byte, cases.results[c]) == evaluate(e, {C.id: c, H.id: held}), e
    assert found >= 40


def test_what_asks_about_all_of_a_set_is_of_another_kind() -> None:
    t = near(Random(2), 2)
    asked = n.Op2("eq", both(HELD, at(t, B)), n.Const(0, CELLS), BOOL)
    wide = n.Op2("within", HELD, at(t, B), BOOL)
    assert local_patterns(n.Loop("filter", B, at(t, C), None, n.Op2("and", asked, asked, BOOL), CELLS))
    assert not local_patterns(n.Loop("filter", B, at(t, C), None, n.Op2("and", asked, wide, BOOL), CELLS))
    assert not local_patterns(n.Loop("filter", B, less(HELD, at(t, C)), None, n.Op2("and", asked, asked, BOOL), CELLS))


SLIDING = """game "Sliding"
players A, B
board {board}
piece stone of player
define slides(a: cell, S: set of cell) = {{b in neighbors(a) - S: count(neighbors(a) & neighbors(b) & S) = 1}}
move slide(a: cell, b: cell)
  when a in stone[me]
  when b in (reach of slides(c, occupied - {{a}}) for c from {{a}})
  move stone[me] from a to b
move lay(a: cell)
  when a in empty and (stone[me] = {{}} or neighbors(a) meets occupied)
  put stone[me] on a
play
  turns from A
    me plays lay | slide
      stuck
        draw
"""


@pytest.mark.parametrize("board", ["hex 3", "grid 5 by 4", "hex 6"])
def test_pieces_slide_around_others(board: str, tmp_path: Path) -> None:
    path = tmp_path / "sliding.gdl"
    path.write_text(SLIDING.format(board=board))
    program = gamedsl.load(path).program
    assert "bmi.pext" in write(ProgramForms(program), Wanted("quick")).ir
    game = InterpretedGame(program)
    native = compiled(game)
    for play in range(2):
        agree(game, play, 16, native)


WALLS = """game "Walls"
players A, B
board grid 4 by 4
piece runner of player
piece wall on edge
define next_to(c: cell) = {{d in neighbors(c){upward}: edge_between(c, d) not in wall}}
define escapes(p: player) = connected(cell, runner[p], {{t in top_row: column(t) < 3}}, next_to)
move go(to: cell)
  when to in next_to(the(runner[me])) - runner[rival]
  move runner[me] from the(runner[me]) to to
move build(e: edge)
  when e not in wall
  when after this: escapes(A) and escapes(B)
  put wall on e
play
  put runner[A] on a1
  put runner[B] on d1
  turns from A, 30 times
    me plays go | build
      stuck
        lose me
    if runner[me] meets top_row
      win me
  draw
"""


@pytest.mark.parametrize("upward", ["", " & {d in cell: row(d) >= row(c)}"])
def test_kept_paths_change_nothing(upward: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same random games with and without patterns and paths, where every step can be taken back and where not."""
    path = tmp_path / "walls.gdl"
    path.write_text(WALLS.format(upward=upward))
    program = gamedsl.load(path).program
    with_paths = Native(program, keep=False)
    assert "closure_path" in write(ProgramForms(program), Wanted("quick")).ir
    tally = with_paths.playouts(400, seed=3)
    known = machine.has_cpu_feature
    monkeypatch.setattr(machine, "has_cpu_feature", lambda feature: feature != "bmi2" and known(feature))
    assert tally == Native(program, keep=False).playouts(400, seed=3)
