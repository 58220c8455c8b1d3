"""The elements beyond the first blocker on a ray, by a few operations on words (bit scan, as for sliding pieces in
chess).

``union of R(x) for x in R(s) & B``, with R a rising chain (``transform/visibility.py``), is R(s) above the lowest bit
of ``R(s) & B``; with a falling one, R(s) below the highest. Sets of several words are treated as one wide integer.
"""

from __future__ import annotations

from llvmlite import ir

from gamedsl.compiler.emit.expression_code import set_words
from gamedsl.compiler.emit.llvm_module import I64, Fn, flag
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.transform.visibility import RISING, ahead, chain
from gamedsl.language.core import nodes as n


def beyond_first(f: Fn, e: n.Loop) -> sets.Words | None:
    """Emits a loop of this form. Returns None for other forms."""
    ray = ahead(e)
    if ray is None:
        return None
    assert isinstance(e.over, n.Op2)
    line, others = set_words(f, ray), set_words(f, e.over.right)
    t = ir.IntType(64 * len(line))
    whole, met = _wide(f, line, t), _wide(f, sets.both(f, line, others), t)
    one = ir.Constant(t, 1)
    if chain(ray.table.values) == RISING:
        up_to_lowest = f.builder.xor(met, f.builder.sub(met, one))
        return _words(f, f.builder.and_(whole, f.builder.not_(up_to_lowest)), len(line))
    highest = f.builder.sub(ir.Constant(t, t.width - 1), f.builder.ctlz(f.builder.or_(met, one), flag(True)))
    return _words(f, f.builder.and_(whole, f.builder.sub(f.builder.shl(one, highest), one)), len(line))


def _wide(f: Fn, words: sets.Words, t: ir.IntType) -> ir.Value:
    """The words as one number, least significant first."""
    total = words[0] if len(words) == 1 else f.builder.zext(words[0], t)
    for i, w in enumerate(words[1:], 1):
        total = f.builder.or_(total, f.builder.shl(f.builder.zext(w, t), ir.Constant(t, 64 * i)))
    return total


def _words(f: Fn, x: ir.Value, count: int) -> sets.Words:
    if count == 1:
        return (x,)
    return tuple(f.builder.trunc(f.builder.lshr(x, ir.Constant(x.type, 64 * i)), I64) for i in range(count))
