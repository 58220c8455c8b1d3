"""Specialized programs with look-ahead keep their meaning, in the engine and in machine code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gamedsl
from gamedsl.compiler.analysis.candidate_bounds import upper_bound
from gamedsl.compiler.analysis.canonical_names import by_use, canonical
from gamedsl.compiler.analysis.facts import Facts, assumed, part_of
from gamedsl.compiler.analysis.monotonicity import Monotonicity
from gamedsl.compiler.transform.pipeline import specialize_for_playouts
from gamedsl.compiler.transform.range_check_elimination import eliminate_range_checks
from gamedsl.engine import Game, InterpretedGame
from gamedsl.engine.state import State
from gamedsl.language.core.constant_folding import evaluate
from gamedsl.language.core.nodes import CallF, Cond, Const, Convert, Expr, Function, IntT, Load, Local, Loop, Op1, Op2
from gamedsl.language.core.traverse import free_locals, map_children, substitute

from . import small_rulesets as small
from .agree import compiled
from .conditions import BOOL, SET, A, B, P, conditions, sets
from .replay import forms_differ, played, replayed
from .specialization_check import first_difference, specialized_program

OPTIONS: list[dict[str, Any]] = [
    {},
    {"edition": "v1"},
    {"starter": "O", "super_on_first_ply": "never", "super_from_ply": 3},
    {"bwah": True},
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: "-".join(o) or "as written")
def test_what_random_play_is_made_of_is_the_game(options: dict[str, Any]) -> None:
    game = gamedsl.load("t-tic-t-tac-toe-game", **options)
    special = specialized_program(game.program)
    assert special is not None
    for seed in range(5):
        assert first_difference(game, special, seed, 60) == ""


def test_a_small_ruleset_of_every_kind_of_looking_ahead(tmp_path: Path) -> None:
    game = InterpretedGame(small.program_of(small.AHEAD, tmp_path))
    special = specialized_program(game.program)
    assert special is not None
    for seed in range(20):
        assert first_difference(game, special, seed, 60) == ""
    native = compiled(game)
    for seed in range(6):
        assert replayed(game, seed, seed, 80, None) == played(native, seed, seed, 80, None)
    assert forms_differ(native, 60, 3, 80, None) == ""


def test_a_state_in_which_the_play_should_have_ended_is_played_as_the_rules_say(tmp_path: Path) -> None:
    """Random play takes for known that nobody has a row yet; of a state made by hand that need not be so."""
    game = InterpretedGame(small.program_of(small.AHEAD, tmp_path))
    rows = made_by_hand(game)
    native = compiled(game)
    for seed in range(8):
        assert replayed(game, seed, 0, 80, rows) == played(native, seed, 0, 80, rows)


def made_by_hand(game: Game) -> State:
    """X has a row and O has none, but the play goes on."""
    return game.initial_state().with_values({("mark", 0): [0b111, 0]})


@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: "-".join(o) or "as written")
def test_a_function_is_written_once_for_all_players(options: dict[str, Any]) -> None:
    """``threatened`` of one player is that of the other with other arguments."""
    program = gamedsl.load("t-tic-t-tac-toe-game", **options).program
    special = specialize_for_playouts(program)
    assert special is not None
    rules = {f.name for f in program.functions}
    names = [f.name for f in special.program.functions if f.name in rules]
    assert "threatened" in names and len(names) == len(set(names))


# --------------------------------------------------------------------------------------------------------- the laws


@given(conditions(), st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_what_is_the_same_but_for_names_means_the_same(e: Expr, rng: Random) -> None:
    known = {A.id: rng.getrandbits(9), B.id: rng.getrandbits(9), P.id: rng.randrange(9)}
    assert evaluate(canonical(e), known) == evaluate(e, known)
    turned, ordered = _turned(e, rng), by_use(e, (B, P, A))
    assert canonical(turned, ordered) == canonical(e, ordered)
    assert {x.id for x in by_use(e, (A, B))} == free_locals(e).keys() & {A.id, B.id}


def _turned(e: Expr, rng: Random) -> Expr:
    """Two names change places wherever that makes no difference."""
    e = map_children(e, lambda x: _turned(x, rng))
    plain = isinstance(e, Op2) and isinstance(e.left, Load) and isinstance(e.right, Load)
    if plain and e.op in ("union", "meet", "disjoint", "eq", "ne") and rng.random() < 0.5:
        return replace(e, left=e.right, right=e.left)
    return e


def test_one_of_two_players_is_told_by_what_is_asked_of_them() -> None:
    """Not by which of them stands first where both are asked the same."""
    taken, other = Op2("union", Load(A), Load(B), SET), Op2("union", Load(B), Load(A), SET)
    one = Op2("within", taken, Load(A), BOOL)
    assert by_use(one, (A, B)) == (A, B)
    assert by_use(Op2("within", other, Load(A), BOOL), (A, B)) == (A, B)
    assert by_use(Op2("within", taken, Load(B), BOOL), (A, B)) == (B, A)
    mirrored = Op2("within", taken, Load(B), BOOL)
    assert canonical(one, (A, B)) == canonical(mirrored, (B, A)) != canonical(mirrored, (A, B))


@given(conditions(), st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None)
def test_more_in_a_set_does_what_is_said(e: Expr, rng: Random) -> None:
    way = Monotonicity(()).expr(e).get(A.id, 0)
    for _ in range(10 if way is not None else 0):
        a, b, p = rng.getrandbits(9), rng.getrandbits(9), rng.randrange(9)
        less, great = (evaluate(e, {A.id: x, B.id: b, P.id: p}) for x in (a & rng.getrandbits(9), a))
        assert less == great or way == (1 if less < great else -1)


def test_ways_of_many_forms_are_found() -> None:
    """Else the law above would say nothing."""
    some = Loop("some", P, Load(A), None, Op2("in", Load(P), Load(B), BOOL), BOOL)
    every = Loop("every", P, Load(A), None, Op2("in", Load(P), Load(B), BOOL), BOOL)
    left = Op1("is_empty", Op2("minus", Load(A), Load(B), SET), BOOL)
    ways = Monotonicity((Function(0, "left", (A, B), left),))
    assert [ways.expr(e)[A.id] for e in (some, every, left)] == [1, -1, -1]
    assert [ways.expr(e)[B.id] for e in (some, every, left)] == [1, 1, 1]
    assert ways.expr(Op1("not", CallF(0, (Load(A), Load(A)), BOOL), BOOL))[A.id] is None
    assert ways.expr(CallF(0, (Load(A), Load(B)), BOOL)) == {A.id: -1, B.id: 1}


@given(sets((P,), 3), sets((P,), 3), st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None)
def test_what_is_called_a_part_is_one(x: Expr, y: Expr, rng: Random) -> None:
    pairs = [
        (x, y),
        (Op2("minus", x, y, SET), x),
        (x, Op2("union", y, x, SET)),
        (Op2("meet", x, y, SET), Op2("union", y, x, SET)),
    ]
    assert [part_of(a, b) for a, b in pairs[1:]] == [True] * 3
    for a, b in pairs:
        for _ in range(6 if part_of(a, b) else 0):
            known = {A.id: rng.getrandbits(9), B.id: rng.getrandbits(9), P.id: rng.randrange(9)}
            assert evaluate(a, known) & ~evaluate(b, known) == 0


def test_known_to_be_false_is_false_for_less_and_nothing_else() -> None:
    """``any(S, T)``: is there an element of S that is not in T?"""
    body = Op1("not", Op2("within", Load(A), Load(B), BOOL), BOOL)
    ways = Monotonicity((Function(0, "any", (A, B), body),))
    s, t = Local(7, "S", SET), Local(8, "T", SET)
    one = Op1("single", Load(P), SET)
    less, more = Op2("minus", Load(s), one, SET), Op2("union", Load(s), one, SET)
    cut = Op2("union", Load(t), one, SET)

    def value(a: Expr, b: Expr, holds: bool) -> int | None:
        call = CallF(0, (Load(s), Load(t)), BOOL)
        found = assumed(CallF(0, (a, b), BOOL), Facts.of([call] * holds, [call] * (not holds)), ways)
        return found.value if isinstance(found, Const) else None

    assert [value(less, Load(t), False), value(Load(s), cut, False), value(less, cut, False)] == [0, 0, 0]
    assert [value(more, Load(t), False), value(less, Load(s), False)] == [None, None]
    assert [value(more, Load(t), True), value(less, Load(t), True), value(Load(s), cut, True)] == [1, None, None]


@given(conditions(), sets((P,), 2), st.randoms(use_true_random=False))
@settings(max_examples=120, deadline=None)
def test_a_bound_holds_whenever_the_condition_does(e: Expr, s: Expr, rng: Random) -> None:
    body = Op2("disjoint", Load(A), Load(B), BOOL)
    ways = Monotonicity((Function(0, "apart", (A, B), body),))
    for asked in (e, Op2("and", CallF(0, (Load(A), s), BOOL), e, BOOL)):
        bound = upper_bound(asked, P, ways)
        if bound is None:
            continue
        assert P.id not in free_locals(bound)
        for _ in range(6):
            known = {A.id: rng.getrandbits(9), B.id: rng.getrandbits(9)}
            if any(evaluate(put_in(asked, body), {**known, P.id: p}) for p in range(9)):
                assert evaluate(put_in(bound, body), known)


def put_in(e: Expr, body: Expr) -> Expr:
    """The body in place of calls."""
    e = map_children(e, lambda x: put_in(x, body))
    return substitute(body, {A.id: e.args[0], B.id: e.args[1]}) if isinstance(e, CallF) else e


def test_sums_that_fit_are_not_checked() -> None:
    n, t = Load(Local(5, "n", IntT(0, 8))), IntT(0, 8)
    less = Convert(Op2("sub", n, Const(1, t), IntT(-1, 7)), t)
    positive = Op2("lt", Const(0, t), n, BOOL)
    assert eliminate_range_checks(Cond(positive, less, Const(0, t), t)) == Cond(
        positive, Op2("sub", n, Const(1, t), t), Const(0, t), t
    )
    assert eliminate_range_checks(less) == less
    assert eliminate_range_checks(less, [positive]) == Op2("sub", n, Const(1, t), t)
    assert eliminate_range_checks(Convert(Op2("add", n, Const(4, t), IntT(4, 12)), t), [positive]) != Op2(
        "add", n, Const(4, t), t
    )
