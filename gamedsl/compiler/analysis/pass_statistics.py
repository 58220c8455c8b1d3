"""Counts the changes that passes make, for ``gamedsl compile`` and for tests."""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.language.core import exprs_of, terminator_exprs, terminator_tick, walk, walk_statements
from gamedsl.language.core import nodes as n

ASKING = ("some", "every", "count", "filter")


def expressions(program: n.Program) -> Iterator[n.Expr]:
    """All expressions outside plans."""
    for s in program.schemas:
        yield from exprs_of(s.effect)
    for b in program.blocks:
        yield from exprs_of((*b.statements, *terminator_tick(b.end)))
        yield from terminator_exprs(b.end)


def changed_expressions(before: n.Program, after: n.Program) -> int:
    return sum(x != y for x, y in zip(expressions(before), expressions(after), strict=True))


def changed_plans(before: n.Program, after: n.Program) -> int:
    return sum(x.plan != y.plan for x, y in zip(before.schemas, after.schemas, strict=True))


def changed_functions(before: n.Program, after: n.Program) -> int:
    return sum(x != y for x, y in zip(before.functions, after.functions, strict=False))


def quantifiers(program: n.Program) -> int:
    return sum(isinstance(x, n.Loop) and x.kind in ASKING for e in expressions(program) for x in walk(e))


def floods(program: n.Program) -> int:
    return sum(isinstance(x, n.Flood) for e in expressions(program) for x in walk(e))


def tests(program: n.Program) -> int:
    """The number of tests in plans, plus the filters in the sets over which parameters range."""
    steps = [step for s in program.schemas for step in s.plan]
    filters = (
        isinstance(x, n.Loop) and x.kind == "filter" for s in steps if isinstance(s, n.Bind) for x in walk(s.over)
    )
    return sum(isinstance(step, n.Test) for step in steps) + sum(filters)


def alternatives(program: n.Program) -> int:
    return sum(len(b.end.alternatives) for b in program.blocks if isinstance(b.end, n.Decide))


def checks(program: n.Program) -> int:
    return sum(isinstance(x, n.Check) for s in program.schemas for x in walk_statements(s.effect))
