"""Sums, filters and updates of whole maps by SIMD code: the states and errors of the reference engine."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import gamedsl
from gamedsl.compiler.compile.compiler import ProgramForms, Wanted, write
from gamedsl.compiler.emit import statement_code
from gamedsl.compiler.emit.llvm_module import Fn
from gamedsl.compiler.emit.sets.simd_puts import simd_puts
from gamedsl.compiler.transform.narrow_loops import narrow_loops, whole_loops
from gamedsl.engine import InterpretedGame
from gamedsl.language.core.nodes import ForS, Program

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


def test_a_loop_calls_a_function_that_reads_what_it_changes(tmp_path: Path) -> None:
    """Each round changes what the function gives to the next."""
    game = InterpretedGame(program_of(tmp_path, GROWING))
    agree(game, 0, 3)


GROWING = """game "Growing"
players A, B
board grid 4 by 4
state
  n: cell -> 0..200 = 3
define total = (sum of n[c] * (n[c] + 1) * (n[c] + 2) for c in cell) + (sum of n[c] * (n[c] + 5) * (n[c] + 7) for c in cell)
move change(k: 0..5)
  for c in cell
    set n[c] to (n[c] + total + k) mod 201
play
  repeat 3 times
    A plays change
    B plays change
  draw
"""

SOWING = """game "Sowing"
players A, B
board grid {width} by {height}
piece seed{owned}{supply}, stacking
state
  m: cell -> 0..3
  limit: 0..6 = {limit}
move sow(k: 0..5)
  for c in {over}
    repeat {times} times
      put seed{mine} on c
  for c in cell
    set m[c] to (m[c] + k) mod 4
move take(c: cell)
  when c in seed{mine}
  remove {all}seed{mine} from c
play
  repeat 12 times
    A plays sow | take
    B plays sow | take
  draw
"""


def sowing(rng: Random) -> str:
    """Pieces are put on many stacks at once; some rounds have too few of them, or make a stack too high."""
    owned = rng.random() < 0.4
    width, height = rng.choice([(6, 2), (4, 4), (5, 5), (7, 9)])
    most = rng.choice([2, 3, 5])
    times = [
        f"(m[c] + k + column(c)) mod {most}", f"(m[c] * k + row(c)) div {most}", "(if k > limit then 0 else m[c])",
        f"(m[c] + column(c) + limit) mod {most}", f"min(m[c] + k, {most})",
        f"(count(seed{'[me]' if owned else ''}) + m[c]) mod {most}", f"(if c in seed{'[me]' if owned else ''} then 0 else k mod {most})",
    ]  # fmt: skip
    return SOWING.format(
        width=width, height=height, owned=" of player" if owned else "", mine="[me]" if owned else "", limit=rng.randrange(6),
        supply=rng.choice(["", f", {rng.choice([20, 60, 200, 900])} {'each' if owned else 'in supply'}"]), times=rng.choice(times),
        over=rng.choice(["cell", "cell", "{c in cell: row(c) != 1 or column(c) != 1}"]), all=rng.choice(["", "all "]),
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(8))
def test_random_pieces_on_stacks(seed: int, tmp_path: Path) -> None:
    one_of_stacks(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 160))
def test_more_random_pieces_on_stacks(seed: int, tmp_path: Path) -> None:
    one_of_stacks(seed, tmp_path)


def test_stacks_grow_by_vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the law above would say little."""
    asked = []

    def watched(f: Fn, s: ForS) -> object:
        asked.append(simd_puts(f, s))
        return asked[-1]

    monkeypatch.setattr(statement_code, "simd_puts", watched)
    for seed in range(4):
        write(ProgramForms(program_of(tmp_path, sowing(Random(seed)))), Wanted("rules"))
    assert sum(found is not None for found in asked) >= 2


def one_of_stacks(seed: int, folder: Path) -> None:
    game = InterpretedGame(program_of(folder, sowing(Random(seed))))
    native = compiled(game)
    for play in range(5):
        agree(game, play, 30, native)


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
