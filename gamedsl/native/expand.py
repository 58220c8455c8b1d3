"""All successors of a state at once: ``expand(ctx, row, out, most) -> n``.

Writes the states after the first ``most`` ways on from the state of a row, in their order, as one row after another at
``out``; n is the number of ways on. Where one ends in a rules error, its row has no meaning, and the error stays in the
context.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from llvmlite import ir

from gamedsl.core.nodes import Alt, Decide
from gamedsl.core.traverse import is_stop
from gamedsl.native.expr import number
from gamedsl.native.memory import copy_state, plus, record_room
from gamedsl.native.moves import Args, visit
from gamedsl.native.rows import Rows, pack, unpack
from gamedsl.native.stmt import do_steps
from gamedsl.native.stops import apply, carry_out, count, here, move, offered, settle
from gamedsl.native.unit import I64, PTR, Fn, Unit, const


@dataclass(frozen=True)
class _Out:
    """Where successors go: room for ``most`` rows at ``rows``, each ``size`` bytes; each is made in ``child``; ``total`` is
    where their number is kept."""

    rows: ir.Value
    most: ir.Value
    size: int
    child: ir.Value
    total: ir.Value


def expand(u: Unit) -> ir.Function:
    """The entry point; see above."""
    return u.function("expand", "expand", I64, [PTR, I64], _expand, public=True)


def _expand(f: Fn, values: Sequence[ir.Value]) -> None:
    row, state = f.s, f.scratch()
    out = _Out(values[0], values[1], 8 * Rows.of(f.u.frame).words, f.scratch(), f.room(I64))
    f.b.call(unpack(f.u), [f.ctx, state, row])
    f.b.store(const(0), out.total)
    f.s = state
    other, done = f.block("other"), f.block("done")
    switch = f.b.switch(here(f), other)
    for block in f.u.program.blocks:
        if isinstance(block.end, Decide) and is_stop(block):
            case = f.block(f"stop{block.index}")
            switch.add_case(const(block.index), case)
            f.at(case)
            _moves(f, block.end, out)
            f.b.branch(done)
    f.at(other)
    _one_by_one(f, out)
    f.b.branch(done)
    f.at(done)
    f.b.ret(f.b.load(out.total))


def _moves(f: Fn, end: Decide, out: _Out) -> None:
    mover = number(f, end.mover)
    for _, alt in offered(f, end):

        def leaf(args: Args, alt: Alt = alt) -> None:
            def do() -> None:
                do_steps(f, end.tick, f.s)
                carry_out(f, alt, mover, args)

            _child(f, out, do, alt.target)

        visit(f, alt.schema, mover, leaf, end.tick, True)
    if end.may_pass is not None:
        _child(f, out, lambda: do_steps(f, end.tick, f.s), end.may_pass)


def _child(f: Fn, out: _Out, do: Callable[[], None], target: int | None) -> None:
    """One successor, if there is room for it."""
    i, parent = f.b.load(out.total), f.s
    room, full = f.block("room"), f.block("written")
    f.b.cbranch(f.b.icmp_signed("<", i, out.most), room, full)
    f.at(room)
    f.s = out.child
    copy_state(f, f.s, parent)
    do()
    if target is not None:
        f.b.call(settle(f.u), [f.ctx, f.s, const(target)])
    f.b.call(pack(f.u), [f.ctx, f.s, f.b.gep(out.rows, [f.b.mul(i, const(out.size))], inbounds=True)])
    f.s = parent
    f.b.branch(full)
    f.at(full)
    f.b.store(plus(f, i, 1), out.total)


def _one_by_one(f: Fn, out: _Out) -> None:
    """The ways on at other stops, by their numbers."""
    n = f.b.call(count(f.u), [f.ctx, f.s])
    record = record_room(f)
    head, inside, done = f.block("way"), f.block("inside"), f.block("ways")
    f.b.branch(head)
    f.at(head)
    f.b.cbranch(f.b.icmp_signed("<", f.b.load(out.total), n), inside, done)
    f.at(inside)

    def do() -> None:
        f.b.call(move(f.u), [f.ctx, f.s, f.b.load(out.total), record])
        f.b.call(apply(f.u), [f.ctx, f.s, record])

    _child(f, out, do, None)
    f.b.branch(head)
    f.at(done)
