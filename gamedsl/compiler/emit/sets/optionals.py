"""If-conversion of optional elements: ``if is_none(x) then {} else {unwrap(x)}`` without a branch."""

from __future__ import annotations

from gamedsl.compiler.emit.expression_code import number
from gamedsl.compiler.emit.llvm_module import Fn, const, words
from gamedsl.compiler.emit.memory import plus
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.language.core import can_fail, guarded_optional
from gamedsl.language.core import nodes as n


def optional_element(f: Fn, e: n.Cond) -> sets.Words | None:
    """Emits the set of an optional element. Returns None for other conditionals."""
    x = guarded_optional(e)
    if x is None or can_fail(x) or not isinstance(e.then, n.Const) or e.then.value != 0:
        return None
    assert isinstance(e.type, n.SetT)
    value = number(f, x)
    if words(e.type) > 1:
        return sets.single(f, plus(f, value, -1), words(e.type))  # for none, no word holds the bit
    bit = f.builder.shl(const(1), f.builder.and_(plus(f, value, -1), const(63)))
    none = f.builder.icmp_unsigned("==", value, const(0))
    return (f.builder.select(none, const(0), bit),)
