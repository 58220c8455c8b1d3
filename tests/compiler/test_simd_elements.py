"""Conditions evaluated for all elements at once by SIMD code: the same values as the evaluator computes one by one."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import CFUNCTYPE, c_uint64
from math import prod
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llvmlite import ir

import gamedsl
from gamedsl.compiler.compile import machine
from gamedsl.compiler.compile.lowerings import new_unit
from gamedsl.compiler.emit.llvm_module import I64, Fn, Unit, bind, gather, spread, words
from gamedsl.compiler.emit.memory_layout import Frame
from gamedsl.compiler.emit.sets.simd_elements import simd_elements
from gamedsl.language.boards.domains import Domain
from gamedsl.language.core.constant_folding import evaluate
from gamedsl.language.core.core_printer import Names
from gamedsl.language.core.nodes import (
    BoolT,
    Cond,
    Const,
    ElemT,
    Expr,
    IntT,
    LetE,
    Load,
    Local,
    Lookup,
    Loop,
    Op1,
    Op2,
    Program,
    SetT,
    TableData,
)
from gamedsl.language.core.print_expressions import expression_text

from .conditions import SET, A, B, P, conditions
from .test_passes import GOLDENS, Golden, board

BOOL, SETS = BoolT(), st.integers(0, 511)


@pytest.fixture(scope="module")
def program() -> Program:
    return gamedsl.load("tic-tac-toe").program


def probes(program: Program, loops: Sequence[Loop], given: Sequence[Local]) -> tuple[Unit, dict[str, Loop]]:
    """A function ``probe.N(ctx, s, words of the sets)`` for each loop that is of the kind."""
    unit, found = new_unit(program, Frame(program)), {}
    unit.has_lanes = True
    types = [x.type for x in given]
    for number, e in enumerate(loops):

        def write(f: Fn, values: Sequence[ir.Value], e: Loop = e, number: int = number) -> None:
            for local, value in zip(given, gather(unit, types, values), strict=True):
                bind(f, local, value)
            value = simd_elements(f, e)
            if value is None:
                f.builder.ret(ir.Constant(I64, 0))
                return
            found[f"probe{number}"] = e
            value = spread(value)[0]
            f.builder.ret(f.builder.zext(value, I64) if value.type != I64 else value)

        flat = [t for x in types for t in unit.type_of(x)]
        unit.function(("probe", number), f"probe{number}", I64, flat, write, public=True)
    unit.write_all()
    return unit, found


def compared(program: Program, loops: Sequence[Loop], given: Sequence[Local], states: Sequence[Sequence[int]]) -> int:
    """Holds every loop of the kind against the evaluator; how many there were."""
    unit, found = probes(program, loops, given)
    code = machine.Code(machine.object_code(str(unit.module)), list(found))
    sizes = [words(x.type) for x in given]
    for name, e in found.items():
        call = CFUNCTYPE(c_uint64, *[c_uint64] * (2 + sum(sizes)))(code.addresses[name])
        for state in states:
            wanted = evaluate(e, {local.id: value for local, value in zip(given, state, strict=True)})
            flat = [x >> 64 * i & (1 << 64) - 1 for x, size in zip(state, sizes, strict=True) for i in range(size)]
            assert call(0, 0, *flat) == int(wanted), (expression_text(Names(program), e), state)
    return len(found)


# ------------------------------------------------------------------------------------------------------- the text


def test_lines_of_a_changing_set(golden: Golden, program: Program) -> None:
    """``filter p: some line in L lies within A or near p``."""
    cells, near, lines = board(program)
    p, a, all_of = Local(1, "p", ElemT(cells.domain)), Local(2, "A", cells), Local(3, "L", cells)
    e = Loop(
        "filter", p, Const(511, cells), None, _line(Load(all_of), _wider(a, Lookup(near, (Load(p),))), lines), cells
    )
    golden(GOLDENS / "simd-elements.ll", str(probes(program, [e], [a, all_of])[0].module.get_global("probe0")))


def _wider(a: Local, more: Expr) -> Op2:
    return Op2("union", Load(a), more, a.type)


def _line(lines: Expr, inside: Expr, table: TableData) -> Expr:
    """Some line in ``lines`` lies within ``inside``, as the passes write it; ``table``: the cells of each line."""
    t, x = inside.type, Local(90, "x", ElemT(table.type.domain))  # type: ignore[union-attr]
    assert isinstance(t, SetT) and isinstance(lines.type, SetT)
    through = tuple(
        sum(1 << i for i, line in enumerate(table.values) if line >> c & 1) for c in range(t.domain.size)
    )  # fmt: skip
    back = TableData("lines of", (t.domain,), lines.type, through)
    outside = Loop("union", x, Op1("complement", inside, t), None, Lookup(back, (Load(x),)), lines.type)
    return Op1("not", Op2("disjoint", Op1("complement", outside, lines.type), lines, BOOL), BOOL)


# -------------------------------------------------------------------------------------------------------- the law


SIZES = [(5, 4), (9, 9), (25, 16), (25, 48), (32, 57), (40, 64), (64, 33), (64, 100)]


@pytest.mark.parametrize(("places", "number"), SIZES)
@pytest.mark.parametrize("kind", ["some", "every", "count", "filter"])
def test_the_same_as_one_by_one(program: Program, places: int, number: int, kind: str) -> None:
    """On boards of many sizes, with so many lines of a few shapes; some conditions do not ask about the element."""
    dice = Random(100 * places + number)
    cells = SetT(Domain("cell", tuple(f"c{i}" for i in range(places))))
    lines = SetT(Domain("line", tuple(f"l{i}" for i in range(number))))
    p, a, b, some = Local(1, "p", ElemT(cells.domain)), Local(2, "A", cells), Local(3, "B", cells), Local(4, "L", lines)
    shifted = [dice.choice([7, 21, 11, 1]) << dice.randrange(places) & cells.domain.full for _ in range(number)]
    cells_of = TableData("cells", (lines.domain,), cells, tuple(line or 1 for line in shifted))
    near = TableData("near", (cells.domain,), cells, tuple(dice.getrandbits(places) for _ in range(places)))
    around, one, q = Lookup(near, (Load(p),)), Op1("single", Load(p), cells), Local(5, "q", cells)
    chosen = Cond(Op2("in", Load(p), Load(a), BOOL), Load(q), Load(b), cells)
    bodies: list[Expr] = [
        _line(Load(some), _wider(a, Op2("meet", around, Load(b), cells)), cells_of),
        _line(Const(dice.getrandbits(number), lines), _wider(a, one), cells_of),
        Op2("in", Load(p), Op2("minus", around, Load(b), cells), BOOL),
        LetE(q, _wider(b, one), Op2("within", Load(q), chosen, BOOL)),
        Op2("eq", Load(p), Const(places - 1, p.type), BOOL),
        Op1("not", Op2("eq", around, Load(b), BOOL), BOOL),
    ]
    bodies += [Op2("and", x, Op2("disjoint", Load(a), Load(b), BOOL), BOOL) for x in bodies]
    t = cells if kind == "filter" else IntT(0, places) if kind == "count" else BOOL
    loops = [Loop(kind, p, Op1("complement", Load(b), cells), None, body, t) for body in bodies]  # type: ignore[arg-type]
    few = [dice.getrandbits(places) & dice.getrandbits(places) for _ in range(24)]
    states = [(few[i], few[i + 1], dice.getrandbits(number)) for i in range(0, 24, 2)]
    states += [(x, 0, lines.domain.full) for x in (0, cells.domain.full)]
    assert compared(program, loops, [a, b, some], states) == len(loops)


@pytest.mark.parametrize(("places", "rows"), [(5, 3), (12, 12), (33, 7), (64, 2)])
def test_rows_of_tables(program: Program, places: int, rows: int) -> None:
    """Tables of several keys, of which one is the element."""
    dice = Random(places)
    cells, kinds = (
        SetT(Domain("cell", tuple(f"c{i}" for i in range(places)))),
        SetT(Domain("kind", tuple(f"k{i}" for i in range(rows)))),
    )
    p, k, a = Local(1, "p", ElemT(cells.domain)), ElemT(kinds.domain), Local(3, "A", cells)
    bodies: list[Expr] = []
    for order in ([kinds, cells], [cells, kinds], [kinds, cells, kinds]):
        keys = tuple(Load(p) if t is cells else Const(dice.randrange(rows), k) for t in order)
        size = prod(t.domain.size for t in order)
        numbers = TableData(
            "numbers", tuple(t.domain for t in order), IntT(-3, 3), tuple(dice.randint(-3, 3) for _ in range(size))
        )
        sets = TableData(
            "sets", tuple(t.domain for t in order), cells, tuple(dice.getrandbits(places) for _ in range(size))
        )
        asked = TableData("asked", tuple(t.domain for t in order), BOOL, tuple(dice.randrange(2) for _ in range(size)))
        bodies += [
            Op2("eq", Lookup(numbers, keys), Const(-2, IntT(-2, -2)), BOOL),
            Op2("in", Load(p), Op2("minus", Lookup(sets, keys), Load(a), cells), BOOL),
            Lookup(asked, keys),
        ]
    loops = [Loop("filter", p, Load(a), None, body, cells) for body in bodies]
    states = [(dice.getrandbits(places),) for i in range(12)]
    assert compared(program, loops, [a], states) == len(loops)


@given(st.lists(conditions(), min_size=8, max_size=8), st.lists(st.tuples(SETS, SETS), min_size=6, max_size=6))
@settings(max_examples=12, deadline=None)
def test_conditions_of_any_form(asked: list[Expr], states: list[tuple[int, int]]) -> None:
    """What is of another kind is left alone; what is not says what the evaluator says."""
    program = gamedsl.load("tic-tac-toe").program
    compared(program, [Loop("filter", P, Load(B), None, e, SET) for e in asked], [A, B], states)


def test_what_can_fail_or_is_large_is_left_alone(program: Program) -> None:
    """Also where the machine has no vectors."""
    large = SetT(Domain("cell", tuple(f"c{i}" for i in range(65))))
    p, a = Local(1, "p", ElemT(large.domain)), Local(2, "A", large)
    fails = Op2("eq", Load(P), Op1("first", Load(A), P.type), BOOL)
    for e, local in (
        (Loop("filter", p, Load(a), None, Op2("in", Load(p), Load(a), BOOL), large), a),
        (Loop("filter", P, Load(A), None, fails, SET), A),
    ):
        assert not probes(program, [e], [local])[1]
    unit = new_unit(program, Frame(program))
    e = Loop("filter", P, Load(A), None, Op2("in", Load(P), Load(A), BOOL), SET)

    def write(f: Fn, values: Sequence[ir.Value]) -> None:
        bind(f, A, (values[0],))
        assert simd_elements(f, e) is None
        f.builder.ret(values[0])

    unit.function("probe", "probe", I64, [I64], write)
    unit.write_all()
    assert probes(program, [e], [A])[1]
