"""Lazy evaluation of calls and sets that do not depend on the move: computed once, on first use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field

from llvmlite import ir

from gamedsl.compiler.emit.expression_code import call_function, expr
from gamedsl.compiler.emit.llvm_module import I8, Fn, Value, spread
from gamedsl.language.core import children, free_locals, walk
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass()
class LazyCalls:
    """Calls and sets that are evaluated lazily here."""

    once: dict[n.Expr, LazyCall] = field(default_factory=dict)


def lazy_call(f: Fn, e: n.CallF) -> Value | None:
    """Emits a call that is evaluated on first use. Returns None for other calls."""
    once = f.features.of(LazyCalls).once
    later = once.get(e) if once else None
    return None if later is None else later.value(f, lambda: call_function(f, e))


def lazy_set(f: Fn, e: n.Op2 | n.Loop) -> Value | None:
    """Emits a set that is evaluated on first use. Returns None for other expressions."""
    calls = f.features.of(LazyCalls)
    later = calls.once.get(e) if calls.once else None
    return None if later is None else later.value(f, lambda: _at_once(f, calls, e))


def _at_once(f: Fn, calls: LazyCalls, e: n.Expr) -> Value:
    later = calls.once.pop(e)
    try:
        return expr(f, e)
    finally:
        calls.once[e] = later


class LazyCall:
    """The cached value of one call or set. It is unknown on entry to the block ``since``."""

    def __init__(self, f: Fn, call: n.Expr, since: ir.Block) -> None:
        self.known = flag_of(f, since)
        self.is_set = isinstance(call.type, n.SetT)
        self.ptrs = [f.alloca(t) for t in f.unit.type_of(call.type)]

    def value(self, f: Fn, ask: Callable[[], Value]) -> Value:
        asking, done = f.block("ask"), f.block("asked")
        f.builder.cbranch(f.builder.icmp_unsigned("==", f.builder.load(self.known), ir.Constant(I8, 0)), asking, done)
        f.at(asking)
        for ptr, part in zip(self.ptrs, spread(ask()), strict=True):
            f.builder.store(part, ptr)
        f.builder.store(ir.Constant(I8, 1), self.known)
        f.builder.branch(done)
        f.at(done)
        parts = tuple(f.builder.load(ptr) for ptr in self.ptrs)
        return parts if self.is_set else parts[0]


def flag_of(f: Fn, since: ir.Block) -> ir.Value:
    """A byte that is cleared on entry to the block."""
    known, at = f.alloca(I8), ir.IRBuilder(since)
    at.position_at_start(since)
    at.store(ir.Constant(I8, 0), known)
    if f.builder.block is since:
        f.builder.position_at_end(since)
    return known


def evaluated_once(plan: Sequence[n.Bind | n.Test], own: set[int]) -> list[n.Expr]:
    """The calls, and the sets made by loops, inside the loops of a plan that depend neither on its parameters nor on names
    bound in the expression around them."""
    found: dict[n.Expr, None] = {}
    looping = False
    for step in plan:
        e = step.over if isinstance(step, n.Bind) else step.condition
        if looping:
            outside = free_locals(e).keys() - own
            calls = (x for x in walk(e) if isinstance(x, n.CallF))
            found |= dict.fromkeys(x for x in calls if free_locals(x).keys() <= outside)
            found |= dict.fromkeys(_sets_once(e, outside))
        looping = looping or isinstance(step, n.Bind)
    return list(found)


def _sets_once(e: n.Expr, outside: set[int]) -> Iterator[n.Expr]:
    """The largest sets made by loops that depend on no other names than these."""
    if isinstance(e, n.Op2 | n.Loop) and isinstance(e.type, n.SetT) and free_locals(e).keys() <= outside:
        if any(isinstance(x, n.Loop) for x in walk(e)):
            yield e
        return
    for x in children(e):
        yield from _sets_once(x, outside)
