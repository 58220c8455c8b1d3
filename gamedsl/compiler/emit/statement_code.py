"""Statements of the Core -> LLVM code that updates the state at ``f.s``."""

from __future__ import annotations

from collections.abc import Iterator

from llvmlite import ir

from gamedsl.compiler.emit.expression_code import as_type, boolean, expr, numbers, set_words
from gamedsl.compiler.emit.history_code import note
from gamedsl.compiler.emit.llvm_module import (
    I8,
    I32,
    I64,
    VOID,
    Fn,
    Value,
    bind,
    const,
    flag,
    gather,
    set_const,
    spread,
)
from gamedsl.compiler.emit.memory import (
    fail_if,
    height,
    inner_type,
    item_address,
    plus,
    set_height,
    store_cell,
    store_slot,
    variable,
)
from gamedsl.compiler.emit.memory_layout import cell_of, words_of
from gamedsl.compiler.emit.sets.set_loops import each
from gamedsl.compiler.emit.sets.simd_numbers import simd_update
from gamedsl.compiler.emit.sets.simd_puts import simd_puts
from gamedsl.language.core import nodes as n
from gamedsl.language.core import statement_exprs, walk, walk_statements
from gamedsl.language.source import Span


def statements(f: Fn, stmts: tuple[n.CoreStmt, ...]) -> None:
    """Emits statements in order. Those after a stop are unreachable and left out."""
    for s in stmts:
        if f.builder.block.is_terminated:
            return
        _statement(f, s)


def _statement(f: Fn, s: n.CoreStmt) -> None:
    match s:
        case n.Assign():
            value = as_type(f, expr(f, s.value), s.var.type)
            store_slot(f, s.var, numbers(f, s.keys), value)
        case n.Reset():
            reset(f, s.var)
        case n.LetS():
            bind(f, s.local, as_type(f, expr(f, s.value), s.local.type))
        case n.IfS():
            _if(f, s)
        case n.ForS() if (wrong := simd_update(f, s) or simd_puts(f, s)) is not None:
            done = f.block("updated")
            f.builder.branch(done)
            f.at(wrong)
            each(f, s.over, None, s.local.type, lambda x: _round(f, s, x))
            f.goto(done)
            f.at(done)
        case n.ForS():
            over = None if isinstance(s.over, n.Const) else set_words(f, s.over)
            each(f, s.over, over, s.local.type, lambda x: _round(f, s, x))
        case n.StopS():
            assert f.stop is not None
            f.builder.branch(f.stop)
        case n.Check():
            fail_if(f, f.builder.not_(boolean(f, s.condition)), s.span, s.message)
        case n.PushS():
            _push(f, s)
        case n.PopS():
            _pop(f, s)
        case n.NoteS():
            note(f, s)
        case n.Effect():
            schema = f.unit.program.schemas[s.schema]
            types = [schema.me.type, *(p.local.type for p in schema.params)]
            args = [as_type(f, expr(f, a), t) for a, t in zip(s.args, types, strict=True)]
            do_effect(f, s.schema, args, f.s)


def _round(f: Fn, s: n.ForS, x: ir.Value) -> None:
    bind(f, s.local, as_type(f, x, s.local.type))
    statements(f, s.body)


def _if(f: Fn, s: n.IfS) -> None:
    yes, no, done = f.block("yes"), f.block("no"), f.block("done")
    f.builder.cbranch(boolean(f, s.condition), yes, no)
    f.at(yes)
    statements(f, s.then)
    f.goto(done)
    f.at(no)
    statements(f, s.otherwise)
    f.goto(done)
    f.at(done)


def reset(f: Fn, var: n.Var) -> None:
    """Resets all slots of a variable to their initial values."""
    place = f.unit.frame.place(var)
    start = variable(f, var)
    size = place.stride * var.slots
    cleared = isinstance(var.type, n.StoredT) or all(i == place.cell.low for i in var.initial)
    if cleared and size > 8:
        f.builder.call(
            f.unit.module.declare_intrinsic("llvm.memset", [I8.as_pointer(), I32]),
            [start, ir.Constant(I8, 0), ir.Constant(I32, size), flag(False)],
        )
        return
    if isinstance(var.type, n.HistoryT | n.DrawingT):
        f.builder.store(const(0), f.builder.bitcast(start, I64.as_pointer()))
        return
    for i, initial in enumerate(var.initial):
        at = f.builder.gep(start, [const(i * place.stride)], inbounds=True)
        if isinstance(var.type, n.StackT):
            set_height(f, f.builder.bitcast(at, ir.IntType(place.height_bits).as_pointer()), const(0))
            for k in range(var.type.limit):
                item = f.builder.gep(at, [const(place.items + k * place.cell.size)], inbounds=True)
                store_cell(f, item, place.cell, inner_type(var), _least(var))
        else:
            store_cell(f, at, place.cell, var.type, _initial(var, initial))


def _least(var: n.Var) -> Value:
    """The value that is stored as zero."""
    inner = inner_type(var)
    return flag(False) if isinstance(inner, n.BoolT) else const(cell_of(inner).low)


def _initial(var: n.Var, initial: int) -> Value:
    from gamedsl.language.core import nodes as n

    if isinstance(var.type, n.SetT):
        return set_const(initial, words_of(var.type.domain.size))
    return flag(bool(initial)) if isinstance(var.type, n.BoolT) else const(initial)


def _push(f: Fn, s: n.PushS) -> None:
    assert isinstance(s.var.type, n.StackT)
    value, keys = as_type(f, expr(f, s.value), s.var.type.inner), numbers(f, s.keys)
    number, at = height(f, s.var, keys)
    full = f.builder.icmp_unsigned(">=", number, const(s.var.type.limit))
    fail_if(f, full, s.span, f"the stack is full (up to {s.var.type.limit})")
    with f.builder.if_then(f.builder.not_(full)):
        store_cell(f, item_address(f, s.var, keys, number), f.unit.frame.place(s.var).cell, s.var.type.inner, value)
        set_height(f, at, plus(f, number, 1))


def _pop(f: Fn, s: n.PopS) -> None:
    """Pops an item and clears its memory, so that equal stacks have equal bytes."""
    keys = numbers(f, s.keys)
    number, at = height(f, s.var, keys)
    empty = f.builder.icmp_unsigned("==", number, const(0))
    fail_if(f, empty, s.span, "the stack is empty here")
    with f.builder.if_then(f.builder.not_(empty)):
        below = plus(f, number, -1)
        item = item_address(f, s.var, keys, below)
        store_cell(f, item, f.unit.frame.place(s.var).cell, inner_type(s.var), _least(s.var))
        set_height(f, at, below)


# ------------------------------------------------------------------------------------------------------ functions


def effect(f: Fn, number: int, stmts: tuple[n.CoreStmt, ...]) -> ir.Function:
    """``effect_k(ctx, s, me, params)``: a move's effect, or the given statements of it."""
    schema = f.unit.program.schemas[number]
    locals = (schema.me, *(p.local for p in schema.params))
    types = [x.type for x in locals]

    def body(g: Fn, values: object) -> None:
        for local, value in zip(locals, gather(g.unit, types, list(values)), strict=True):  # type: ignore[call-overload]
            bind(g, local, value)
        procedure(g, stmts)

    flat = [t for p in types for t in f.unit.type_of(p)]
    return f.unit.function(("effect", number, f.unit.keep(stmts)), f"effect{number}", VOID, flat, body)


def procedure(g: Fn, stmts: tuple[n.CoreStmt, ...]) -> None:
    """Emits the body of a function that runs statements and returns."""
    g.stop = g.block("stop")
    statements(g, stmts)
    g.goto(g.stop)
    g.at(g.stop)
    g.builder.ret_void()


def do_effect(
    f: Fn, number: int, args: list[Value], s: ir.Value, stmts: tuple[n.CoreStmt, ...] | None = None
) -> None:  # fmt: skip
    """Calls a move's effect, or the given statements of it."""
    done = f.unit.program.schemas[number].effect if stmts is None else stmts
    f.builder.call(effect(f, number, done), [f.ctx, s, *(x for a in args for x in spread(a))])


def do_steps(f: Fn, stmts: tuple[n.CoreStmt, ...], s: ir.Value) -> None:
    """Calls statements that read no locals. Equal statements with equal spans share one function."""
    if stmts:
        key = ("steps", stmts, tuple(_spans(stmts)))
        f.builder.call(f.unit.function(key, "steps", VOID, [], lambda g, _: procedure(g, stmts)), [f.ctx, s])


def _spans(stmts: tuple[n.CoreStmt, ...]) -> Iterator[Span]:
    for s in walk_statements(stmts):
        yield s.span
        for e in statement_exprs(s):
            yield from (x.span for x in walk(e))
