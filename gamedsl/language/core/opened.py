"""Expressions with what they call written out at their root, for the passes that split them into parts."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol, TypeVar

from gamedsl.language.core import nodes as n
from gamedsl.language.core.traverse import substitute

MOST_OPENED = 12  # functions within each other
BOOL = n.BoolT()


class Conditional(Protocol):
    """A part that counts if its condition holds."""

    @property
    def condition(self) -> n.Expr: ...


C = TypeVar("C", bound=Conditional)


def open_root(program: n.Program, e: n.Expr, calls: tuple[int, ...]) -> tuple[n.Expr, tuple[int, ...]]:
    """The expression for which calls and names at the root stand, and the functions within which it is. ``calls``: those within
    which ``e`` is; none of them is opened again."""
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
    """The two answers of a choice, each with the condition under which it is the answer."""
    return (e.then, e.condition), (e.otherwise, n.Op1("not", e.condition, BOOL, span=e.span))


def restrict(part: C, also: n.Expr) -> C:
    """The part, if another condition holds as well."""
    return replace(part, condition=n.Op2("and", also, part.condition, BOOL))  # type: ignore[type-var]
