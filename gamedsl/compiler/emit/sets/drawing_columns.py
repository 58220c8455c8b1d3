"""SIMD over the elements of a drawing: a condition on a relation of each element, for eight elements at once.

``count b in S: sides(b) within V`` where every ``sides(b)`` is one word: the words are contiguous in the drawing's
record, so a vector holds eight of them. A comparison gives eight bits of the set of those b for which the condition
holds.
"""

from __future__ import annotations

from llvmlite import ir

from gamedsl.compiler.emit.drawing_records import column_address
from gamedsl.compiler.emit.expression_code import set_words
from gamedsl.compiler.emit.llvm_module import I64, Fn, Value, const, in_all_lanes
from gamedsl.compiler.emit.memory_layout import WORD
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.language.core import can_fail, free_locals
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

LANES = 8
MOST = 4 * WORD  # elements at most


@lazy_dataclass(frozen=True)
class _Asked:
    """``relation within other`` or ``relation disjoint other``, possibly negated."""

    relation: n.Arranged
    other: n.Expr
    within: bool
    negated: bool = False


def side_by_side(f: Fn, e: n.Loop) -> Value | None:
    """Emits a quantifier of this form. Returns None for other forms."""
    if not f.unit.has_lanes or e.condition is not None or e.kind not in ("some", "every", "count", "filter"):
        return None
    asked = _asked(e.body)
    if asked is None or not _one_word_each(e, asked) or can_fail(asked.other, f.unit.program.functions):
        return None
    over = set_words(f, e.over)
    holds = _holding(f, asked, len(over))
    found = sets.without(f, over, holds) if asked.negated else sets.both(f, over, holds)
    return sets.quantified(f, e.kind, over, found)


def _asked(e: n.Expr) -> _Asked | None:
    match e:
        case n.Op1(op="not", operand=inner):
            found = _asked(inner)
            return None if found is None else _Asked(found.relation, found.other, found.within, not found.negated)
        case n.Op2(op="within" | "disjoint", left=n.Arranged() as relation, right=other):
            return _Asked(relation, other, e.op == "within")
        case n.Op2(op="disjoint", left=other, right=n.Arranged() as relation):
            return _Asked(relation, other, False)
        case _:
            return None


def _one_word_each(e: n.Loop, asked: _Asked) -> bool:
    t, args = asked.relation.type, asked.relation.args
    if not isinstance(t, n.SetT) or t.domain.size > WORD or not isinstance(e.local.type, n.ElemT):
        return False
    own = len(args) == 1 and isinstance(args[0], n.Load) and args[0].local.id == e.local.id
    return own and e.local.type.domain.size <= MOST and e.local.id not in free_locals(asked.other)


def _holding(f: Fn, asked: _Asked, size: int) -> sets.Words:
    """The elements that satisfy the condition, in ``size`` words. Bits beyond the drawing are undefined."""
    (other,) = set_words(f, asked.other)
    if asked.within:
        other = f.builder.not_(other)
    assert isinstance(asked.relation.args[0].type, n.ElemT)
    total, column = asked.relation.args[0].type.domain.size, column_address(f, asked.relation)
    words: list[ir.Value] = [const(0)] * size
    for first in range(0, total, LANES):
        lanes = min(LANES, total - first)
        vector = ir.VectorType(I64, lanes)
        at = f.builder.bitcast(f.builder.gep(column, [const(first)], inbounds=True), vector.as_pointer())
        values = f.builder.load(at)
        values.align = 8
        none = f.builder.icmp_unsigned(
            "==", f.builder.and_(values, in_all_lanes(f.builder, other, lanes)), ir.Constant(vector, [0] * lanes)
        )
        bits = f.builder.zext(f.builder.bitcast(none, ir.IntType(lanes)), I64)
        word, place = divmod(first, WORD)
        words[word] = f.builder.or_(words[word], f.builder.shl(bits, const(place)))
    return tuple(words)
