"""Sums, filters and updates of whole maps by SIMD code: the states and errors of the reference engine."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import gamedsl
from gamedsl.compiler.compile.compiler import ProgramForms, Wanted, write
from gamedsl.compiler.transform.narrow_loops import narrow_loops, whole_loops
from gamedsl.engine import InterpretedGame
from gamedsl.language.core.nodes import Program

from .agree import agree, compiled

TEXT = """game "Numbers"
players A, B
board grid {width} by {height}
state
  n: cell -> {low}..{high} = {start}
  m: player -> cell -> 0..300
  marked: set of cell
  total: -1000000..1000000
move change(k: 0..5)
  for c in {over}
    set n[c] to {new}
  set marked to {{c in cell: {condition}}}
  set total to sum of {added} for c in {among}
move other(k: 0..5)
  for c in cell
    set m[me, c] to (m[me, c] + k * column(c)) mod 301
  for c in cell
    if k > column(c) and c in marked
      set m[rival, c] to k
play
  repeat 12 times
    A plays change | other
    B plays change | other
  draw
"""


def term(rng: Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(["n[c]", "n[c]", "m[me, c]", "k", "row(c)", "column(c)", str(rng.randint(0, 9))])
    a, b = term(rng, depth - 1), term(rng, depth - 1)
    match rng.randrange(7):
        case 0 | 1:
            return f"({a} + {b})"
        case 2:
            return f"({a} - {b})"
        case 3:
            return f"(({a} * {b}) mod {rng.randint(2, 90)})"
        case 4:
            return f"({a} div {rng.randint(1, 13)})"
        case 5:
            return f"(if {a} < {b} then {a} else {b})"
        case _:
            return f"(if c in marked then {a} else {b})"


def text(rng: Random) -> str:
    low, high = rng.choice([(0, 20), (-5, 40), (0, 48), (-200, 200), (0, 1000)])
    new = f"n[c] + {term(rng, 1)}" if rng.random() < 0.4 else f"({term(rng, 2)}) mod {high + 1}"
    width, height = rng.choice([(2, 3), (6, 2), (4, 4), (5, 5), (7, 9)])
    return TEXT.format(
        width=width, height=height, low=low, high=high, start=rng.randint(max(low, 0), min(high, 9)), new=new,
        over=rng.choice(["cell", "cell", "{c in cell: row(c) != 1 or column(c) != 1}"]),
        condition=f"{term(rng, 1)} < {term(rng, 1)}", added=term(rng, 2), among=rng.choice(["cell", "marked"]),
    )  # fmt: skip


def program_of(folder: Path, source: str) -> Program:
    path = folder / "numbers.gdl"
    path.write_text(source)
    return gamedsl.load(path).program


@pytest.mark.parametrize("seed", range(8))
def test_random_maps_of_numbers(seed: int, tmp_path: Path) -> None:
    one_of_them(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 160))
def test_more_random_maps_of_numbers(seed: int, tmp_path: Path) -> None:
    one_of_them(seed, tmp_path)


def one_of_them(seed: int, folder: Path) -> None:
    program = program_of(folder, text(Random(seed)))
    game = InterpretedGame(program)
    native = compiled(game)
    for play in range(5):
        agree(game, play, 30, native)


def test_vectors_are_used(tmp_path: Path) -> None:
    """Else the law above would say little."""
    found = 0
    for seed in range(8):
        program = program_of(tmp_path, text(Random(seed)))
        found += "vector.reduce.add" in write(ProgramForms(program), Wanted("quick")).ir
    assert found >= 4


def test_a_loop_whose_condition_reads_what_it_changes_stays(tmp_path: Path) -> None:
    """Each round may decide about the next."""
    program = program_of(tmp_path, FALLING)
    narrow = narrow_loops(program)
    assert whole_loops(narrow) == whole_loops(program) - 1
    game = InterpretedGame(program)
    agree(game, 1, 30)


FALLING = """game "Falling"
players A, B
board grid 4 by 1
state
  n: cell -> 0..20 = 3
  at: 0..20 = 2
move change(k: 1..4)
  for c in cell
    if n[c] > 1 and column(c) != at
      for d in cell
        if column(d) = column(c) + 1
          set n[d] to 0
  set at to k
play
  repeat 12 times
    A plays change
    B plays change
  draw
"""
