"""Definitions that call themselves: values against plain searches, the bound, the ranges, what counts them once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gamedsl
from gamedsl.engine.stop import codes_of
from gamedsl.lab.coverage.instrument import InstrumentedGame
from gamedsl.lab.mutation.tree_places import places
from gamedsl.language.boards.domains import Domain
from gamedsl.language.core import RangeProblem, can_fail, evaluate, fold
from gamedsl.language.core.nodes import CallF, Cond, ElemT, Fail, IntT, Load, Local, SetT
from gamedsl.language.rules import check_file
from gamedsl.language.source.diagnostic import GameDSLError
from gamedsl.language.syntax import ast, parse_text
from tests.language.core.verifier import verify

from .play import game

BOARD = """
players A, B
board grid 4 by 4
piece mark of player
option more: 0..5 = 1 "more"
state
  answer: -999..999
DEFINITIONS
move ask(n: 0..9)
  set answer to ASKED
play
  put mark[A] on CELLS
  A plays ask
  draw
"""
FACTORIAL = "define product(n: 0..9) at most 5 deep = if n = 0 then 1 else n * product(n - 1)"
WALK = """define walk(c: cell, seen: set of cell) at most 9 deep = max of 1 + walk(d, seen | {d}) for d in
    neighbors(c) & mark[A] - seen or 0"""


def load(folder: Path, definitions: str, asked: str = "0", cells: str = "a1", **options: int) -> gamedsl.Game:
    text = BOARD.replace("DEFINITIONS", definitions).replace("ASKED", asked).replace("CELLS", cells)
    return game(folder, text, **options)


def answer(g: gamedsl.Game, n: int = 0) -> int:
    var = g.variable("answer")
    assert var is not None and verify(g.program) == []
    state = g.initial_state()
    return int(codes_of(state.apply(g.parse_move(f"ask({n})", state)), var)[0])


def longest_walk(cells: set[tuple[int, int]], at: tuple[int, int], seen: frozenset[tuple[int, int]]) -> int:
    beside = [(at[0] + dx, at[1] + dy) for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))]
    return max((1 + longest_walk(cells, b, seen | {b}) for b in beside if b in cells and b not in seen), default=0)


@given(st.sets(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=1, max_size=9))
@settings(max_examples=12, deadline=None)
def test_longest_walks(tmp_path_factory: pytest.TempPathFactory, cells: set[tuple[int, int]]) -> None:
    """The walk that visits most marks, against a search of our own."""
    names = {c: f"{'abcd'[c[0] - 1]}{c[1]}" for c in cells}
    g = load(
        tmp_path_factory.getbasetemp(),
        WALK,
        "max of walk(c, {c}) for c in mark[A] or 0",
        "{" + ", ".join(names.values()) + "}",
    )
    assert answer(g) == max(longest_walk(cells, c, frozenset([c])) for c in cells)


@pytest.mark.parametrize(
    ("definition", "asked", "expected"),
    [
        (FACTORIAL, "product(n)", [1, 1, 2, 6, 24, 120]),
        (
            "define even(n: 0..9) at most 5 deep = n = 0 or not even(n - 1)",
            "if even(n) then 1 else 0",
            [1, 0, 1, 0, 1, 0],
        ),
        (
            "define paths(n: 0..9) at most 5 deep = if n < 2 then n else paths(n - 1) + paths(n - 2)",
            "paths(n)",
            [0, 1, 1, 2, 3, 5],
        ),
        ("define down(n: 0..9) at most 5 deep = if n = 0 then 0 else 1 - down(n - 1)", "down(n)", [0, 1, 0, 1, 0, 1]),
        ("define neg(n: 0..9) at most 5 deep = if n = 0 then -3 else -neg(n - 1)", "neg(n)", [-3, 3, -3, 3, -3, 3]),
        (
            "define near(c: cell, n: 0..9): set of cell at most 5 deep = if n = 0 then {c} else "
            "{c} | union of near(d, n - 1) for d in neighbors(c)",
            "count(near(a1, n))",
            [1, 3, 6, 10, 13, 15],
        ),
        (
            "define up(c: cell?, n: 0..9): cell? at most 5 deep = if n = 0 then c else if c is none then none else "
            "up(step(the({c}), north), n - 1)",
            "if up(a1, n) is none then 0 else 1",
            [1, 1, 1, 1, 0, 0],
        ),
        (
            "define left(s: set of cell, n: 0..9) at most 5 deep = if n = 0 then s else left(s, n - 1) - {d4} - {a1}",
            "count(left(cell, n))",
            [16, 14, 14, 14, 14, 14],
        ),
        (
            "define me_too(n: 0..9) at most 5 deep = if n = 0 then count(mark[me]) else 1 + me_too(n - 1)",
            "me_too(n)",
            [1, 2, 3, 4, 5, 6],
        ),
        (
            "define deep(n: 0..9) at most 2 * more + 3 deep = if n = 0 then 0 else 1 + deep(n - 1)",
            "deep(n)",
            [0, 1, 2, 3, 4, 5],
        ),
    ],
)
@pytest.mark.parametrize("backend", ["interpreter", "native"])
def test_the_bound(definition: str, asked: str, expected: list[int], backend: str, tmp_path: Path) -> None:
    """Every value up to the bound; nested once more, a rules error that names the definition, the bound and the place."""
    load(tmp_path, definition.replace("north", "direction(1)"), asked)
    g = gamedsl.load(tmp_path / "ruleset.gdl", backend=backend)
    assert [answer(g, n) for n in range(6)] == expected
    name = definition.split("(")[0].split()[-1]
    if name == "up":  # it ends at the border, before
        return
    with pytest.raises(GameDSLError) as caught:
        answer(g, 6 if name != "paths" else 7)
    [told] = caught.value.diagnostics
    assert (told.code, told.message) == ("E0510", f"`{name}` calls itself more than 5 deep")
    assert told.span.text.startswith(f"{name}(")


def test_options_decide_the_bound(tmp_path: Path) -> None:
    definition = "define deep(n: 0..9) at most more deep = if n = 0 then 0 else 1 + deep(n - 1)"
    for most in (1, 4):
        g = load(tmp_path, definition, "deep(n)", more=most)
        assert answer(g, most) == most
        with pytest.raises(GameDSLError, match=f"more than {most} deep"):
            answer(g, most + 1)
    with pytest.raises(GameDSLError, match="E0385"):
        load(tmp_path, definition, "deep(n)", more=0)


def test_every_depth_has_its_own_range(tmp_path: Path) -> None:
    """As if each depth were a definition of its own: the result needs no check at run time."""
    functions = load(tmp_path, WALK, "walk(a1, {a1})").program.functions
    assert [f.body.type for f in functions] == [IntT(0, n) for n in range(10)]
    assert {f.name for f in functions} == {"walk"}


def test_a_written_type_is_kept_at_every_depth(tmp_path: Path) -> None:
    definition = "define f(n: 0..9): 0..3 at most 9 deep = if n = 0 then 0 else 1 + f(n - 1)"
    g = load(tmp_path, definition, "f(n)")
    assert {f.body.type for f in g.program.functions} == {IntT(0, 3)}
    assert answer(g, 3) == 3
    with pytest.raises(GameDSLError, match=r"4 is out of range \(0\.\.3\)"):
        answer(g, 4)


def test_a_board_is_cut_by_recursion(tmp_path: Path) -> None:
    text = """
    players A, B
    board grid 4 by 4 without {c in cell: far(c) > 2}
    piece mark of player
    define far(c: cell) at most 3 deep = if row(c) = 1 then column(c) - 1 else 1 + far(step(c, s))
    play
      draw
    """
    marks = next(v for v in game(tmp_path, text).program.variables if v.name == "mark")
    assert isinstance(marks.type, SetT) and marks.type.domain.names == ("a1", "b1", "c1", "a2", "b2", "a3")


def test_what_only_itself_calls_is_not_used(tmp_path: Path) -> None:
    load(tmp_path, FACTORIAL)
    _, found = check_file(tmp_path / "ruleset.gdl")
    assert ("W0901", "definition `product` is never used") in [(d.code, d.message) for d in found]


def test_coverage_and_mutation_see_one_definition(tmp_path: Path) -> None:
    program = load(tmp_path, FACTORIAL, "product(n)").program
    game_ = InstrumentedGame(program)
    [probe] = [p for p in game_.probes if p.kind == "definition"]
    state = game_.game.initial_state()
    state.apply(game_.game.parse_move("ask(4)", state))
    assert game_.counts.hits[probe.number] == 5
    tree = parse_text((tmp_path / "ruleset.gdl").read_text())
    changed = [p.node for p in places(tree) if any(isinstance(x, ast.DefineDecl) for x in p.parents)]
    assert ast.Int(9) in changed and ast.Int(5) not in changed


# ------------------------------------------------------------------------------------------------- in the Core


def test_a_failure_has_no_value() -> None:
    n = Local(1, "n", IntT(0, 9))
    e = Cond(Load(n), Fail("too deep", IntT(0, 3)), Load(n), IntT(0, 9))
    assert can_fail(e) and fold(e) == e
    assert evaluate(e, {1: 0}) == 0
    with pytest.raises(RangeProblem, match="too deep"):
        evaluate(e, {1: 1})


def test_no_failure_without_a_type_is_left(tmp_path: Path) -> None:
    g = load(tmp_path, FACTORIAL, "product(n)")
    last, first = g.program.functions[0], g.program.functions[1]
    assert isinstance(first.body, Cond) and isinstance(last.body, Cond)
    assert isinstance(last.body.otherwise, Fail) and not isinstance(last.body.otherwise, CallF)
    wrong = replace(last, body=replace(last.body, otherwise=replace(last.body.otherwise, type=IntT(1, 0))))
    assert verify(replace(g.program, functions=(wrong, *g.program.functions[1:])))
    assert ElemT(Domain("nothing", ())) not in {f.body.type for f in g.program.functions}
