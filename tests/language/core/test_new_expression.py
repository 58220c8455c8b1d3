"""A new class of expressions with an expansion needs no case anywhere: whatever has none takes the smaller nodes."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gamedsl
from gamedsl.compiler import compile_program
from gamedsl.engine import InterpretedGame, perft
from gamedsl.lab.symmetry.symmetries import symmetries
from gamedsl.language.boards import Domain
from gamedsl.language.core import children, evaluate, fold, free_locals, print_core, walk, with_children
from gamedsl.language.core import nodes as n
from gamedsl.language.source import node
from gamedsl.play.web.offline.core_data import rules_data
from tests.language.core.verifier import verify

RULES = """\
game "Corners"
players A, B
board grid 2 by 3
piece stone of player
define corner(c: cell) = (row(c) = 1 and column(c) = 1) or (row(c) = 2 and column(c) = 3)
move place(c: cell)
  when c in empty and not corner(c)
  put stone[me] on c
play
  turns from A
    me plays place
    if count(stone[A]) = 2 and count(stone[B]) = 2
      draw
"""


@node()
class Both(n.CoreExpr):
    """A conjunction that no pass knows."""

    loops = False
    left: n.Expr
    right: n.Expr
    type: n.ValueT = n.BoolT()

    def expansion(self) -> n.Expr:
        return n.Op2("and", self.left, self.right, self.type, span=self.span)


def rewritten(x: Any) -> Any:
    """The program with every ``and`` as the new node."""
    if isinstance(x, tuple):
        return tuple(map(rewritten, x))
    if not is_dataclass(x) or isinstance(x, n.Var | n.TableData) or type(x).__module__ != n.__name__:
        return x
    new: Any = replace(x, **{f.name: rewritten(getattr(x, f.name)) for f in fields(x) if f.init})  # type: ignore[type-var]
    return Both(new.left, new.right, span=new.span) if isinstance(new, n.Op2) and new.op == "and" else new


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> tuple[InterpretedGame, InterpretedGame]:
    path: Path = tmp_path_factory.mktemp("rules") / "corners.gdl"
    path.write_text(RULES)
    known = gamedsl.load(path)
    new = InterpretedGame(rewritten(known.program))
    assert "Both(" in print_core(new.program)
    return known, new


def test_it_is_checked(games: tuple[InterpretedGame, InterpretedGame]) -> None:
    known, new = games
    assert verify(known.program) == verify(new.program) == []


def test_the_game_is_the_same(games: tuple[InterpretedGame, InterpretedGame]) -> None:
    """Four cells are free: 4 * 3 * 2 * 1 orders, after which both have two stones."""
    known, new = games
    assert [perft(g.initial_state(), d) for g in (known, new) for d in (1, 4, 5)] == [4, 24, 0] * 2


def test_machine_code_is_made_of_the_smaller_nodes(games: tuple[InterpretedGame, InterpretedGame]) -> None:
    _, new = games
    native = compile_program(new.program, new, baseline=True)
    assert [native.perft(new.initial_state(), d) for d in (1, 4, 5)] == [4, 24, 0]


def test_symmetries_and_data_are_those_of_the_smaller_nodes(games: tuple[InterpretedGame, InterpretedGame]) -> None:
    known, new = games
    assert len(symmetries(known.program)) == len(symmetries(new.program)) > 0
    assert json.dumps(rules_data(new)) == json.dumps(rules_data(known))


def test_it_is_traversed_by_the_types_of_its_fields() -> None:
    x, y = (n.Load(n.Local(i, f"x{i}", n.BoolT())) for i in (1, 2))
    e: Any = Both(x, y)
    assert children(e) == (x, y)
    assert list(free_locals(e)) == [1, 2]
    assert with_children(e, (y, x)) == Both(y, x)
    assert fold(with_children(e, (n.Const(1, n.BoolT()), n.Const(1, n.BoolT())))) == n.Const(1, n.BoolT())
    assert [type(part) for part in walk(e)] == [Both, n.Load, n.Load]


CELLS = Domain("cell", tuple("abcdef"))
SETS = st.integers(0, CELLS.full)


@given(SETS, SETS, st.tuples(*[SETS] * CELLS.size))
def test_a_flood_is_its_expansion(start: int, within: int, rows: tuple[int, ...]) -> None:
    t = n.SetT(CELLS)
    table = n.TableData("next", (CELLS,), t, rows)
    e = n.Flood(n.Const(start, t), n.Const(within, t), table, t)
    assert evaluate(e, {}) == evaluate(e.expansion(), {})
