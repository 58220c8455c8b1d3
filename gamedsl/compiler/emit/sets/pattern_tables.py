"""Sets by the pattern of a changing set around an element: one look-up instead of loops.

{b in near(c) - H: count(near(c) & near(b) & H) = 1}
→
the bits of H at the places near c are gathered to a number, which a table by c turns into bits that are spread over
the places again (PEXT and PDEP)
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.compiler.analysis.local_patterns import local_pattern
from gamedsl.compiler.emit.expression_code import number, set_words
from gamedsl.compiler.emit.llvm_module import I64, Fn, Value, const, words
from gamedsl.compiler.emit.memory import plus, times
from gamedsl.language.core import can_fail, offset
from gamedsl.language.core import nodes as n


def by_pattern(f: Fn, e: n.Expr) -> Value | None:
    """Emits a set of this kind. Returns None for other forms."""
    if not f.unit.has_deposit or not isinstance(e.type, n.SetT):
        return None
    found = local_pattern(e)
    if found is None or can_fail(e, f.unit.program.functions):
        return None
    b, cases = f.builder, found.cases
    x = plus(f, number(f, n.Load(found.element)), -offset(found.element.type))
    asked, shifted = const(0), const(0)
    extract = f.unit.external("llvm.x86.bmi.pext.64", I64, [I64, I64])
    for held, around in _each_word(f, set_words(f, found.changing), cases.around, x):
        asked = b.or_(asked, b.shl(b.call(extract, [held, around]), shifted))
        shifted = b.add(shifted, b.ctpop(around))
    starts = f.unit.numbers(("starts", cases.first), cases.first, 32)
    index = b.add(b.zext(b.load(f.unit.at(b, starts, x)), I64), asked)
    byte = b.zext(b.load(f.unit.at(b, f.unit.numbers(("cases", cases.table), cases.table, 8), index)), I64)
    deposit = f.unit.external("llvm.x86.bmi.pdep.64", I64, [I64, I64])
    result, taken = [const(0)] * words(e.type), const(0)
    for i, largest in enumerate(_words_at(f, cases.results, words(e.type), x)):
        if largest is not None:
            result[i] = b.call(deposit, [b.lshr(byte, taken), largest])
            taken = b.add(taken, b.ctpop(largest))
    return tuple(result)


def _each_word(
    f: Fn, held: Sequence[ir.Value], around: Sequence[int], x: ir.Value
) -> Sequence[tuple[ir.Value, ir.Value]]:
    """The words of the changing set that any element asks about, each with the places asked about at this one."""
    places = _words_at(f, around, len(held), x)
    return [(word, at) for word, at in zip(held, places, strict=True) if at is not None]


def _words_at(f: Fn, sets: Sequence[int], size: int, x: ir.Value) -> list[ir.Value | None]:
    """The words of the x-th of these sets. None for those that are zero in all of them."""
    mask = (1 << 64) - 1
    flat = [one >> 64 * i & mask for one in sets for i in range(size)]
    table = f.unit.numbers(("words", tuple(sets), size), flat, 64)
    first = times(f, x, size)
    return [
        f.builder.load(f.unit.at(f.builder, table, plus(f, first, i))) if any(flat[i::size]) else None
        for i in range(size)
    ]
