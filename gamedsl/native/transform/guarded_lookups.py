"""Check elimination for optional values: a look-up that a test guards always has a value.

    has(x, d) and unwrap(edge(x, d)) in fence      (has and edge are tables; edge has a value wherever has is true)
    →
    has(x, d) and edge'(x, d) in fence

What can't fail may be evaluated early, in vectors, or not at all.

Not done: tests and look-ups with different keys.
"""

from __future__ import annotations

from gamedsl.core import map_children
from gamedsl.core.nodes import Cond, Expr, Lookup, Op1, Op2, TableData

Given = tuple[tuple[Lookup, bool], ...]  # look-ups of truth values, and what they are here


def unwrap_guarded(e: Expr, given: Given = ()) -> Expr:
    """Replaces guarded look-ups of optional values by look-ups of their values."""
    match e:
        case Op2(op="and" | "or", left=a, right=b):
            left = unwrap_guarded(a, given)
            right = unwrap_guarded(b, (*given, *_facts(left, e.op == "and")))
            return e if left is a and right is b else Op2(e.op, left, right, e.type, span=e.span)
        case Cond(condition=c):
            condition = unwrap_guarded(c, given)
            then = unwrap_guarded(e.then, (*given, *_facts(condition, True)))
            otherwise = unwrap_guarded(e.otherwise, (*given, *_facts(condition, False)))
            return Cond(condition, then, otherwise, e.type, span=e.span)
        case Op1(op="unwrap", operand=Lookup() as x) if any(_has_value(x, *fact) for fact in given):
            table = TableData(x.table.name, x.table.keys, e.type, tuple(max(0, v - 1) for v in x.table.values))
            return Lookup(table, x.keys, span=x.span)
        case _:
            return map_children(e, lambda x: unwrap_guarded(x, given))


def _facts(e: Expr, value: bool) -> Given:
    """The look-ups whose truth values are known where the condition has this value."""
    match e:
        case Lookup():
            return ((e, value),)
        case Op1(op="not", operand=x):
            return _facts(x, not value)
        case Op2(op="and" | "or", left=a, right=b) if (e.op == "and") == value:
            return (*_facts(a, value), *_facts(b, value))
        case _:
            return ()


def _has_value(x: Lookup, test: Lookup, value: bool) -> bool:
    """Is there a value wherever the test has this truth value?"""
    if x.keys != test.keys or x.table.keys != test.table.keys:
        return False
    return all(v for v, t in zip(x.table.values, test.table.values, strict=True) if bool(t) == value)
