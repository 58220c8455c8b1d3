"""Conditions that are tested for a sampled candidate rather than for all (rejection sampling)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gamedsl.language.core import can_fail, walk
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

Steps = tuple[n.Bind | n.Test, ...]


@lazy_dataclass(frozen=True)
class Split:
    """A plan, cut: the steps that give candidates, and the tests of one candidate."""

    candidates: Steps
    tests: tuple[n.Test, ...]


def cut_plan(plan: Steps, functions: Sequence[n.Function]) -> Split | None:
    """The plan with its costly tests after the first binding cut off, or None if there are none. Later bindings, and
    cheap tests before the last of them, stay among the steps that give candidates."""
    bindings = [i for i, step in enumerate(plan) if isinstance(step, n.Bind)]
    if not bindings:
        return None
    costly_at = [
        i
        for i, step in enumerate(plan)
        if i > bindings[0] and isinstance(step, n.Test) and costly(step.condition, functions)
    ]
    if not costly_at:
        return None
    last = max(bindings[-1], costly_at[0] - 1)
    if any(can_fail(_read(step), functions) for step in plan[costly_at[0] : last + 1]):
        costly_at = [i for i in costly_at if i > last]
        if not costly_at:
            return None
        last = costly_at[0] - 1
    candidates = tuple(step for i, step in enumerate(plan[: last + 1]) if i not in costly_at)
    tests = tuple(step for i, step in enumerate(plan) if isinstance(step, n.Test) and (i in costly_at or i > last))
    return Split(candidates, tests)


def _read(step: n.Bind | n.Test) -> n.Expr:
    return step.over if isinstance(step, n.Bind) else step.condition


def drawn_first(schema: n.Schema, functions: Sequence[n.Function]) -> Split | None:
    """The plan of a specialized schema, cut, or None if all its moves are listed: if no test is costly, or if one can
    end in a rules error."""
    found = cut_plan(schema.plan, functions)
    return None if found is None or any(can_fail(t.condition, functions) for t in found.tests) else found


def draws_first(program: n.Program) -> bool:
    """Whether a decision of a specialized program draws a candidate before it tests it."""
    return any(drawn_first(s, program.functions) is not None for s in program.schemas)


def costly(e: n.Expr, functions: Sequence[n.Function]) -> bool:
    """Whether an expression looks ahead or searches along a relation, in itself or in a function that it calls."""
    return any(x.searches for x in _with_calls(e, functions))


def closes_after_move(program: n.Program) -> bool:
    """Whether a guard or a forbidden condition computes a closure in the position after a move."""
    guards = [g.condition for s in program.schemas for g in s.guards]
    ahead = [x for e in guards for x in _with_calls(e, program.functions) if isinstance(x, n.AfterE)]
    asked = [*ahead, *(f.condition for s in program.schemas for f in s.forbids)]
    return any(isinstance(x, n.Closure) for e in asked for x in _with_calls(e, program.functions))


def lists_closures(program: n.Program) -> bool:
    """Whether a specialized program computes a closure for each of the moves that it lists."""
    return any(
        isinstance(x, n.Closure)
        for s in program.schemas
        if drawn_first(s, program.functions) is None
        for step in s.plan
        if isinstance(step, n.Test)
        for x in _with_calls(step.condition, program.functions)
    )


def _with_calls(e: n.Expr, functions: Sequence[n.Function]) -> Iterator[n.Expr]:
    """The expression's parts, and those of the functions that it calls."""
    todo, known = [e], set[int]()
    while todo:
        for x in walk(todo.pop()):
            yield x
            if isinstance(x, n.CallF) and x.function not in known:
                known.add(x.function)
                todo.append(functions[x.function].body)
