"""If-conversion of optional elements: ``if is_none(x) then {} else {unwrap(x)}`` without a branch."""

from __future__ import annotations

from gamedsl.core import can_fail
from gamedsl.core.nodes import Cond, Const, Op1, SetT
from gamedsl.native.emit.expressions import number
from gamedsl.native.emit.memory import plus
from gamedsl.native.emit.module_builder import Fn, const, words
from gamedsl.native.emit.sets import words as sets


def optional_element(f: Fn, e: Cond) -> sets.Words | None:
    """Emits the set of an optional element. Returns None for other conditionals."""
    match e:
        case Cond(
            condition=Op1(op="is_none", operand=x),
            then=Const(value=0),
            otherwise=Op1(op="single", operand=Op1(op="unwrap", operand=y)),
            type=SetT() as t,
        ) if x == y and not can_fail(x):
            pass
        case _:
            return None
    value = number(f, x)
    if words(t) > 1:
        return sets.single(f, plus(f, value, -1), words(t))  # of none, no word is the one that holds it
    bit = f.builder.shl(const(1), f.builder.and_(plus(f, value, -1), const(63)))
    none = f.builder.icmp_unsigned("==", value, const(0))
    return (f.builder.select(none, const(0), bit),)
