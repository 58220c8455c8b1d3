"""Conditions on looked-up values, as sets: they hold for the same elements, on random tables."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamedsl.compiler.transform.fitting_numbers import drop_fitting
from gamedsl.compiler.transform.lift_conditions import lift_condition
from gamedsl.compiler.transform.lift_plans import lift_quantifiers
from gamedsl.compiler.transform.lookups_by_value import numbered
from gamedsl.language.boards.domains import Domain
from gamedsl.language.core.constant_folding import can_fail, evaluate
from gamedsl.language.core.nodes import (
    BinOp,
    BoolT,
    Const,
    Convert,
    ElemT,
    Expr,
    IntT,
    Load,
    Local,
    Lookup,
    Loop,
    Op2,
    SetT,
    TableData,
)
from gamedsl.language.core.traverse import free_locals, walk

CELL, DIE = Domain("cell", tuple("abcdefghijkl")), Domain("1..6", tuple("123456"))
CELLS, DICE, BOOL = SetT(CELL), SetT(DIE), BoolT()
P, Q = Local(1, "p", ElemT(CELL)), Local(2, "q", ElemT(CELL))
NUMBER, THROWN = Local(3, "n", IntT(-9, 30)), Local(4, "thrown", DICE)
SEEDS = st.integers(0, 10_000).map(Random)


def way(rng: Random, low: int, high: int) -> TableData:
    return TableData("way", (CELL, CELL), IntT(low, high), tuple(rng.randint(low, high) for _ in range(144)))


def holds_for(e: Expr, known: dict[int, int]) -> int:
    return sum(1 << x for x in range(CELL.size) if evaluate(e, {**known, P.id: x}))


@given(SEEDS, st.sampled_from([(-5, 5), (3, 8), (0, 200)]), st.sampled_from(["eq", "ne"]), st.booleans())
@settings(max_examples=60, deadline=None)
def test_the_elements_with_a_number(rng: Random, bounds: tuple[int, int], op: BinOp, turned: bool) -> None:
    """Also for numbers below and above all that the table has."""
    there = Lookup(way(rng, *bounds), (Load(P), Load(Q)) if turned else (Load(Q), Load(P)))
    condition = Op2(op, there, Load(NUMBER), BOOL)
    found = lift_condition(P, condition)
    assert found is not None and not can_fail(found) and P.id not in free_locals(found)
    for n in (-9, -1, 0, 4, 8, 30):
        known = {Q.id: rng.randrange(12), NUMBER.id: n}
        assert evaluate(found, known) == holds_for(condition, known)


@given(SEEDS)
@settings(max_examples=40, deadline=None)
def test_the_elements_with_a_value_in_a_set(rng: Random) -> None:
    table = TableData("way", (CELL, CELL), ElemT(DIE), tuple(rng.randrange(6) for _ in range(144)))
    condition = Op2("in", Lookup(table, (Load(Q), Load(P))), Load(THROWN), BOOL)
    found = lift_condition(P, condition)
    assert found is not None
    for _ in range(5):
        known = {Q.id: rng.randrange(12), THROWN.id: rng.getrandbits(6)}
        assert evaluate(found, known) == holds_for(condition, known)


@given(SEEDS)
@settings(max_examples=40, deadline=None)
def test_numbers_that_fit_in_the_set_are_not_checked(rng: Random) -> None:
    """1 to 6 wherever the other table says so, as in `bind to in ahead(from), test (way(from, to) as 1..6) in thrown`."""
    table = way(rng, -8, 8)
    rows = tuple(sum(1 << x for x in range(12) if 0 <= table.values[12 * q + x] < 6) for q in range(12))
    ahead = Lookup(TableData("ahead", (CELL,), CELLS, rows), (Load(Q),))
    asked = Op2("in", Convert(Lookup(table, (Load(Q), Load(P))), ElemT(DIE)), Load(THROWN), BOOL)
    found = drop_fitting(P, ahead, asked)
    assert can_fail(asked) and not can_fail(found)
    for q in range(12):
        known = {Q.id: q, THROWN.id: rng.getrandbits(6)}
        members = [x for x in range(12) if rows[q] >> x & 1]
        assert all(evaluate(found, {**known, P.id: x}) == evaluate(asked, {**known, P.id: x}) for x in members)


def test_numbers_that_do_not_fit_everywhere_are_checked() -> None:
    table = way(Random(1), -8, 8)
    one_too_many = Lookup(TableData("ahead", (CELL,), CELLS, (CELL.full,) * 12), (Load(Q),))
    asked = Op2("in", Convert(Lookup(table, (Load(Q), Load(P))), ElemT(DIE)), Load(THROWN), BOOL)
    assert drop_fitting(P, one_too_many, asked) == asked
    assert drop_fitting(P, Const(CELL.full, CELLS), asked) == asked


def test_a_quantifier_goes_through_the_elements_with_the_number() -> None:
    """`some p: way(q, p) = n and p in S` asks S about these alone."""
    table, mine = way(Random(2), 0, 9), Local(5, "mine", CELLS)
    first = Op2("eq", Lookup(table, (Load(Q), Load(P))), Load(NUMBER), BOOL)
    asked = Loop(
        "some", P, Const(CELL.full, CELLS), None, Op2("and", first, Op2("in", Load(P), Load(mine), BOOL), BOOL), BOOL
    )
    found = lift_quantifiers(asked)
    assert not any(isinstance(x, Loop) and isinstance(x.over, Const) for x in walk(found))
    rng = Random(3)
    for n in range(-9, 31):
        known = {Q.id: rng.randrange(12), NUMBER.id: n, mine.id: rng.getrandbits(12)}
        assert evaluate(found, known) == evaluate(asked, known)


@pytest.mark.parametrize("keys", [(Load(P),), (Load(P), Load(P))])
def test_other_look_ups_are_left(keys: tuple[Load, ...]) -> None:
    table = TableData("way", (CELL,) * len(keys), IntT(0, 9), (0,) * 12 ** len(keys))
    assert numbered(Lookup(table, keys), P, Load(NUMBER)) is None
