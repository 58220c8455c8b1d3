"""Enumerates all actions of a state, in order; the common part of ``expand`` and ``fan``."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from gamedsl.compiler.emit.action_code import count, move
from gamedsl.compiler.emit.advance_code import advance, carry_out
from gamedsl.compiler.emit.apply import apply
from gamedsl.compiler.emit.expression_code import number
from gamedsl.compiler.emit.llvm_module import I64, Fn, const
from gamedsl.compiler.emit.memory import alloca_record, copy_state, plus
from gamedsl.compiler.emit.move_code import Args, visit
from gamedsl.compiler.emit.statement_code import do_steps
from gamedsl.compiler.emit.stop_code import here, offered
from gamedsl.language.core import is_stop
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class Children:
    """The successors after the first ``most`` actions. ``made_at`` gives the address of the successor with this number;
    ``finish`` completes it while it is the current state."""

    most: ir.Value
    made_at: Callable[[ir.Value], ir.Value]
    finish: Callable[[ir.Value], None]


def successors(f: Fn, children: Children) -> ir.Value:
    """Emits the successors of the current state. Returns the number of actions."""
    total = f.alloca(I64)
    f.builder.store(const(0), total)
    other, done = f.block("other"), f.block("done")
    switch = f.builder.switch(here(f), other)
    for block in f.unit.program.blocks:
        if isinstance(block.end, n.Decide) and is_stop(block):
            case = f.block(f"stop{block.index}")
            switch.add_case(const(block.index), case)
            f.at(case)
            _moves(f, block.end, children, total)
            f.builder.branch(done)
    f.at(other)
    _one_by_one(f, children, total)
    f.builder.branch(done)
    f.at(done)
    return f.builder.load(total)


def _moves(f: Fn, end: n.Decide, children: Children, total: ir.Value) -> None:
    mover = number(f, end.mover)
    for _, alt in offered(f, end):

        def leaf(args: Args, alt: n.Alt = alt) -> None:
            def do() -> None:
                do_steps(f, end.tick, f.s)
                carry_out(f, alt, mover, args)

            _child(f, children, total, do, alt.target)

        visit(f, alt.schema, mover, leaf, end.tick, True)
    if end.may_pass is not None:
        _child(f, children, total, lambda: do_steps(f, end.tick, f.s), end.may_pass)


def _child(f: Fn, children: Children, total: ir.Value, do: Callable[[], None], target: int | None) -> None:
    """Emits one successor, if it is among the first ``most``."""
    i, parent = f.builder.load(total), f.s
    fits, full = f.block("room"), f.block("written")
    f.builder.cbranch(f.builder.icmp_signed("<", i, children.most), fits, full)
    f.at(fits)
    f.s = children.made_at(i)
    copy_state(f, f.s, parent)
    do()
    if target is not None:
        f.builder.call(advance(f.unit), [f.ctx, f.s, const(target)])
    children.finish(i)
    f.s = parent
    f.builder.branch(full)
    f.at(full)
    f.builder.store(plus(f, i, 1), total)


def _one_by_one(f: Fn, children: Children, total: ir.Value) -> None:
    """Applies the actions at all other stops by their numbers."""
    size = f.builder.call(count(f.unit), [f.ctx, f.s])
    record = alloca_record(f)
    head, inside, done = f.block("action"), f.block("inside"), f.block("actions")
    f.builder.branch(head)
    f.at(head)
    f.builder.cbranch(f.builder.icmp_signed("<", f.builder.load(total), size), inside, done)
    f.at(inside)

    def do() -> None:
        f.builder.call(move(f.unit), [f.ctx, f.s, f.builder.load(total), record])
        f.builder.call(apply(f.unit), [f.ctx, f.s, record])

    _child(f, children, total, do, None)
    f.builder.branch(head)
    f.at(done)
