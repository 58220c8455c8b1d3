"""All successors of a state as states, not as rows: ``fan(ctx, s, out, most) -> n``.

Writes the blocks after the first ``most`` ways on, in their order, one behind another at ``out``; n is the number of ways
on. A way that ends in a rules error leaves minus the error's place where its block's number would stand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from gamedsl.core.nodes import Alt, Decide
from gamedsl.core.traverse import is_stop
from gamedsl.native.expr import number
from gamedsl.native.memory import copy_state, field, plus, pointer, record_room
from gamedsl.native.moves import Args, visit
from gamedsl.native.stmt import do_steps
from gamedsl.native.stops import apply, carry_out, count, here, move, offered, settle
from gamedsl.native.unit import CTX_ERROR, I32, I64, PTR, Fn, Unit, const


def fan(u: Unit) -> ir.Function:
    """The entry point; see above."""
    return u.function("fan", "fan", I64, [PTR, I64], _fan, public=True)


def _fan(f: Fn, values: Sequence[ir.Value]) -> None:
    out, most = values
    total = f.room(I64)
    f.b.store(const(0), total)
    other, done = f.block("other"), f.block("done")
    switch = f.b.switch(here(f), other)
    for block in f.u.program.blocks:
        if isinstance(block.end, Decide) and is_stop(block):
            case = f.block(f"stop{block.index}")
            switch.add_case(const(block.index), case)
            f.at(case)
            _moves(f, block.end, out, most, total)
            f.b.branch(done)
    f.at(other)
    _one_by_one(f, out, most, total)
    f.b.branch(done)
    f.at(done)
    f.b.ret(f.b.load(total))


def _moves(f: Fn, end: Decide, out: ir.Value, most: ir.Value, total: ir.Value) -> None:
    mover = number(f, end.mover)
    for _, alt in offered(f, end):

        def leaf(args: Args, alt: Alt = alt) -> None:
            def do() -> None:
                do_steps(f, end.tick, f.s)
                carry_out(f, alt, mover, args)

            _child(f, out, most, total, do, alt.target)

        visit(f, alt.schema, mover, leaf, end.tick, True)
    if end.may_pass is not None:
        _child(f, out, most, total, lambda: do_steps(f, end.tick, f.s), end.may_pass)


def _child(
    f: Fn, out: ir.Value, most: ir.Value, total: ir.Value, do: Callable[[], None], target: int | None
) -> None:  # fmt: skip
    """One successor, if there is room for it."""
    i, parent = f.b.load(total), f.s
    room, full = f.block("room"), f.block("written")
    f.b.cbranch(f.b.icmp_signed("<", i, most), room, full)
    f.at(room)
    f.s = f.b.gep(out, [f.b.mul(i, const(f.u.frame.size))], inbounds=True)
    copy_state(f, f.s, parent)
    do()
    if target is not None:
        f.b.call(settle(f.u), [f.ctx, f.s, const(target)])
    _mark(f)
    f.s = parent
    f.b.branch(full)
    f.at(full)
    f.b.store(plus(f, i, 1), total)


def _mark(f: Fn) -> None:
    """Puts the place of a rules error into the block, and forgets it."""
    at = field(f, CTX_ERROR)
    wrong = f.b.load(at)
    with f.b.if_then(f.b.icmp_unsigned("!=", wrong, const(0)), likely=False):
        f.b.store(f.b.trunc(f.b.neg(wrong), I32), pointer(f, f.s, 0, I32))
        f.b.store(const(0), at)


def _one_by_one(f: Fn, out: ir.Value, most: ir.Value, total: ir.Value) -> None:
    """The ways on at other stops, by their numbers."""
    n = f.b.call(count(f.u), [f.ctx, f.s])
    record = record_room(f)
    head, inside, done = f.block("way"), f.block("inside"), f.block("ways")
    f.b.branch(head)
    f.at(head)
    f.b.cbranch(f.b.icmp_signed("<", f.b.load(total), n), inside, done)
    f.at(inside)

    def do() -> None:
        f.b.call(move(f.u), [f.ctx, f.s, f.b.load(total), record])
        f.b.call(apply(f.u), [f.ctx, f.s, record])

    _child(f, out, most, total, do, None)
    f.b.branch(head)
    f.at(done)
