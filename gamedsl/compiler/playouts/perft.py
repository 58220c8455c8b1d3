"""Perft: counts sequences of plies."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.compiler.emit.action_code import count, move
from gamedsl.compiler.emit.advance_code import status
from gamedsl.compiler.emit.apply import apply
from gamedsl.compiler.emit.entries.module_entries import kind
from gamedsl.compiler.emit.llvm_module import CTX_USED, I1, I64, Fn, Unit, const
from gamedsl.compiler.emit.memory import alloca_record, context_field, copy_state, plus
from gamedsl.language.core import nodes as n


def perft(unit: Unit) -> ir.Function:
    """``perft(ctx, s, depth) -> n``: the number of sequences of exactly ``depth`` plies. Simultaneous choices count as
    one ply."""
    return unit.function("perft", "perft", I64, [I64], _perft, public=True)


def _perft(f: Fn, values: Sequence[ir.Value]) -> None:
    unit, (depth,) = f.unit, values
    zero, deep, flat = f.block("zero"), f.block("deep"), f.block("flat")
    f.builder.cbranch(f.builder.icmp_signed("<=", depth, const(0)), zero, deep)
    f.at(zero)
    f.builder.ret(const(1))
    f.at(deep)
    together = any(isinstance(b.end, n.DecideTogether) for b in unit.program.blocks)
    what = f.builder.call(kind(unit), [f.ctx, f.s])
    joint = f.builder.icmp_unsigned("==", what, const(n.DecideTogether.kind)) if together else ir.Constant(I1, 0)
    leaf = f.builder.and_(f.builder.icmp_signed("==", depth, const(1)), f.builder.not_(joint))
    number = f.builder.call(count(unit), [f.ctx, f.s])
    many = f.block("many")
    f.builder.cbranch(leaf, flat, many)
    f.at(flat)
    f.builder.ret(f.builder.select(f.builder.icmp_signed("<", status(f), const(0)), const(-1), number))
    f.at(many)
    there, used = f.scratch(), f.builder.load(context_field(f, CTX_USED))
    record = alloca_record(f)
    before, head, inside, done = f.builder.block, f.block("action"), f.block("inside"), f.block("all")
    f.builder.branch(head)
    f.at(head)
    k, total = f.builder.phi(I64), f.builder.phi(I64)
    k.add_incoming(const(0), before)
    total.add_incoming(const(0), before)
    f.builder.cbranch(f.builder.icmp_unsigned("<", k, number), inside, done)
    f.at(inside)
    copy_state(f, there, f.s)
    f.builder.call(move(unit), [f.ctx, there, k, record])
    state = f.builder.call(apply(unit), [f.ctx, there, record])
    wrong, fine = f.block("wrong"), f.block("fine")
    f.builder.cbranch(f.builder.icmp_signed("<", state, const(0)), wrong, fine)
    f.at(wrong)
    f.builder.ret(const(-1))
    f.at(fine)
    still = f.builder.and_(joint, _same_stop(f, there))
    less = f.builder.select(still, depth, plus(f, depth, -1))
    below = f.builder.call(perft(unit), [f.ctx, there, less])
    f.builder.store(used, context_field(f, CTX_USED))
    ok = f.block("counted")
    f.builder.cbranch(f.builder.icmp_signed("<", below, const(0)), wrong, ok)
    f.at(ok)
    k.add_incoming(plus(f, k, 1), f.builder.block)
    total.add_incoming(f.builder.add(total, below), f.builder.block)
    f.builder.branch(head)
    f.at(done)
    f.builder.ret(total)


def _same_stop(f: Fn, there: ir.Value) -> ir.Value:
    """Whether a simultaneous choice is still open in that state."""
    if not f.unit.frame.movers:
        return ir.Constant(I1, 0)
    at = f.builder.bitcast(f.builder.gep(there, [const(f.unit.frame.pending)], inbounds=True), I64.as_pointer())
    total = f.builder.load(at)
    for m in range(1, f.unit.frame.movers):
        total = f.builder.or_(total, f.builder.load(f.builder.gep(at, [const(m)], inbounds=True)))
    return f.builder.icmp_unsigned("!=", total, const(0))
