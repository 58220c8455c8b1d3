"""Counts what passes change: for ``gamedsl compile`` and for tests."""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.core import exprs_of, terminator_exprs, terminator_tick, walk, walk_statements
from gamedsl.core.nodes import Bind, Check, Decide, Expr, Flood, Loop, Program, Test

ASKING = ("some", "every", "count", "filter")


def expressions(program: Program) -> Iterator[Expr]:
    """All expressions outside plans."""
    for s in program.schemas:
        yield from exprs_of(s.effect)
    for b in program.blocks:
        yield from exprs_of((*b.statements, *terminator_tick(b.end)))
        yield from terminator_exprs(b.end)


def changed_expressions(before: Program, after: Program) -> int:
    return sum(x != y for x, y in zip(expressions(before), expressions(after), strict=True))


def changed_plans(before: Program, after: Program) -> int:
    return sum(x.plan != y.plan for x, y in zip(before.schemas, after.schemas, strict=True))


def changed_functions(before: Program, after: Program) -> int:
    return sum(x != y for x, y in zip(before.functions, after.functions, strict=False))


def quantifiers(program: Program) -> int:
    return sum(isinstance(x, Loop) and x.kind in ASKING for e in expressions(program) for x in walk(e))


def floods(program: Program) -> int:
    return sum(isinstance(x, Flood) for e in expressions(program) for x in walk(e))


def tests(program: Program) -> int:
    """Tests in plans, and filters in the sets over which parameters range."""
    steps = [step for s in program.schemas for step in s.plan]
    filters = (isinstance(x, Loop) and x.kind == "filter" for s in steps if isinstance(s, Bind) for x in walk(s.over))
    return sum(isinstance(step, Test) for step in steps) + sum(filters)


def alternatives(program: Program) -> int:
    return sum(len(b.end.alternatives) for b in program.blocks if isinstance(b.end, Decide))


def checks(program: Program) -> int:
    return sum(isinstance(x, Check) for s in program.schemas for x in walk_statements(s.effect))
