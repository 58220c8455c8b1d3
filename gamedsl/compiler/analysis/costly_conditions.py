"""Conditions that are tested for a sampled candidate rather than for all (``emit/rejection_sampling.py``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gamedsl.language.core import nodes as n
from gamedsl.language.core import walk


def costly(e: n.Expr, functions: Sequence[n.Function]) -> bool:
    """Whether an expression looks ahead or searches along a relation, in itself or in a function that it calls."""
    return any(x.searches for x in _with_calls(e, functions))


def closes_after_move(program: n.Program) -> bool:
    """Whether a guard or a forbidden condition computes a closure in the position after a move."""
    guards = [g.condition for s in program.schemas for g in s.guards]
    ahead = [x for e in guards for x in _with_calls(e, program.functions) if isinstance(x, n.AfterE)]
    asked = [*ahead, *(f.condition for s in program.schemas for f in s.forbids)]
    return any(isinstance(x, n.Closure) for e in asked for x in _with_calls(e, program.functions))


def _with_calls(e: n.Expr, functions: Sequence[n.Function]) -> Iterator[n.Expr]:
    """The expression's parts, and those of the functions that it calls."""
    todo, known = [e], set[int]()
    while todo:
        for x in walk(todo.pop()):
            yield x
            if isinstance(x, n.CallF) and x.function not in known:
                known.add(x.function)
                todo.append(functions[x.function].body)
