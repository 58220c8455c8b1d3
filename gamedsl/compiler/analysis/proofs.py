"""Entailment: conditions that follow from others. A square that a guard has found empty is in no player's set."""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.compiler.analysis.pointwise import At, Unknown
from gamedsl.language.core import nodes as n


def proved(condition: n.Expr, given: Sequence[n.Expr]) -> bool:
    """Whether the condition follows from the given ones. Sets are compared pointwise."""
    match condition:
        case n.Const(value=value):
            return bool(value)
        case n.Op2(op="and", left=a, right=b):
            return proved(a, given) and proved(b, given)
        case n.Op2(op="disjoint", left=a, right=b):
            return _never_both(a, b, given) or condition in given
        case _:
            return condition in given


def _never_both(a: n.Expr, b: n.Expr, given: Sequence[n.Expr]) -> bool:
    """Whether the two sets are disjoint."""
    match a:
        case n.Op1(op="single", operand=n.Load(local=local)):
            known = [s for g in given for s in _about(g, local.id)]
            return _always(local.id, [a, b], known)
        case _:
            return _always(-1, [a, b], [])


def _about(g: n.Expr, name: int) -> list[n.Expr]:
    """The set that contains the name according to the condition, in a list; empty if the condition says nothing of the
    kind."""
    match g:
        case n.Op2(op="in", left=n.Load(local=local), right=s) if local.id == name:
            return [s]
        case _:
            return []


def _always(name: int, both: list[n.Expr], known: list[n.Expr]) -> bool:
    at = At(name)
    try:
        a, b = (at.inside(x) for x in both)
        return at.always(lambda case: not (a(case) and b(case)), [at.inside(x) for x in known])
    except Unknown:
        return False
