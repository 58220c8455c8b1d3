"""What is reached: closures, adjacency as an argument, steps by numbers; against plain searches and by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamedsl.engine.stop import codes_of
from gamedsl.language.boards.domains import Domain
from gamedsl.language.core.constant_folding import fold
from gamedsl.language.core.evaluator import evaluate
from gamedsl.language.core.nodes import Closure, Const, ElemT, Load, Local, Lookup, SetT, TableData
from tests.language.core.verifier import verify

from .play import game

BOARD = """
game "T"
players A, B
board grid 5 by 5
piece mark of player
state
  answer: -99..99
"""
COURSE = """
play
  put mark[A] on {a1, b2, c2, e5}
  put mark[B] on {b3, d4}
  set answer to ASKED
  A chooses answer
  draw
"""
THINGS = Domain("thing", tuple("abcdefgh"))


def number(folder: Path, asked: str, definitions: str = "") -> int:
    """The value of an expression in the position of ``COURSE``."""
    g = game(folder, BOARD + definitions + COURSE.replace("ASKED", asked))
    assert verify(g.program) == []
    var = g.variable("answer")
    assert var is not None
    return int(codes_of(g.initial_state(), var)[0])


# ------------------------------------------------------------------------------------------------------ closures


@given(st.lists(st.integers(0, 255), min_size=8, max_size=8), st.integers(0, 255))
@settings(max_examples=60)
def test_least_closed_set(steps: list[int], start: int) -> None:
    """It holds the start, is closed, and every closed set that holds the start holds it (Tarski)."""
    t, x = SetT(THINGS), Local(1, "x", ElemT(THINGS))
    e = Closure(Const(start, t), x, Lookup(TableData("step", (THINGS,), t, tuple(steps)), (Load(x),)), t)
    found = evaluate(e, {})
    assert fold(e) == Const(found, t)

    def closed(s: int) -> bool:
        return start & ~s == 0 and all(steps[i] & ~s == 0 for i in range(8) if s >> i & 1)

    assert closed(found)
    assert all(found & ~s == 0 for s in range(256) if closed(s))


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("count(reach of step(x, n) for x from {a1})", 5),  # a cell or none
        ("count(reach of steps(x, {ne, nw}) for x from {a1})", 9),  # half of the cells of one colour
        ("count(reach of neighbors(x) for x from {c3}: x in mark[B])", 1),  # c3 is reached, not gone on from
        ("count(reach of neighbors(x) for x from {b3}: x in mark[B])", 5),
        ("count(reach of next(p) for p from {A})", 2),
        ("count(reach of {k + 3, k * 2} for k from {1} & 0..20: k < 8)", 8),  # 1 2 4 5 7 8 10 14
        ("count(reach of {} for x from {a1, a2})", 2),
        ("count(reach of {(b, a)} for (a, b) from {(a1, b2)})", 2),
        ("count({c in cell: c in (reach of neighbors(x) & mark[A] for x from {b2})})", 2),
    ],
)
def test_closures(asked: str, expected: int, tmp_path: Path) -> None:
    assert number(tmp_path, asked) == expected


# ----------------------------------------------------------------------------------------------------- adjacency

KNIGHT = "define leap(a: cell) = {b in cell: distance(a, b) = 3 and not aligned(a, b)}\n"
OPEN = "define open(a: cell, b: cell) = adjacent(a, b) and column(a) + column(b) != 5\n"
UP = "define up(a: cell, b: cell) = b = step(a, n)\n"
TOWARDS = "define towards(c: cell, d: direction) = step(c, n)\n"


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("count(component(a1, mark[A]))", 1),
        ("count(component(a1, mark[A], side))", 1),
        ("count(component(a1, mark[A], corner))", 2),  # c2 lies beside b2
        ("count(component(a1, mark[A], any))", 3),
        ("count(component(c2, mark[A] | mark[B], any))", 4),  # b3 over a corner of c2; d4 not beside it
        ("count(component(a1, cell, leap))", 25),
        ("count(component({a1, b1}, mark[A] | {b3}, leap))", 3),
        ("count(component(a1, cell, open))", 10),
        ("count(component(d1, cell, open))", 15),
        ("count(component(c1, cell, up))", 5),  # a relation is followed one way
        ("count(component(c5, cell, up))", 1),
        ("count(component(a1, mark[A], aligned))", 1),
        ("count(component(b2, mark[A] | mark[B], aligned))", 3),
        ("count(component(b2, mark[A] | mark[B], neighbors))", 3),
        ("if connected(mark[A], {a1}, {c2}, any) then 1 else 0", 1),
        ("if connected(mark[A], {a1}, {c2}) then 1 else 0", 0),
        ("if connected(cell, {c1}, {c5}, up) and not connected(cell, {c5}, {c1}, up) then 1 else 0", 1),
        ("distance(a1, c5, any)", 4),
        ("distance(a1, b1, corner)", 25),  # there is no path
        ("if adjacent(a1, b2, corner) and not adjacent(a1, b2) then 1 else 0", 1),
    ],
)
def test_adjacency(asked: str, expected: int, tmp_path: Path) -> None:
    assert number(tmp_path, asked, KNIGHT + OPEN + UP + TOWARDS) == expected


def test_drawn_boards_have_neighbours_too(tmp_path: Path) -> None:
    g = game(
        tmp_path,
        """
players A, B
board drawing up to 20 spaces
  figure: closed curve
    simple
  left, right: straight line across figure
define all_of(s: set of space) = component(the(s), s)
play
  A draws figure, left, right
  if all_of(spaces) = spaces
    win A
  draw
""",
    )
    import random

    rng, state = random.Random(3), g.initial_state()
    while not state.is_terminal:
        state = state.apply(state.propose(rng))
    assert state.winners == {0}


# --------------------------------------------------------------------------------------------- steps, directions


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("number(the({step(c3, 2 north, 1 east)}))", 24),  # d5
        ("number(the({step(a1, -1 w, -2 s)}))", 12),  # b3
        ("number(the({step(b2, 2 n, e, n)}))", 23),  # c5
        ("if step(c3, 3 north) is none and step(c3, 3 n, 2 s) = c4 then 1 else 0", 1),  # only the sum counts
        (
            "count({step(c3, 2 d, 1 turned(d, 2)) for d in {n, e, s, w}} | {step(c3, 2 d, 1 turned(d, -2)) for d in {n, e, s, w}})",
            8,
        ),
        ("count({step(c3, k d) for k in -9..9, d in direction})", 17),
        ("count({step(a1, k d, j turned(d, 2)) for k in 0..4, j in 0..4, d in direction})", 25),
        ("count(line(c3, ne))", 5),
        ("count(line(b1, nw) | line(b1, se))", 2),
        ("if every d in direction: opposite(d) = turned(d, 4) and opposite(opposite(d)) = d then 1 else 0", 1),
        ("if turned(n, 2) = east and turned(n, -1) = nw and turned(n, 11) = se then 1 else 0", 1),
    ],
)
def test_steps(asked: str, expected: int, tmp_path: Path) -> None:
    assert number(tmp_path, asked) == expected


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("turned(e, 1) = se", 1),
        ("opposite(ne) = sw", 1),
        ("step(center, 1 e, 1 ne) is some", 1),
        ("count(line(center, e)) = 5", 1),
    ],
)
def test_steps_on_hexagons(asked: str, expected: int, tmp_path: Path) -> None:
    text = (
        BOARD.replace("grid 5 by 5", "hex 3")
        + f"play\n  set answer to if {asked} then 1 else 0\n  A chooses answer\n  draw\n"
    )
    g = game(tmp_path, text)
    var = g.variable("answer")
    assert var is not None
    assert codes_of(g.initial_state(), var)[0] == expected
