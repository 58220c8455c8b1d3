"""Passes keep the meaning: expressions before and after have the same values, on random sets and on states of random plays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gamedsl
from gamedsl.compiler.analysis.constant_tables import tabulate
from gamedsl.compiler.analysis.pass_statistics import expressions
from gamedsl.compiler.analysis.pointwise import same_set
from gamedsl.compiler.analysis.set_bounds import bounded_rows, factors
from gamedsl.compiler.transform.early_tests import early_plan
from gamedsl.compiler.transform.few_elements import unroll_looked_up
from gamedsl.compiler.transform.guarded_lookups import unwrap_guarded
from gamedsl.compiler.transform.hoist_conditions import hoist_conditions
from gamedsl.compiler.transform.hop_masks import hop_masks
from gamedsl.compiler.transform.lift_conditions import lift_condition
from gamedsl.compiler.transform.lift_plans import lift_filters, lift_plan, lift_quantifiers
from gamedsl.compiler.transform.parameter_order import in_order
from gamedsl.compiler.transform.pass_report import steps
from gamedsl.compiler.transform.ray_floods import flood_rays
from gamedsl.compiler.transform.shifted_conditions import shift_condition, shift_quantifiers
from gamedsl.compiler.transform.visibility import prune_rays
from gamedsl.engine.errors import RulesError
from gamedsl.engine.state import State
from gamedsl.engine.stop import evaluate_at
from gamedsl.language.boards.domains import Domain
from gamedsl.language.core.constant_folding import RangeProblem, can_fail, evaluate, limits
from gamedsl.language.core.nodes import (
    Bind,
    BoolT,
    CallF,
    Cond,
    Const,
    Convert,
    CoreParam,
    ElemT,
    Expr,
    IntT,
    Load,
    Local,
    Lookup,
    Loop,
    Op1,
    Op2,
    OptT,
    Schema,
    SetT,
    TableData,
)
from gamedsl.language.core.nodes import Test as Asked
from gamedsl.language.core.traverse import free_locals, walk
from gamedsl.language.rules.files import shipped
from tests.shipped_sample import small

from .conditions import BOOL, ELEM, FLAG, NEXT, PAIR, SET, TABLES, A, B, D, P, conditions, sets

VALUES = st.tuples(st.integers(0, 511), st.integers(0, 511))
FAILED = object()
X = Local(4, "x", ELEM)
FORM = Op1("not", Op2("in", Load(X), Load(B), BOOL), BOOL)


Z = Local(6, "z", ELEM)
NUMBERS = tuple(TableData(f"n{k}", (D,), IntT(0, 9), tuple(x * k % 10 for x in range(9))) for k in (1, 3, 7))


def value(e: Expr, known: dict[int, int]) -> object:
    try:
        return evaluate(e, known)
    except RangeProblem:
        return FAILED


# ------------------------------------------------------------------------------------------------- random conditions


@given(conditions(), st.lists(VALUES, min_size=3, max_size=3))
@settings(max_examples=400, deadline=None)
def test_the_lifted_set_is_what_the_condition_filters(e: Expr, states: list[tuple[int, int]]) -> None:
    assert not can_fail(e)
    found = lift_condition(P, e)
    if found is None:
        return
    assert found.type == SET and P.id not in free_locals(found)
    for a, b in states:
        known = {A.id: a, B.id: b}
        wanted = sum(1 << x for x in range(D.size) if evaluate(e, {**known, P.id: x}))
        assert evaluate(found, known) == wanted


@given(conditions(), st.integers(0, 511), st.lists(VALUES, min_size=3, max_size=3))
@settings(max_examples=400, deadline=None)
def test_the_shifted_set_is_what_the_condition_filters(e: Expr, within: int, states: list[tuple[int, int]]) -> None:
    for bounds in (within, 511):
        found = shift_condition(P, e, bounds)
        if found is None:
            continue
        assert found.type == SET and P.id not in free_locals(found)
        for a, b in states:
            known = {A.id: a, B.id: b}
            wanted = sum(1 << x for x in bits(bounds) if evaluate(e, {**known, P.id: x}))
            assert evaluate(found, known) & bounds == wanted


@given(sets((P,), 3), VALUES)
@settings(max_examples=300, deadline=None)
def test_no_set_leaves_its_bounds(s: Expr, state: tuple[int, int]) -> None:
    rows = bounded_rows(P, s)
    assert rows is not None or can_fail(s)
    for x, row in enumerate(rows or ()):
        assert evaluate(s, {A.id: state[0], B.id: state[1], P.id: x}) & ~row == 0


def test_conditions_of_many_forms_are_shifted() -> None:
    """Else the laws above would say nothing."""
    near, steps_ = Lookup(TABLES[0], (Load(P),)), Lookup(TABLES[0], (Load(X),))
    behind = Op2("meet", steps_, Op1("complement", Load(B), SET), SET)
    reached = Loop("union", X, Op2("meet", near, Load(A), SET), None, behind, SET)
    forms = [
        Op2("in", Load(P), Load(A), BOOL),
        Op2("disjoint", near, Load(A), BOOL),
        Op2("within", near, Load(B), BOOL),
        Op2("ne", reached, Const(0, SET), BOOL),
        Op2("within", near, reached, BOOL),
        Loop("some", X, near, None, Op2("disjoint", steps_, Load(A), BOOL), BOOL),
        Loop("every", X, Cond(Op2("in", Load(P), Load(A), BOOL), near, Const(0, SET), SET), None, FORM, BOOL),
        Op2("ne", Loop("filter", X, near, None, FORM, SET), Const(0, SET), BOOL),
    ]
    assert [e for e in forms if shift_condition(P, e) is None] == []
    asked = Loop("every", P, Load(A), None, Op2("eq", reached, Const(0, SET), BOOL), BOOL)
    assert not any(isinstance(x, Loop) and x.kind == "every" for x in walk(shift_quantifiers(asked)))


def test_conditions_of_many_forms_are_lifted() -> None:
    """Else the law above would say nothing."""
    forms = [
        Op2("in", Load(P), Load(A), BOOL),
        Op2("disjoint", Lookup(TABLES[0], (Load(P),)), Load(A), BOOL),
        Op2("within", Lookup(TABLES[3], (Load(P),)), Load(B), BOOL),
        Op1("is_empty", Op2("meet", Lookup(TABLES[1], (Load(P),)), Load(A), SET), BOOL),
        Op2("or", Op2("in", Load(P), Load(A), BOOL), Op2("eq", Load(A), Const(0, SET), BOOL), BOOL),
        Loop("some", X, Load(A), None, Op2("in", Load(P), Lookup(TABLES[0], (Load(X),)), BOOL), BOOL),
        Loop("every", X, Load(A), None, Op2("ne", Load(P), Load(X), BOOL), BOOL),
    ]
    assert all(lift_condition(P, e) is not None for e in forms)


@given(conditions(), VALUES, st.integers(0, 8))
@settings(max_examples=300, deadline=None)
def test_rewritten_conditions_have_the_same_value(e: Expr, state: tuple[int, int], p: int) -> None:
    known = {A.id: state[0], B.id: state[1], P.id: p}
    for rewrite in (
        tabulate,
        lift_quantifiers,
        shift_quantifiers,
        flood_rays,
        lambda x: tabulate(flood_rays(lift_quantifiers(tabulate(x)))),
        lambda x: unroll_looked_up(tabulate(x), (), 1000),
    ):
        assert value(rewrite(e), known) == value(e, known)


@st.composite
def guarded_loops(draw: st.DrawFn) -> Expr:
    """Two nested loops over sets, whose body stands under conditions on their names, as comprehensions do."""
    y = Local(5, "y", ELEM)
    value_, other = (draw(sets((P, X, y), 1)) for _ in range(2))
    for _ in range(draw(st.integers(1, 3))):
        value_ = Cond(draw(conditions((P, X, y), 1)), value_, Const(0, SET), SET)
    shared = draw(conditions((P, X), 1))
    parts = [
        Cond(Op2("and", shared, draw(conditions((P, y), 1)), BOOL), s, Const(0, SET), SET) for s in (value_, other)
    ]
    body = draw(st.sampled_from([value_, Op2("meet", value_, other, SET), Op2("union", *parts, SET)]))
    inner = Loop("union", y, draw(sets((P, X), 1)), draw(st.none() | conditions((P, y), 1)), body, SET)
    if draw(st.booleans()):
        kind = draw(st.sampled_from(["some", "every"]))
        asked = Op2(draw(st.sampled_from(["and", "or"])), draw(conditions((P, X, y), 1)), shared, BOOL)
        quantified = Loop(kind, y, draw(sets((P, X), 1)), None, asked, BOOL)
        inner = Cond(quantified, inner, Const(0, SET), SET)
    return Loop("union", X, draw(sets((P,), 1)), None, inner, SET)


@given(guarded_loops(), VALUES, st.integers(0, 8))
@settings(max_examples=100, deadline=None)
def test_conditions_asked_before_a_loop(e: Expr, state: tuple[int, int], p: int) -> None:
    known = {A.id: state[0], B.id: state[1], P.id: p}
    assert value(hoist_conditions(e), known) == value(e, known)


@given(sets((P,), 3), sets((P,), 3), st.lists(VALUES, min_size=4, max_size=4))
@settings(max_examples=300, deadline=None)
def test_sets_called_the_same_are(x: Expr, y: Expr, states: list[tuple[int, int]]) -> None:
    pairs = [(x, y), (x, Op1("complement", Op1("complement", x, SET), SET)), (Op2("minus", x, y, SET), x)]
    for left, right in pairs:
        if same_set(left, right):
            for a, b in states:
                for p in range(D.size):
                    known = {A.id: a, B.id: b, P.id: p}
                    assert evaluate(left, known) == evaluate(right, known)


# ------------------------------------------------------------------------------------------------------------- rays


def between(width: int, height: int) -> TableData:
    """What lies strictly between two squares of a row, column or diagonal."""
    n = width * height
    domain = Domain("square", tuple(f"s{i}" for i in range(n)))
    values = []
    for c in range(n):
        for d in range(n):
            (x, y), (u, v) = (c % width, c // width), (d % width, d // width)
            steps_ = max(abs(u - x), abs(v - y))
            straight = c != d and (u == x or v == y or abs(u - x) == abs(v - y))
            sx, sy = (u > x) - (u < x), (v > y) - (v < y)
            cells = [(x + i * sx) + (y + i * sy) * width for i in range(1, steps_)] if straight else []
            values.append(sum(1 << cell for cell in cells))
    return TableData("between", (domain, domain), SetT(domain), tuple(values))


@given(st.sampled_from([(4, 4), (5, 3), (6, 1), (3, 6)]), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_walks_along_rays(shape: tuple[int, int], rng: Random) -> None:
    table = between(*shape)
    domain = table.keys[0]
    elem, s = ElemT(domain), SetT(domain)
    p, d, a, b = Local(1, "p", elem), Local(2, "d", elem), Local(3, "a", s), Local(4, "b", s)
    line = Lookup(table, (Load(p), Load(d)))
    inside = Op2("within", line, Load(b), BoolT())
    filled = Op2("ne", line, Const(0, s), BoolT())
    condition = Loop("some", d, Load(a), None, Op2("and", inside, filled, BoolT()), BoolT())
    turned = Loop("union", d, Load(a), None, Cond(inside, line, Const(0, s), s), s)
    found, flooded = lift_condition(p, condition), flood_rays(turned)
    assert found is not None and flooded != turned
    for _ in range(5):
        known = {a.id: rng.getrandbits(domain.size), b.id: rng.getrandbits(domain.size)}
        wanted = sum(1 << x for x in range(domain.size) if evaluate(condition, {**known, p.id: x}))
        assert evaluate(found, known) == wanted
        for x in range(domain.size):
            assert evaluate(flooded, {**known, p.id: x}) == evaluate(turned, {**known, p.id: x})


@given(
    st.integers(0, 255),
    st.integers(0, (1 << 16) - 1) | st.integers(0, 15).map(lambda i: 1 << i),
    st.randoms(use_true_random=False),
)
@settings(max_examples=150, deadline=None)
def test_a_table_that_is_nearly_one_of_rays(entry: int, bits: int, rng: Random) -> None:
    """Another entry: seldom are there still rays that explain all; then what is made of them has the table's values."""
    table = between(4, 4)
    table = replace(table, values=(*table.values[:entry], bits, *table.values[entry + 1 :]))
    elem, s = ElemT(table.keys[0]), SetT(table.keys[0])
    p, d, a, b = Local(1, "p", elem), Local(2, "d", elem), Local(3, "a", s), Local(4, "b", s)
    line = Lookup(table, (Load(p), Load(d)))
    inside = Op2("within", line, Load(b), BoolT())
    turned = Loop("union", d, Load(a), None, Cond(inside, line, Const(0, s), s), s)
    flooded = flood_rays(turned)
    if flooded != turned:
        for _ in range(5):
            known = {a.id: rng.getrandbits(16) | 1 << entry % 16, b.id: rng.getrandbits(16) | bits, p.id: entry // 16}
            assert evaluate(flooded, known) == evaluate(turned, known)


@given(st.sampled_from([(4, 4), (5, 3), (6, 1), (3, 6), (9, 8)]), st.booleans(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_what_is_seen_along_rays(shape: tuple[int, int], first: bool, rng: Random) -> None:
    """With another set for some of the places, chosen by a relation: what the meets leave out may be left out."""
    table = between(*shape)
    domain = table.keys[0]
    elem, s = ElemT(domain), SetT(domain)
    p, here, a, b = Local(1, "p", elem), Local(2, "s", elem), Local(3, "a", s), Local(4, "b", s)
    rows = tuple(int(x // shape[0] == y // shape[0]) for x in range(domain.size) for y in range(domain.size))
    same = Lookup(TableData("same", (domain, domain), BoolT(), rows), (Load(here), Load(p)))
    line = Lookup(table, (Load(p), Load(here)) if first else (Load(here), Load(p)))
    condition = Op2("disjoint", line, Cond(same, Load(a), Load(b), s), BoolT())
    found = lift_condition(p, condition)
    assert found is not None
    for _ in range(5):
        known = {a.id: rng.getrandbits(domain.size) & rng.getrandbits(domain.size), b.id: rng.getrandbits(domain.size)}
        known[here.id] = rng.randrange(domain.size)
        wanted = sum(1 << x for x in range(domain.size) if evaluate(condition, {**known, p.id: x}))
        assert evaluate(found, known) == evaluate(prune_rays(found), known) == wanted


def test_directions_that_a_meet_leaves_out_are_gone() -> None:
    """Of the eight directions, a row has two and all else six."""
    table = between(5, 5)
    domain = table.keys[0]
    elem, s = ElemT(domain), SetT(domain)
    p, here, a = Local(1, "p", elem), Local(2, "s", elem), Local(3, "a", s)
    rows = TableData("row", (domain,), s, tuple(31 << x // 5 * 5 for x in range(25)))
    found = lift_condition(p, Op2("disjoint", Lookup(table, (Load(here), Load(p))), Load(a), BoolT()))
    assert found is not None and walks(found) == 8
    row = Lookup(rows, (Load(here),))
    assert walks(prune_rays(Op2("meet", row, found, s))) == 2 and walks(prune_rays(Op2("minus", found, row, s))) == 6


def walks(e: Expr) -> int:
    return sum(isinstance(x, Loop) for x in walk(e))


# ------------------------------------------------------------------------------------------------------------ masks


@cache
def template() -> Schema:
    return gamedsl.load("breakthrough-6x6").program.schemas[0]


def schema_with(over: Expr, step: Expr) -> Schema:
    a, b = P, Local(5, "b", ELEM)
    params = (CoreParam(a, over), CoreParam(b, step))
    return replace(template(), params=params, guards=(), plan=(Bind(0, over), Bind(1, step)))


PAIR_SCOPE = (P, Local(5, "b", ELEM))


@given(
    sets((X,), 2), sets((P,), 3), st.lists(conditions(PAIR_SCOPE, 2), max_size=3),
    st.sampled_from([*TABLES, None]), st.lists(VALUES, min_size=3, max_size=3),
)  # fmt: skip
@settings(max_examples=300, deadline=None)
def test_hops_are_exactly_the_moves(
    over: Expr, cut: Expr, tests: list[Expr], table: TableData | None, states: list[tuple[int, int]]
) -> None:
    a, b = PAIR_SCOPE
    step = cut if table is None else Op2("meet", Lookup(table, (Load(a),)), cut, SET)
    schema = schema_with(over, step)
    first = [t for t in tests if not {a.id, b.id} & free_locals(t).keys()]
    schema = replace(schema, plan=(*map(Asked, first), *schema.plan, *(Asked(t) for t in tests if t not in first)))
    found = hop_masks(schema)
    if found is None:
        return
    for x, y in states:
        known = {A.id: x, B.id: y, X.id: x % 9}
        pairs = [(p, q) for p in bits(evaluate(over, known)) for q in bits(evaluate(step, {**known, a.id: p}))]
        moves = [(p, q) for p, q in pairs if all(evaluate(t, {**known, a.id: p, b.id: q}) for t in tests)]
        drawn = [(p, p + m.by) for m in found for p in bits(evaluate(m.over, known))]
        assert sorted(drawn) == sorted(moves)


def test_hops_of_many_forms_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the law above says something; dear ones are left to rays."""
    monkeypatch.setattr("gamedsl.compiler.cutoffs.HOP_SHIFTS", 999)
    a, b = PAIR_SCOPE
    king, line = Lookup(TABLES[1], (Load(a),)), Lookup(PAIR, (Load(a), Load(b)))
    tests = [
        Op2("in", Load(b), Load(A), BOOL),
        Op2("or", Op2("in", Load(b), king, BOOL), Lookup(FLAG, (Load(a), Load(b))), BOOL),
        Op2("within", line, Load(B), BOOL),
        Op2("disjoint", line, Load(A), BOOL),
        Op1("not", Op2("in", Load(a), Load(B), BOOL), BOOL),
        Op2("in", Load(b), Cond(Op1("is_empty", Load(A), BOOL), king, Const(0, SET), SET), BOOL),
        Op2("disjoint", Lookup(TABLES[0], (Load(b),)), Load(A), BOOL),
    ]
    for one in tests:
        schema = schema_with(Load(A), Const(511, SET))
        assert hop_masks(replace(schema, plan=(*schema.plan, Asked(one)))) is not None, one


def bits(value: int) -> Iterator[int]:
    return (i for i in range(value.bit_length()) if value >> i & 1)


# ------------------------------------------------------------------------------------------------ shipped rulesets

QUICK = ["tic-tac-toe", "reversi", "breakthrough-6x6", "hex-swap", "clobber", "kalah", "domineering"]
OTHERS = sorted(set(shipped()) - set(QUICK))


@cache
def states_of(name: str, number: int = 6) -> tuple[State, ...]:
    """States of random plays, some early and some late."""
    game, rng, found = gamedsl.load(name, **small(name)), Random(9), list[State]()
    state = game.initial_state()
    for ply in range(10 * number):
        if state.is_terminal:
            state = game.initial_state()
        state = state.apply(state.propose(rng))
        if ply % 10 == rng.randrange(10):
            found.append(state)
    return (game.initial_state(), *found[:number])


def asked(state: State, e: Expr, known: dict[int, int]) -> object:
    try:
        return evaluate_at(state, e, known)
    except RulesError:
        return FAILED


def guess(rng: Random, local: Local) -> int:
    low, high = limits(local.type)
    return rng.randint(low, high)


# passes that rewrite every expression where it stands
IN_PLACE = ("constant tables", "lift quantifiers", "ray floods")


def calls(exprs: Iterable[Expr]) -> bool:
    """Is a function called, which only the program taken apart has?"""
    return any(isinstance(x, CallF) for e in exprs for x in walk(e))


def same_expressions(name: str) -> int:
    """Every pass that rewrites expressions, before and after; how many were different expressions."""
    program = gamedsl.load(name, **small(name)).program
    done = steps(program)
    rng, compared = Random(3), 0
    for before, after in pairwise(done):
        if after.name not in IN_PLACE:
            continue
        for x, y in zip(expressions(before.program), expressions(after.program), strict=True):
            if x == y or calls((x, y)):
                continue
            compared += 1
            names = free_locals(x) | free_locals(y)
            for state in states_of(name):
                known = {i: guess(rng, local) for i, local in names.items()}
                assert asked(state, x, known) == asked(state, y, known), (after.name, known)
    return compared


def moves_by(
    state: State, schema: Schema, step: int = 0, known: dict[int, int] | None = None
) -> Iterator[tuple[int, ...]]:
    """The moves along a schema's plan."""
    known = known or {}
    if step == len(schema.plan):
        yield tuple(known[p.local.id] for p in schema.params)
        return
    now = schema.plan[step]
    if not isinstance(now, Bind):
        if evaluate_at(state, now.condition, known):
            yield from moves_by(state, schema, step + 1, known)
        return
    local = schema.params[now.param].local
    low = limits(local.type)[0]
    for i in bits(evaluate_at(state, now.over, known)):
        yield from moves_by(state, schema, step + 1, {**known, local.id: i + low})


def plan_exprs(schema: Schema) -> list[Expr]:
    return [step.over if isinstance(step, Bind) else step.condition for step in schema.plan]


def same_moves(name: str) -> int:
    """Every plan before and after its conditions became sets; how many differ."""
    compared = 0
    done = {s.name: s.program for s in steps(gamedsl.load(name, **small(name)).program)}
    for schema in done["lift quantifiers"].schemas:
        new = replace(schema, plan=lift_plan(schema, schema.plan))
        if new.plan == schema.plan or calls(plan_exprs(schema)):
            continue
        compared += 1
        for state in states_of(name):
            assert list(moves_by(state, schema)) == list(moves_by(state, new)), schema.name
    for before, after in zip(done["lift quantifiers"].schemas, done["parameter order"].schemas, strict=True):
        if before.plan != after.plan and not calls(plan_exprs(before)):
            compared += 1
            for state in states_of(name):
                assert sorted(moves_by(state, before)) == sorted(moves_by(state, after)), before.name
    return compared


@given(sets((P, X), 3), VALUES, st.integers(0, 8), st.integers(0, 8))
@settings(max_examples=200, deadline=None)
def test_a_set_is_the_meet_of_its_factors(e: Expr, state: tuple[int, int], p: int, x: int) -> None:
    known, total = {A.id: state[0], B.id: state[1], P.id: p, X.id: x}, D.full
    for factor in factors(e):
        total &= evaluate(factor, known)
    assert total == evaluate(e, known)


@given(st.lists(conditions((P, X), 2), max_size=3), st.lists(VALUES, min_size=3, max_size=3))
@settings(max_examples=150, deadline=None)
def test_plans_in_any_order_have_the_same_moves(asked: list[Expr], states: list[tuple[int, int]]) -> None:
    params = (CoreParam(P, Const(D.full, SET)), CoreParam(X, Const(D.full, SET)))
    plan = (Bind(0, Const(D.full, SET)), Bind(1, Const(D.full, SET)), *(Asked(e) for e in asked))
    schema = replace(template(), params=params, guards=(), plan=plan)
    for order in ((0, 1), (1, 0)):
        new = replace(schema, plan=lift_plan(schema, in_order(schema, order)))
        for a, b in states:
            known = {A.id: a, B.id: b}
            assert sorted(by_values(schema, known)) == sorted(by_values(new, known))


@given(conditions((P, X), 2), VALUES, st.integers(0, 8))
@settings(max_examples=200, deadline=None)
def test_lifted_filters_have_the_same_value(e: Expr, state: tuple[int, int], p: int) -> None:
    asked, known = Loop("filter", X, Const(D.full, SET), None, e, SET), {A.id: state[0], B.id: state[1], P.id: p}
    assert evaluate(lift_filters(asked), known) == evaluate(asked, known)


@st.composite
def plan_conditions(draw: st.DrawFn) -> Expr:
    """A condition of one to three names: any, a sum of numbers that is bounded, or a number that may be out of range."""
    scope = draw(st.sampled_from([(P,), (X,), (P, X), (P, X, Z)]))
    which = draw(st.integers(0, 3))
    if which == 0:
        return draw(conditions(scope, 1))
    numbers = [Lookup(draw(st.sampled_from(NUMBERS)), (Load(x),)) for x in scope]
    total: Expr = numbers[0]
    for more in numbers[1:]:
        total = Op2("add", total, more, IntT(0, 30))
    if which == 1:
        kept = Op2("ne", numbers[0], Const(0, IntT(0, 9)), BOOL)
        fitting = Op2("le", Convert(numbers[0], IntT(1, 9)), Const(draw(st.integers(1, 9)), IntT(1, 9)), BOOL)
        return Op2("and", kept, fitting, BOOL) if draw(st.booleans()) else fitting
    high = Op1("count", Load(A), IntT(0, 9)) if draw(st.booleans()) else Const(draw(st.integers(0, 20)), IntT(0, 20))
    return Op2(draw(st.sampled_from(["le", "lt"])), total, high, BOOL)


@given(st.lists(plan_conditions(), max_size=4), st.integers(0, 511), VALUES)
@settings(max_examples=150, deadline=None)
def test_tests_made_earlier_leave_the_moves_in_their_order(
    asked: list[Expr], first: int, state: tuple[int, int]
) -> None:
    """Errors too: a plan ends in one if and only if the other does."""
    params = tuple(CoreParam(x, Const(D.full, SET)) for x in (P, X, Z))
    binds = [Bind(0, Const(first, SET)), Bind(1, Const(D.full, SET)), Bind(2, Const(7, SET))]
    schema = replace(template(), params=params, guards=(), plan=(*binds, *(Asked(e) for e in asked)))
    early = replace(schema, plan=early_plan(schema, schema.plan))
    found = []
    for s in (schema, early):
        try:
            found.append(by_values(s, {A.id: state[0], B.id: state[1]}))
        except RangeProblem:
            found.append(FAILED)
    assert found[0] == found[1]


def test_a_set_that_depends_on_the_member_is_no_target() -> None:
    """``some x in next(p): x in near(next(x))``: the set on the right is another for every x."""
    moved = Lookup(TABLES[0], (Lookup(NEXT, (Load(X),)),))
    body = Op2("in", Load(X), moved, BOOL)
    asked = Loop("some", X, Op1("single", Lookup(NEXT, (Load(P),)), SET), None, body, BOOL)
    found = lift_condition(P, asked)
    assert found is None or not free_locals(found)


def test_filters_are_lifted_where_their_conditions_are() -> None:
    reached = Loop(
        "filter", X, Const(D.full, SET), None, Op2("within", Lookup(PAIR, (Load(P), Load(X))), Load(A), BOOL), SET
    )
    free = Loop("filter", X, Const(D.full, SET), None, Op1("not", Op2("in", Load(X), Load(A), BOOL), BOOL), SET)
    assert lift_filters(free) != free and lift_filters(reached) == reached


def test_tables_of_another_name_are_not_of_the_parameter() -> None:
    """Within a union, one part may not read the parameter at all."""
    near, other = Lookup(TABLES[0], (Load(P),)), Lookup(TABLES[0], (Load(X),))
    condition = Op2("disjoint", Op2("union", near, other, SET), Load(A), BOOL)
    found = lift_condition(P, condition)
    assert found is not None
    for x in range(D.size):
        known = {A.id: 1, X.id: x}
        wanted = sum(1 << p for p in range(D.size) if evaluate(condition, {**known, P.id: p}))
        assert evaluate(found, known) == wanted


def by_values(schema: Schema, known: dict[int, int]) -> list[tuple[int, ...]]:
    """The moves along a plan that reads nothing but these names."""
    ways = [known]
    for step in schema.plan:
        if isinstance(step, Bind):
            name = schema.params[step.param].local.id
            ways = [{**w, name: i} for w in ways for i in bits(evaluate(step.over, w))]
        else:
            ways = [w for w in ways if evaluate(step.condition, w)]
    return [tuple(w[p.local.id] for p in schema.params) for w in ways]


def test_expressions_and_plans_of_shipped_rulesets_keep_their_values() -> None:
    assert sum(same_expressions(name) for name in QUICK) >= 10
    assert sum(same_moves(name) for name in QUICK) >= 6


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHERS)
def test_expressions_and_plans_of_every_ruleset_keep_their_values(name: str) -> None:
    from gamedsl.compiler.transform.pipeline import why_not_specialized

    if why_not_specialized(gamedsl.load(name, **small(name)).program) is None:
        same_expressions(name)
        same_moves(name)


@given(
    st.lists(st.integers(0, 2), min_size=9, max_size=9),
    st.lists(st.booleans(), min_size=9, max_size=9),
    st.sampled_from(["and", "or", "then", "otherwise"]),
    st.integers(0, 511),
)
def test_a_guarded_look_up_has_a_value(optional: list[int], tests: list[bool], form: str, chosen: int) -> None:
    """The same value or the same failure, whatever the guard; without a failure wherever it says that there is a value."""
    domain = ELEM.domain
    some = Lookup(TableData("some", (domain,), OptT(ELEM), tuple(optional)), (Load(X),))
    sure = Lookup(TableData("sure", (domain,), BOOL, tuple(map(int, tests))), (Load(X),))
    asked = Op2("in", Op1("unwrap", some, ELEM), Const(chosen, SET), BOOL)
    e: Expr = {
        "and": Op2("and", sure, asked, BOOL),
        "or": Op2("or", Op1("not", sure, BOOL), asked, BOOL),
        "then": Cond(sure, asked, Const(0, BOOL), BOOL),
        "otherwise": Cond(Op1("not", sure, BOOL), Const(0, BOOL), asked, BOOL),
    }[form]
    after = unwrap_guarded(e)
    for x in range(9):
        assert value_at(e, x) == value_at(after, x)
    holds = all(v for v, t in zip(optional, tests, strict=True) if t)
    assert can_fail(after) == (not holds)


def value_at(e: Expr, x: int) -> object:
    try:
        return evaluate(e, {X.id: x})
    except RangeProblem:
        return FAILED
