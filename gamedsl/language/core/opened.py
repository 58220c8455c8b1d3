"""Inlining of calls and names at the root of expressions, for passes that split expressions into parts."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol, TypeVar

from gamedsl.language.core import nodes as n
from gamedsl.language.core.traverse import substitute

MOST_OPENED = 12  # the greatest depth of inlined functions
BOOL = n.BoolT()


class Conditional(Protocol):
    """A part that applies if its condition holds."""

    @property
    def condition(self) -> n.Expr: ...


C = TypeVar("C", bound=Conditional)


def open_root(program: n.Program, e: n.Expr, calls: tuple[int, ...]) -> tuple[n.Expr, tuple[int, ...]]:
    """Returns the expression with the calls and names at its root inlined, and the functions it is then inside.
    ``calls``: those that ``e`` is inside; none of them is inlined again.
    """
    while True:
        match e:
            case n.CallF(function=index, args=args) if index not in calls and len(calls) < MOST_OPENED:
                called = program.functions[index]
                e = substitute(called.body, {p.id: a for p, a in zip(called.params, args, strict=True)})
                calls = (*calls, index)
            case n.LetE(local=local, value=value, body=body):
                e = substitute(body, {local.id: value})
            case _:
                return e, calls


def branches(e: n.Cond) -> tuple[tuple[n.Expr, n.Expr], tuple[n.Expr, n.Expr]]:
    """Returns the two values of a choice, each with its condition."""
    return (e.then, e.condition), (e.otherwise, n.Op1("not", e.condition, BOOL, span=e.span))


def restrict(part: C, also: n.Expr) -> C:
    """Returns the part under an additional condition."""
    return replace(part, condition=n.Op2("and", also, part.condition, BOOL))  # type: ignore[type-var]
