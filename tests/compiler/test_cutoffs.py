"""Rulesets whose code would grow beyond all bounds: the budgets of the compiler stop it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from gamedsl.compiler import cutoffs
from gamedsl.compiler.compile.compiler import MODULES, ProgramForms, Wanted, write
from gamedsl.compiler.emit.sets.simd_elements import SimdElements
from gamedsl.compiler.transform.inline import Inliner
from gamedsl.compiler.transform.pipeline import why_not_specialized
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import load_program

LEVELS = 24  # of definitions, each of which calls the one before twice: 2 ^ 24 nodes, if all were put in place

HEAD = """players X, O

board grid {size} by {size}

piece mark of player

move place(c: cell) written "{{c}}"
  when c in empty "taken"
  put mark[me] on c
"""
PLAY = """
play
  turns from X
    me plays place
    if {condition}
      win me "it holds"
    if empty = {{}}
      draw "full"
"""


def doubling(levels: int) -> str:
    lines = ["define d0(a: cell, b: cell) = a in mark[X] or b in mark[O]"]
    lines += [f"define d{i}(a: cell, b: cell) = d{i - 1}(a, b) and not d{i - 1}(b, a)" for i in range(1, levels + 1)]
    condition = f"some c in cell: some e in neighbors(c): d{levels}(c, e)"
    return HEAD.format(size=3) + "\n".join(lines) + "\n" + PLAY.format(condition=condition)


def many_lines(size: int, length: int) -> str:
    condition = f"some l in lines({length}): l within mark[me]"
    return HEAD.format(size=size) + PLAY.format(condition=condition)


def loaded(tmp_path: Path, text: str) -> n.Program:
    path = tmp_path / "x.gdl"
    path.write_text(text)
    return load_program(path, {})


def lines_of(program: n.Program) -> int:
    forms = ProgramForms(program)
    return max(write(forms, Wanted(module)).ir.count("\n") for module in MODULES)


def test_definitions_that_double(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four more levels are 16 times the nodes, but only a few more functions. Playouts call these: putting them in place
    is given up early."""
    visited = {Inliner: 0, SimdElements: 0}
    analyses: Counter[SimdElements] = Counter()
    inlined, counted = Inliner._expr, SimdElements.count_node

    def inline(self: Inliner, *rest: object) -> n.Expr:
        visited[Inliner] += 1
        return inlined(self, *rest)  # type: ignore[arg-type]

    def count(self: SimdElements) -> None:
        visited[SimdElements] += 1
        analyses[self] += 1
        counted(self)

    monkeypatch.setattr(Inliner, "_expr", inline)
    monkeypatch.setattr(SimdElements, "count_node", count)
    fewer, more = (loaded(tmp_path, doubling(levels)) for levels in (LEVELS - 4, LEVELS))
    assert why_not_specialized(more) is None  # with calls of the functions
    assert visited[Inliner] <= 2 * cutoffs.EXPRESSION_NODES
    lines, nodes = [], []
    for program in (loaded(tmp_path, doubling(0)), fewer, more):
        visited[SimdElements] = 0
        lines.append(lines_of(program))
        nodes.append(visited[SimdElements])
    assert lines[2] < 1.2 * lines[1] < 1.2 * 1.25 * lines[0]
    assert 0 < nodes[2] < 1.2 * nodes[1]
    assert max(analyses.values()) <= cutoffs.COPIED_NODES + 1


def test_a_board_with_many_lines(tmp_path: Path) -> None:
    """The largest board: 1,024 cells, with 2 * 32 * 28 lines of five along rows and columns and 2 * 28 * 28 along
    diagonals. Looking up a line takes an instruction for each of 16 words; written one by one, 3,360 lines take more
    than 53,760. Budgets leave less than a quarter of that."""
    program = loaded(tmp_path, many_lines(32, 5))
    assert lines_of(program) < 16 * (2 * 32 * 28 + 2 * 28 * 28) / 4
