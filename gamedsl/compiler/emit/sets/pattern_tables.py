"""Sets by the pattern of a changing set around an element: one look-up instead of loops.

{b in near(c) - H: count(near(c) & near(b) & H) = 1}
→
the bits of H at the places near c are gathered to a number, which a table by c turns into bits that are spread over
the places again (PEXT and PDEP)
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.compiler.analysis.local_patterns import Cases, local_patterns
from gamedsl.compiler.emit.expression_code import number, set_words
from gamedsl.compiler.emit.llvm_module import I64, Fn, Value, const, words
from gamedsl.compiler.emit.memory import plus, times
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.language.core import can_fail, offset
from gamedsl.language.core import nodes as n


def by_pattern(f: Fn, e: n.Expr) -> Value | None:
    """Emits a set of this kind. Returns None for other forms, and where the changing set has to be worked out: loops over
    the few members of a union of sets are faster than gathering all of its words."""
    if not f.unit.has_deposit or not isinstance(e.type, n.SetT):
        return None
    patterns = [x for x in local_patterns(e) if isinstance(x.changing, n.Get | n.Load)]
    if not patterns or can_fail(patterns[0].changing, f.unit.program.functions):
        return None
    found = patterns[0]
    x = plus(f, number(f, n.Load(found.element)), -offset(found.element.type))
    return looked_up(f, found.cases, x, set_words(f, found.changing), words(e.type))


def looked_up(f: Fn, cases: Cases, x: ir.Value, held: sets.Words, size: int) -> sets.Words:
    """The set of ``size`` words at the x-th element, if ``held`` is the changing set."""
    b, asked = f.builder, case_of(f, cases.around, x, held)
    starts = f.unit.numbers(("starts", cases.first), cases.first, 32)
    index = b.add(b.zext(b.load(f.unit.at(b, starts, x)), I64), asked)
    byte = b.zext(b.load(f.unit.at(b, f.unit.numbers(("cases", cases.table), cases.table, 8), index)), I64)
    deposit = f.unit.external("llvm.x86.bmi.pdep.64", I64, [I64, I64])
    result, taken = [const(0)] * size, const(0)
    for i, largest in enumerate(words_at(f, cases.results, size, x)):
        if largest is not None:
            result[i] = b.call(deposit, [b.lshr(byte, taken), largest])
            taken = b.add(taken, b.ctpop(largest))
    return tuple(result)


def case_of(f: Fn, around: Sequence[int], x: ir.Value, held: sets.Words) -> ir.Value:
    """The bits that say which of the places around the x-th element are held, lowest first."""
    b, asked, shifted = f.builder, const(0), const(0)
    extract = f.unit.external("llvm.x86.bmi.pext.64", I64, [I64, I64])
    for word, places in zip(held, words_at(f, around, len(held), x), strict=True):
        if places is not None:
            asked = b.or_(asked, b.shl(b.call(extract, [word, places]), shifted))
            shifted = b.add(shifted, b.ctpop(places))
    return asked


def words_at(f: Fn, values: Sequence[int], size: int, x: ir.Value) -> list[ir.Value | None]:
    """The words of the x-th of these sets. None for those that are zero in all of them."""
    mask = (1 << 64) - 1
    flat = [one >> 64 * i & mask for one in values for i in range(size)]
    table = f.unit.numbers(("words", tuple(values), size), flat, 64)
    first = times(f, x, size)
    return [
        f.builder.load(f.unit.at(f.builder, table, plus(f, first, i))) if any(flat[i::size]) else None
        for i in range(size)
    ]
