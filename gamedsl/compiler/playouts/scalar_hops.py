"""Decisions in scalar playouts whose moves are hop masks (``transform/hop_masks.py``): counted, never enumerated."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from llvmlite import ir

from gamedsl.compiler import cutoffs
from gamedsl.compiler.emit.expression_code import as_type, set_words
from gamedsl.compiler.emit.known_values import same_state
from gamedsl.compiler.emit.llvm_module import I64, Fn, bind, const
from gamedsl.compiler.emit.memory import plus
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.transform.hop_masks import DecisionMask, HopMask
from gamedsl.language.core import nodes as n
from gamedsl.language.core import offset


def sets_of(f: Fn, masks: Sequence[DecisionMask | HopMask]) -> list[sets.Words]:
    """The sets of the masks. Common subexpressions are computed once."""
    with same_state(f):
        return [set_words(f, w.over) for w in masks]


def numbered(f: Fn, values: Sequence[sets.Words]) -> tuple[list[ir.Value], ir.Value]:
    """For every set, the number of elements in the sets before it; and the total."""
    before: list[ir.Value] = []
    total: ir.Value = const(0)
    for v in values:
        before.append(total)
        total = f.builder.add(total, sets.count(f, v))
    return before, total


def pick(f: Fn, values: Sequence[sets.Words], before: Sequence[ir.Value], k: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The number of the set that contains the k-th element of all sets, and that element."""
    size = len(values[0])
    if size * len(values) <= cutoffs.SELECTED_WORDS:
        return _selected(f, values, before, k)
    words, starts = f.alloca(I64, max(2, size * len(values))), f.alloca(I64, max(2, len(values)))
    kind: ir.Value = const(0)
    for i, (v, start) in enumerate(zip(values, before, strict=True)):
        for j, w in enumerate(v):
            f.builder.store(w, f.builder.gep(words, [const(0), const(size * i + j)], inbounds=True))
        f.builder.store(start, f.builder.gep(starts, [const(0), const(i)], inbounds=True))
        if i:
            kind = f.builder.add(kind, f.builder.zext(f.builder.icmp_unsigned(">=", k, start), I64))
    at = f.builder.mul(kind, const(size))
    chosen = tuple(f.builder.load(f.builder.gep(words, [const(0), plus(f, at, j)], inbounds=True)) for j in range(size))
    start = f.builder.load(f.builder.gep(starts, [const(0), kind], inbounds=True))
    return kind, sets.pick(f, chosen, f.builder.sub(k, start))


def _selected(
    f: Fn, values: Sequence[sets.Words], before: Sequence[ir.Value], k: ir.Value
) -> tuple[ir.Value, ir.Value]:
    """The same as ``pick``, for few words, without memory."""
    kind: ir.Value = const(0)
    words, start = values[0], before[0]
    for i, (v, first) in enumerate(zip(values[1:], before[1:], strict=True), 1):
        mine = f.builder.icmp_unsigned(">=", k, first)
        words = tuple(f.builder.select(mine, new, old) for new, old in zip(v, words, strict=True))
        start = f.builder.select(mine, first, start)
        kind = f.builder.select(mine, const(i), kind)
    return kind, sets.pick(f, words, f.builder.sub(k, start))


def by_alternative(f: Fn, masks: Sequence[DecisionMask], kind: ir.Value) -> list[tuple[int, ir.Block]]:
    """A block for every alternative, by the number of the chosen mask. Masks are in the order of the alternatives."""
    groups = [(number, len(list(group))) for number, group in groupby(masks, lambda w: w.alternative)]
    found, end = list[tuple[int, ir.Block]](), 0
    for number, count in groups[:-1]:
        end += count
        mine, other = f.block("mine"), f.block("other")
        f.builder.cbranch(f.builder.icmp_unsigned("<", kind, const(end)), mine, other)
        found.append((number, mine))
        f.at(other)
    return [*found, (groups[-1][0], f.builder.block)]


def bind_move(f: Fn, schema: n.Schema, masks: Sequence[DecisionMask | HopMask], kind: ir.Value, x: ir.Value) -> None:
    """Binds the parameters of the move to the element and to the one it leads to."""
    first, *second = (p.local for p in schema.params)
    bind(f, first, as_type(f, plus(f, x, offset(first.type)), first.type))
    if second:
        steps = [w.by or 0 for w in masks]
        table = f.unit.numbers(("steps", tuple(steps)), steps, 16)
        by = f.builder.sext(f.builder.load(f.unit.at(f.builder, table, kind)), I64)
        bind(f, second[0], f.builder.add(x, by))
