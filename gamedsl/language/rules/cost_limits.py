"""Limits on the cost of conditions and effects: those that would take too long to evaluate are refused in advance.

The estimate is that of ``language/core/cost_estimate.py``: every loop runs over its largest set, and a set made by a
condition counts as one element. The cost of a definition counts every time it is used.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.language.core import (
    CostEstimator,
    children,
    claim_exprs,
    exprs_of,
    inner_statements,
    statement_exprs,
    terminator_exprs,
    terminator_tick,
    walk,
)
from gamedsl.language.core import nodes as n
from gamedsl.language.rules.error_report import Report

MOST_STEPS = 10**10  # of one condition or effect
MOST_MOVE_STEPS = 10**11  # of listing all moves of one kind
MOST_NAMED = 4


def report_costs(report: Report, program: n.Program) -> None:
    """Reports expressions that take too many steps, at the place where the limit is first exceeded."""
    efforts = CostEstimator(program.schemas, program.functions)
    found: list[n.Expr | n.CoreStmt] = [e for root in _expressions(program) for e in _too_large(efforts, root)]
    found += [
        e for f in program.functions if efforts.of_function(f.index) > MOST_STEPS for e in _too_large(efforts, f.body)
    ]
    found += [s for body in _bodies(program) for s in _too_large_statements(efforts, body)]
    for node in found:
        report.add("E0461", node.span, most=f"{MOST_STEPS:,}", through=_through(efforts, program, node))
    if not found:
        for schema in program.schemas:
            if _steps_of_moves(efforts, schema) > MOST_MOVE_STEPS:
                report.add("E0462", schema.span, name=schema.name, most=f"{MOST_MOVE_STEPS:,}")


def _expressions(program: n.Program) -> Iterator[n.Expr]:
    for s in program.schemas:
        yield from (g.condition for g in (*s.guards, *s.forbids))
        yield from (p.over for p in s.params)
    for b in program.blocks:
        yield from terminator_exprs(b.end)
    for part in program.parts:
        for mark in part.looks:
            yield from _shown(mark)
        for x in part.leavings:
            yield from (*x.on, *(over for _, over in x.binders), *(e for e in (x.when, x.large) if e is not None))
    for claim in program.claims:
        yield from claim_exprs(claim)


def _shown(mark: n.Mark) -> Iterator[n.Expr]:
    yield from mark.reads
    yield from (over for _, over in mark.binders)


def _bodies(program: n.Program) -> Iterator[tuple[n.CoreStmt, ...]]:
    yield from (s.effect for s in program.schemas)
    for b in program.blocks:
        yield from (b.statements, terminator_tick(b.end))


def _too_large(efforts: CostEstimator, e: n.Expr) -> Iterator[n.Expr]:
    """Yields the innermost expressions that exceed the limit. A call of a function that exceeds it is reported at the
    function.
    """
    if efforts.of(e) <= MOST_STEPS or (isinstance(e, n.CallF) and efforts.of_function(e.function) > MOST_STEPS):
        return
    inner = [x for c in children(e) for x in _too_large(efforts, c)]
    yield from inner
    if not inner and not any(isinstance(x, n.CallF) and efforts.of_function(x.function) > MOST_STEPS for x in walk(e)):
        yield e


def _too_large_statements(efforts: CostEstimator, body: tuple[n.CoreStmt, ...]) -> Iterator[n.Expr | n.CoreStmt]:
    for s in body:
        if efforts.of_statements((s,)) <= MOST_STEPS:
            continue
        asked = [x for e in statement_exprs(s) for x in _too_large(efforts, e)]
        inner = [*asked, *_too_large_statements(efforts, inner_statements(s))]
        yield from inner
        if not inner and all(efforts.of(e) <= MOST_STEPS for e in statement_exprs(s)):
            yield s


def _steps_of_moves(efforts: CostEstimator, schema: n.Schema) -> int:
    """Returns the number of steps of listing the moves of a kind along its plan."""
    ways, total = 1, 0
    for step in schema.plan:
        if isinstance(step, n.Bind):
            total += ways * efforts.of(step.over)
            ways *= efforts.size(step.over)
        else:
            total += ways * efforts.of(step.condition)
    return total + ways * (1 + sum(efforts.of(g.condition) for g in schema.forbids))


def _through(efforts: CostEstimator, program: n.Program, node: n.Expr | n.CoreStmt) -> str:
    """Returns a sentence about the most expensive chain of definitions: ``It uses `a`, `b` and 7 more. ``."""
    names: list[str] = []
    calls = _calls(node)
    while calls:
        one = max(calls, key=lambda c: efforts.of_function(c.function))
        name = f"`{program.functions[one.function].name}`"
        names += [] if name in names else [name]
        calls = _calls(program.functions[one.function].body)
    if not names:
        return ""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"It uses {', '.join(names[:MOST_NAMED])}{more}. "


def _calls(node: n.Expr | n.CoreStmt) -> list[n.CallF]:
    roots = exprs_of((node,)) if isinstance(node, n.CoreStmt) else (node,)
    return [x for root in roots for x in walk(root) if isinstance(x, n.CallF)]
