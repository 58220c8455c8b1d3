"""Quantifiers, counts, sums and comprehensions as loops."""

from __future__ import annotations

from llvmlite import ir

from gamedsl.compiler.emit.expression_code import as_type, boolean, expr, number, set_words
from gamedsl.compiler.emit.llvm_module import I1, I64, Fn, Value, bind, const, flag, words
from gamedsl.compiler.emit.memory import fail_if, plus
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.sets.set_loops import each
from gamedsl.language.core import limits, offset
from gamedsl.language.core import nodes as n


def loop(f: Fn, e: n.Loop) -> Value:
    """Emits a loop over a set, element by element."""
    match e.kind:
        case "some" | "every":
            return _quantifier(f, e)
        case "count" | "sum":
            return _total(f, e)
        case "max" | "min":
            return _extreme(f, e)
        case "union" | "filter":
            return _gathered(f, e)


def _over(f: Fn, e: n.Loop) -> sets.Words | None:
    return None if isinstance(e.over, n.Const) else set_words(f, e.over)


def _bound(f: Fn, e: n.Loop, x: ir.Value) -> None:
    """Binds the loop's name to this member."""
    bind(f, e.local, as_type(f, x, e.local.type))


def _when(f: Fn, condition: n.Expr | None, following: ir.Block) -> None:
    """Continues if the condition holds, else branches to ``following``."""
    if condition is not None:
        inside = f.block("holds")
        f.builder.cbranch(boolean(f, condition), inside, following)
        f.at(inside)


def _quantifier(f: Fn, e: n.Loop) -> ir.Value:
    """Emits ``some`` or ``every``, which leaves the loop at the first member that decides it."""
    result = f.alloca(I1)
    f.builder.store(flag(e.kind == "every"), result)
    over, done = _over(f, e), f.block("decided")
    found = f.block("found")

    def body(x: ir.Value) -> None:
        following = f.block("next")
        _bound(f, e, x)
        _when(f, e.condition, following)
        holds = boolean(f, e.body)
        f.builder.cbranch(holds, *((found, following) if e.kind == "some" else (following, found)))
        f.at(following)

    each(f, e.over, over, e.local.type, body)
    f.goto(done)
    f.at(found)
    f.builder.store(flag(e.kind == "some"), result)
    f.builder.branch(done)
    f.at(done)
    return f.builder.load(result)


def _total(f: Fn, e: n.Loop) -> ir.Value:
    total = f.alloca(I64)
    f.builder.store(const(0), total)

    def body(x: ir.Value) -> None:
        following = f.block("next")
        _bound(f, e, x)
        _when(f, e.condition, following)
        f.builder.store(f.builder.add(f.builder.load(total), number(f, e.body)), total)
        f.goto(following)
        f.at(following)

    each(f, e.over, _over(f, e), e.local.type, body)
    return f.builder.load(total)


def _extreme(f: Fn, e: n.Loop) -> Value:
    best, any_yet = f.alloca(I64), f.alloca(I1)
    f.builder.store(const(limits(e.type)[0]), best)
    f.builder.store(flag(False), any_yet)

    def body(x: ir.Value) -> None:
        following = f.block("next")
        _bound(f, e, x)
        _when(f, e.condition, following)
        value, old = number(f, e.body), f.builder.load(best)
        better = f.builder.icmp_signed(">" if e.kind == "max" else "<", value, old)
        better = f.builder.or_(better, f.builder.not_(f.builder.load(any_yet)))
        f.builder.store(f.builder.select(better, value, old), best)
        f.builder.store(flag(True), any_yet)
        f.goto(following)
        f.at(following)

    each(f, e.over, _over(f, e), e.local.type, body)
    fail_if(f, f.builder.not_(f.builder.load(any_yet)), e.span, f"there is nothing to take the {e.kind} of")
    return as_type(f, f.builder.load(best), e.type)


def _gathered(f: Fn, e: n.Loop) -> Value:
    """The union of sets, or the set of members that satisfy the body."""
    size = words(e.type)
    total = f.alloca(I64, size) if size > 1 else f.alloca(I64)
    parts = [total] if size == 1 else [f.builder.gep(total, [const(0), const(i)], inbounds=True) for i in range(size)]
    for part in parts:
        f.builder.store(const(0), part)

    def body(x: ir.Value) -> None:
        following = f.block("next")
        _bound(f, e, x)
        _when(f, e.condition, following)
        if e.kind == "filter":
            _when(f, e.body, following)
            added = sets.single(f, plus(f, x, -offset(e.local.type)), size)
        else:
            value = expr(f, e.body)
            assert isinstance(value, tuple)
            added = value
        for part, w in zip(parts, added, strict=True):
            f.builder.store(f.builder.or_(f.builder.load(part), w), part)
        f.goto(following)
        f.at(following)

    each(f, e.over, _over(f, e), e.local.type, body)
    return tuple(f.builder.load(part) for part in parts)
