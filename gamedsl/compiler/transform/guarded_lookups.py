"""Check elimination for optional values: a look-up that a test guards always has a value.

    has(x, d) and unwrap(edge(x, d)) in fence      (has and edge are tables; edge has a value wherever has is true)
    →
    has(x, d) and edge'(x, d) in fence

Expressions that cannot fail may be evaluated early, in vectors, or not at all.

Not done: tests and look-ups with different keys.
"""

from __future__ import annotations

from gamedsl.language.core import map_children
from gamedsl.language.core import nodes as n

Given = tuple[tuple[n.Lookup, bool], ...]  # look-ups of truth values, with their values here


def unwrap_guarded(e: n.Expr, given: Given = ()) -> n.Expr:
    """Replaces guarded look-ups of optional values with look-ups of their values."""
    match e:
        case n.Op2(op="and" | "or", left=a, right=b):
            left = unwrap_guarded(a, given)
            right = unwrap_guarded(b, (*given, *_facts(left, e.op == "and")))
            return e if left is a and right is b else n.Op2(e.op, left, right, e.type, span=e.span)
        case n.Cond(condition=c):
            condition = unwrap_guarded(c, given)
            then = unwrap_guarded(e.then, (*given, *_facts(condition, True)))
            otherwise = unwrap_guarded(e.otherwise, (*given, *_facts(condition, False)))
            return n.Cond(condition, then, otherwise, e.type, span=e.span)
        case n.Op1(op="unwrap", operand=n.Lookup() as x) if any(_has_value(x, *fact) for fact in given):
            table = n.TableData(x.table.name, x.table.keys, e.type, tuple(max(0, v - 1) for v in x.table.values))
            return n.Lookup(table, x.keys, span=x.span)
        case _:
            return map_children(e, lambda x: unwrap_guarded(x, given))


def _facts(e: n.Expr, value: bool) -> Given:
    """The look-ups whose truth values are known where the condition has this value."""
    match e:
        case n.Lookup():
            return ((e, value),)
        case n.Op1(op="not", operand=x):
            return _facts(x, not value)
        case n.Op2(op="and" | "or", left=a, right=b) if (e.op == "and") == value:
            return (*_facts(a, value), *_facts(b, value))
        case _:
            return ()


def _has_value(x: n.Lookup, test: n.Lookup, value: bool) -> bool:
    """Whether there is a value wherever the test has this truth value."""
    if x.keys != test.keys or x.table.keys != test.table.keys:
        return False
    return all(v for v, t in zip(x.table.values, test.table.values, strict=True) if bool(t) == value)
