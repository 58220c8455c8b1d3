"""What ``apart`` does, pass by pass, with the program after each: for people, and for tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gamedsl.core.nodes import Check, Decide, Expr, Flood, Loop, Program, Test
from gamedsl.core.printer import Names
from gamedsl.core.traverse import exprs_of, terminator_exprs, terminator_tick, walk, walk_statements
from gamedsl.native.passes.apart import (
    large_sets,
    with_composed,
    with_few,
    with_fitted,
    with_lifted_plans,
    with_parts,
    with_sooner,
    without_hopeless,
)
from gamedsl.native.passes.checks import without_proved
from gamedsl.native.passes.keeping import kept
from gamedsl.native.passes.lift import quantified
from gamedsl.native.passes.listed import listed
from gamedsl.native.passes.merged import merged
from gamedsl.native.passes.orders import in_best_orders
from gamedsl.native.passes.outlined import outlined
from gamedsl.native.passes.parts import Parts
from gamedsl.native.passes.prepare import narrowed_functions, rewritten
from gamedsl.native.passes.rays import with_rays
from gamedsl.native.passes.settled import settled
from gamedsl.native.passes.specialise import Special, specialise
from gamedsl.native.passes.tables import tabled
from gamedsl.native.passes.whole import whole

Change = Callable[[Program], Program]
Count = Callable[[Program, Program], int]
ASKING = ("some", "every", "count", "filter")


@dataclass(frozen=True)
class Step:
    """One pass: its name, how many of what it has changed, the program after it."""

    name: str
    amount: int
    noun: str
    what: str
    program: Program

    @property
    def text(self) -> str:
        return f"{self.amount} {self.noun}{'' if self.amount == 1 else 's'} {self.what}"


def steps(program: Program) -> tuple[Step, ...]:
    """The passes in order; the last program is that of ``apart``. Raises ``NotSpecial`` as ``specialise`` does."""
    special = specialise(program)
    first = Step("specialise", len(special.program.blocks), "block", _steered(program, special), special.program)
    out = [first]

    def then(name: str, noun: str, what: str, change: Change, count: Count) -> None:
        before = out[-1].program
        after = change(before)
        out.append(Step(name, count(before, after), noun, what, after))

    if special.program.functions:
        fewer = merged(special)
        amount = len(special.program.blocks) - len(fewer.program.blocks)
        out.append(Step("places", amount, "block", "the same as another", fewer.program))
        then("known", "plan", "with tests that a branch before has answered", lambda p: settled(p).program, _plans)
        then("functions", "plan", "with a large test as a function", outlined, _plans)
        then("narrow", "function", "with quantifiers narrowed to sets", narrowed_functions, _functions)
    then("tables", "expression", "with constant parts looked up in tables", _with_tables, _rewritten)
    then("sets", "quantifier", "written with sets", lambda p: rewritten(p, quantified), _fewer(_quantifiers))
    then("rays", "walk", "along rays made for whole sets at once", lambda p: rewritten(p, with_rays), _fewer(_floods))
    then("tables again", "expression", "with constant parts looked up in tables", _with_tables, _rewritten)
    then("orders", "plan", "bound in another order of the parameters", in_best_orders, _plans)
    then("plans", "condition", "on a parameter made part of the set it ranges over", with_lifted_plans, _fewer(_tests))
    then("alternatives", "hopeless alternative", "left out", without_hopeless, _fewer(_alternatives))
    then("checks", "check", "proved and left out", without_proved, _fewer(_checks))
    then("fitted", "expression", "without a range check that can't fail", with_fitted, _rewritten)
    if special.program.functions:
        then("listed", "plan", "of one parameter made one set", listed, _plans)
        then("few", "place", "where a filter of few elements is written out", with_few, _either)
        then("parts", "function", "given what it works out of few of its parameters", _in_parts, _functions)
        then("composed", "function", "with images of images as one", with_composed, _functions)
        calls = kept(out[-1].program)[1]
        then("kept", "plan", "that may use what is kept from ply to ply", lambda p: kept(p)[0], _plans)
        then(
            "sooner",
            "place",
            "where a cheap question comes before a dear one",
            lambda p: with_sooner(p, calls),
            _either,
        )
        then("sets of plans", "plan", "with a large set as a function", lambda p: large_sets(p, calls), _plans)
    return tuple(out)


def whole_steps(program: Program) -> tuple[Step, ...]:
    """What is done to a program that is not taken apart."""
    ready = whole(program)
    amount = _rewritten(program, ready) + _functions(program, ready)
    return (Step("whole", amount, "expression", "with functions in place, tables and rays", ready),)


def _steered(program: Program, special: Special) -> str:
    names = ", ".join(control(special)) or "nothing"
    return f"made of {len(program.blocks)}; constant in each: {names}"


def control(special: Special) -> tuple[str, ...]:
    """The variables that have become part of the place, by the names they are printed with."""
    known = {index for _, env in special.places for index, _ in env}
    names = Names(special.program)
    return tuple(names.variable(v) for v in special.program.variables if v.index in known)


def _with_tables(program: Program) -> Program:
    return rewritten(program, tabled)


# --------------------------------------------------------------------------------------------------------- counts


def expressions(program: Program) -> Iterator[Expr]:
    """All expressions outside the plans."""
    for s in program.schemas:
        yield from exprs_of(s.effect)
    for b in program.blocks:
        yield from exprs_of((*b.statements, *terminator_tick(b.end)))
        yield from terminator_exprs(b.end)


def _rewritten(before: Program, after: Program) -> int:
    return sum(x != y for x, y in zip(expressions(before), expressions(after), strict=True))


def _fewer(count: Callable[[Program], int]) -> Count:
    return lambda before, after: abs(count(before) - count(after))


def _in_parts(program: Program) -> Program:
    return with_parts(program, Parts(program.functions))


def _plans(before: Program, after: Program) -> int:
    return sum(x.plan != y.plan for x, y in zip(before.schemas, after.schemas, strict=True))


def _either(before: Program, after: Program) -> int:
    return _plans(before, after) + _functions(before, after)


def _functions(before: Program, after: Program) -> int:
    return sum(x != y for x, y in zip(before.functions, after.functions, strict=False))


def _quantifiers(program: Program) -> int:
    return sum(isinstance(x, Loop) and x.kind in ASKING for e in expressions(program) for x in walk(e))


def _floods(program: Program) -> int:
    return sum(isinstance(x, Flood) for e in expressions(program) for x in walk(e))


def _tests(program: Program) -> int:
    return sum(isinstance(step, Test) for s in program.schemas for step in s.plan)


def _alternatives(program: Program) -> int:
    return sum(len(b.end.alternatives) for b in program.blocks if isinstance(b.end, Decide))


def _checks(program: Program) -> int:
    return sum(isinstance(x, Check) for s in program.schemas for x in walk_statements(s.effect))
