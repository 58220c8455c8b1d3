"""Entailment: conditions that follow from others. A square that a guard has found empty is in no player's set."""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.core.nodes import Const, Expr, Load, Op1, Op2
from gamedsl.native.analysis.pointwise import At, Unknown


def proved(condition: Expr, given: Sequence[Expr]) -> bool:
    """Does the condition follow from the given ones? Sets are compared pointwise."""
    match condition:
        case Const(value=value):
            return bool(value)
        case Op2(op="and", left=a, right=b):
            return proved(a, given) and proved(b, given)
        case Op2(op="disjoint", left=a, right=b):
            return _never_both(a, b, given) or condition in given
        case _:
            return condition in given


def _never_both(a: Expr, b: Expr, given: Sequence[Expr]) -> bool:
    """Are the two sets disjoint?"""
    match a:
        case Op1(op="single", operand=Load(local=local)):
            known = [s for g in given for s in _about(g, local.id)]
            return _always(local.id, [a, b], known)
        case _:
            return _always(-1, [a, b], [])


def _about(g: Expr, name: int) -> list[Expr]:
    """The set that the condition says the name is in."""
    match g:
        case Op2(op="in", left=Load(local=local), right=s) if local.id == name:
            return [s]
        case _:
            return []


def _always(name: int, both: list[Expr], known: list[Expr]) -> bool:
    at = At(name)
    try:
        a, b = (at.inside(x) for x in both)
        return at.always(lambda case: not (a(case) and b(case)), [at.inside(x) for x in known])
    except Unknown:
        return False
