"""Graphs whose points can change places: positions up to symmetry, counted from outside by Burnside's lemma; and searches for
symmetries that go deep."""

from __future__ import annotations

import inspect
import sys
from itertools import combinations, permutations
from math import factorial, prod
from pathlib import Path

import pytest

from gamedsl.engine import InterpretedGame
from gamedsl.lab.explore.explorer import explore
from gamedsl.lab.symmetry.automorphisms import AutomorphismSearch
from gamedsl.lab.symmetry.symmetries import symmetries
from gamedsl.lab.symmetry.terms import NoSymmetry, Terms
from gamedsl.language.rules import load_program

COLOURING = """game "Colouring"

players red, blue

board graph
  nodes {nodes}
{edges}

piece line of player on edge

define drawn = line[red] | line[blue]

define joining(x: cell, y: cell): edge = edge_between(x, y)
define triangle(p: player) = some x, y, z in cell: x != y and y != z and x != z and
    {{joining(x, y), joining(y, z), joining(x, z)}} within line[p]

move draw_line(l: edge) written "{{l}}"
  when l not in drawn "drawn already"
  put line[me] on l

play
  turns from red
    me plays draw_line
      stuck
        if triangle(red)
          win red
        else
          draw
{rest}"""


def complete_graph(points: int, rest: str = "") -> str:
    """Two players colour the lines between all points in turn."""
    names = "abcdefgh"[:points]
    edges = "\n".join(f"  {a} to {', '.join(names[i + 1 :])}" for i, a in enumerate(names[:-1]))
    return COLOURING.format(nodes=", ".join(names), edges=edges, rest=rest)


def colourings(points: int, red: int, blue: int) -> int:
    """So many red and blue lines between so many points, up to exchanges of points: the mean number of those that an exchange
    leaves as they are (Burnside). It leaves those as they are in which every round of lines has one colour."""
    lines = list(combinations(range(points), 2))
    total = 0
    for moved in permutations(range(points)):
        ways = {(0, 0): 1}
        seen: set[tuple[int, int]] = set()
        for line in lines:
            size, here = 0, line
            while here not in seen:
                seen.add(here)
                size += 1
                a, b = moved[here[0]], moved[here[1]]
                here = (min(a, b), max(a, b))
            if size:
                more: dict[tuple[int, int], int] = {}
                for (r, b), n in ways.items():
                    for to in ((r, b), (r + size, b), (r, b + size)):
                        more[to] = more.get(to, 0) + n
                ways = more
        total += ways.get((red, blue), 0)
    assert total % factorial(points) == 0
    return total // factorial(points)


def test_the_count_from_outside_is_that_of_the_books() -> None:
    """Graphs of five points with five lines: 6; of six points with seven: 24 (OEIS A008406)."""
    assert (colourings(5, 5, 0), colourings(6, 7, 0)) == (6, 24)


def same_as_burnside(path: Path, points: int) -> None:
    path.write_text(complete_graph(points), encoding="utf-8")
    program = load_program(path)
    turns = symmetries(program, seats=False)
    assert len(turns) == factorial(points) - 1
    graph = explore(InterpretedGame(program), turns=turns)
    lines = points * (points - 1) // 2
    sizes = [b - a for a, b in zip(graph.levels, [*graph.levels[1:], len(graph)], strict=True)]
    assert sizes[: lines + 1] == [colourings(points, (n + 1) // 2, n // 2) for n in range(lines + 1)]


def test_positions_on_five_points(tmp_path: Path) -> None:
    same_as_burnside(tmp_path / "five.gdl", 5)


@pytest.mark.slow
def test_positions_on_six_points(tmp_path: Path) -> None:
    same_as_burnside(tmp_path / "six.gdl", 6)


def test_what_a_condition_before_it_rules_out_can_not_go_wrong(tmp_path: Path) -> None:
    """No line joins a point to itself, but that is never asked: all 720 exchanges of points stay."""
    path = tmp_path / "sim.gdl"
    path.write_text(complete_graph(6, "    if triangle(me)\n      lose me\n"), encoding="utf-8")
    assert len(symmetries(load_program(path))) == 720 - 1


def test_what_can_go_wrong_keeps_the_points_apart(tmp_path: Path) -> None:
    """Without `x != y` a rule goes wrong, and where it does is told by the order of the points."""
    text = complete_graph(4, "    if triangle(me)\n      lose me\n").replace("x != y and ", "")
    path = tmp_path / "wrong.gdl"
    path.write_text(text, encoding="utf-8")
    assert len(symmetries(load_program(path), seats=False)) == 0


def test_many_points_that_nothing_is_said_of() -> None:
    terms = Terms()
    points = [terms.point("loose") for _ in range(1200)]
    pair = [terms.point("pair") for _ in range(2)]
    terms.facts.add(terms.mixed("both", pair))
    levels = AutomorphismSearch(terms).levels()
    assert sorted(level.size for level in levels) == sorted([2, *range(2, len(points) + 1)])
    assert all(terms.keeps(g) for level in levels for g in level.found[:1] if level.size % 100 == 0)


def test_a_search_needs_no_frames_for_its_levels() -> None:
    """Thirty pairs of ends that can all change places: sixty levels, in fewer frames than that."""
    terms = Terms()
    for _ in range(30):
        terms.say("pair", terms.mixed("both", [terms.point("end"), terms.point("end")]))
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 40)
    try:
        levels = AutomorphismSearch(terms, left=10**6).levels()
    finally:
        sys.setrecursionlimit(before)
    assert prod(level.size for level in levels) == factorial(30) * 2**30


def test_a_search_that_takes_too_long_ends_in_words() -> None:
    terms = Terms()
    for _ in range(30):
        terms.say("pair", terms.mixed("both", [terms.point("end"), terms.point("end")]))
    with pytest.raises(NoSymmetry, match="too long"):
        AutomorphismSearch(terms, left=50).levels()
