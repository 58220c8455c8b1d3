"""Counting sequences of plies."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.core.nodes import DecideTogether
from gamedsl.native.emit.actions import count, move
from gamedsl.native.emit.advance import status
from gamedsl.native.emit.apply import apply
from gamedsl.native.emit.entries.entry_points import kind
from gamedsl.native.emit.memory import context_field, copy_state, plus, record_room
from gamedsl.native.emit.module_builder import CTX_USED, I1, I64, Fn, Unit, const
from gamedsl.native.emit.stops import KINDS


def perft(u: Unit) -> ir.Function:
    """``perft(ctx, s, depth) -> n``: sequences of exactly so many plies; secret choices made at once are one ply."""
    return u.function("perft", "perft", I64, [I64], _perft, public=True)


def _perft(f: Fn, values: Sequence[ir.Value]) -> None:
    u, (depth,) = f.u, values
    zero, deep, flat = f.block("zero"), f.block("deep"), f.block("flat")
    f.b.cbranch(f.b.icmp_signed("<=", depth, const(0)), zero, deep)
    f.at(zero)
    f.b.ret(const(1))
    f.at(deep)
    together = any(isinstance(b.end, DecideTogether) for b in u.program.blocks)
    what = f.b.call(kind(u), [f.ctx, f.s])
    joint = f.b.icmp_unsigned("==", what, const(KINDS[DecideTogether])) if together else ir.Constant(I1, 0)
    leaf = f.b.and_(f.b.icmp_signed("==", depth, const(1)), f.b.not_(joint))
    n = f.b.call(count(u), [f.ctx, f.s])
    many = f.block("many")
    f.b.cbranch(leaf, flat, many)
    f.at(flat)
    f.b.ret(f.b.select(f.b.icmp_signed("<", status(f), const(0)), const(-1), n))
    f.at(many)
    there, used = f.scratch(), f.b.load(context_field(f, CTX_USED))
    record = record_room(f)
    before, head, inside, done = f.b.block, f.block("way"), f.block("inside"), f.block("all")
    f.b.branch(head)
    f.at(head)
    k, total = f.b.phi(I64), f.b.phi(I64)
    k.add_incoming(const(0), before)
    total.add_incoming(const(0), before)
    f.b.cbranch(f.b.icmp_unsigned("<", k, n), inside, done)
    f.at(inside)
    copy_state(f, there, f.s)
    f.b.call(move(u), [f.ctx, there, k, record])
    state = f.b.call(apply(u), [f.ctx, there, record])
    wrong, fine = f.block("wrong"), f.block("fine")
    f.b.cbranch(f.b.icmp_signed("<", state, const(0)), wrong, fine)
    f.at(wrong)
    f.b.ret(const(-1))
    f.at(fine)
    still = f.b.and_(joint, _same_stop(f, there))
    less = f.b.select(still, depth, plus(f, depth, -1))
    below = f.b.call(perft(u), [f.ctx, there, less])
    f.b.store(used, context_field(f, CTX_USED))
    ok = f.block("counted")
    f.b.cbranch(f.b.icmp_signed("<", below, const(0)), wrong, ok)
    f.at(ok)
    k.add_incoming(plus(f, k, 1), f.b.block)
    total.add_incoming(f.b.add(total, below), f.b.block)
    f.b.branch(head)
    f.at(done)
    f.b.ret(total)


def _same_stop(f: Fn, there: ir.Value) -> ir.Value:
    """Have some of those who choose at once still to choose there?"""
    if not f.u.frame.movers:
        return ir.Constant(I1, 0)
    at = f.b.bitcast(f.b.gep(there, [const(f.u.frame.pending)], inbounds=True), I64.as_pointer())
    total = f.b.load(at)
    for m in range(1, f.u.frame.movers):
        total = f.b.or_(total, f.b.load(f.b.gep(at, [const(m)], inbounds=True)))
    return f.b.icmp_unsigned("!=", total, const(0))
