"""Loops over the members of a set."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from gamedsl.compiler import cutoffs
from gamedsl.compiler.emit.llvm_module import I64, Fn, const, flag
from gamedsl.compiler.emit.memory import plus
from gamedsl.compiler.emit.sets.set_words import Words
from gamedsl.language.core import nodes as n
from gamedsl.language.core import offset


def each(f: Fn, over: n.Expr, words: Words | None, t: n.ValueT, body: Callable[[ir.Value], None]) -> None:
    """Emits ``body`` for every member of a set, in ascending order. ``words`` is the set's value unless it is constant.

    The body may branch out of the loop. If it falls through, the next member follows.
    """
    low = offset(t)
    if isinstance(over, n.Const):
        _each_constant(f, over.value, low, body)
    else:
        assert words is not None
        each_member(f, words, low, body)


def _each_constant(f: Fn, bits: int, low: int, body: Callable[[ir.Value], None]) -> None:
    number = bits.bit_count()
    if number <= cutoffs.UNROLLED_MEMBERS:
        while bits:
            first = (bits & -bits).bit_length() - 1
            body(const(first + low))
            bits &= bits - 1
            if bits and f.builder.block.is_terminated:
                return
        return
    first = (bits & -bits).bit_length() - 1
    if bits >> first == (1 << number) - 1:
        _each_number(f, first, first + number, low, body)
        return
    members = [i for i in range(bits.bit_length()) if bits >> i & 1]
    table = f.unit.numbers(("members", bits), members, 16 if bits.bit_length() < 1 << 15 else 64)

    def member(i: ir.Value) -> None:
        value = f.builder.zext(f.builder.load(f.unit.at(f.builder, table, i)), I64)
        body(plus(f, value, low))

    _each_number(f, 0, number, 0, member)


def _each_number(f: Fn, start: int, end: int, low: int, body: Callable[[ir.Value], None]) -> None:
    before = f.builder.block
    head, done = f.block("count"), f.block("counted")
    f.goto(head)
    f.at(head)
    i = f.builder.phi(I64)
    i.add_incoming(const(start), before)
    body(plus(f, i, low))
    if not f.builder.block.is_terminated:
        following = f.builder.add(i, const(1))
        i.add_incoming(following, f.builder.block)
        f.builder.cbranch(f.builder.icmp_unsigned("<", following, const(end)), head, done)
    f.at(done)


def each_below(f: Fn, count: ir.Value, body: Callable[[ir.Value], None]) -> None:
    """Emits ``body`` for 0 .. n - 1."""
    before, head, inside, done = f.builder.block, f.block("head"), f.block("inside"), f.block("done")
    f.goto(head)
    f.at(head)
    i = f.builder.phi(I64)
    i.add_incoming(const(0), before)
    f.builder.cbranch(f.builder.icmp_unsigned("<", i, count), inside, done)
    f.at(inside)
    body(i)
    i.add_incoming(f.builder.add(i, const(1)), f.builder.block)
    f.builder.branch(head)
    f.at(done)


def each_member(f: Fn, words: Words, low: int, body: Callable[[ir.Value], None]) -> None:
    if len(words) == 1:
        _each_bit(f, words[0], const(low), body)
        return
    ptr = f.alloca(I64, len(words))
    for i, w in enumerate(words):
        f.builder.store(w, f.builder.gep(ptr, [const(0), const(i)], inbounds=True))

    def word(i: ir.Value) -> None:
        w = f.builder.load(f.builder.gep(ptr, [const(0), i], inbounds=True))
        base = f.builder.add(f.builder.shl(i, const(6)), const(low))
        _each_bit(f, w, base, body)

    _each_number(f, 0, len(words), 0, word)


def _each_bit(f: Fn, word: ir.Value, base: ir.Value, body: Callable[[ir.Value], None]) -> None:
    before = f.builder.block
    head, inside, done = f.block("bits"), f.block("bit"), f.block("after")
    f.goto(head)
    f.at(head)
    left = f.builder.phi(I64)
    left.add_incoming(word, before)
    f.builder.cbranch(f.builder.icmp_unsigned("==", left, const(0)), done, inside)
    f.at(inside)
    body(f.builder.add(f.builder.cttz(left, flag(True)), base))
    if not f.builder.block.is_terminated:
        left.add_incoming(f.builder.and_(left, f.builder.sub(left, const(1))), f.builder.block)
        f.builder.branch(head)
    f.at(done)
