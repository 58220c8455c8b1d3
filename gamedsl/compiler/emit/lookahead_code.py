"""Look-ahead by trial: the position after a move on a copy of the state, and enumeration of moves to try."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.compiler.emit.expression_code import as_type, boolean, call, expr, give, number
from gamedsl.compiler.emit.history_code import notes_positions
from gamedsl.compiler.emit.llvm_module import CTX_USED, I64, Fn, Value, bind, const, flag, gather
from gamedsl.compiler.emit.memory import context_field, copy_state
from gamedsl.compiler.emit.move_code import Args, visit
from gamedsl.compiler.emit.statement_code import do_effect, do_steps
from gamedsl.language.core import free_locals
from gamedsl.language.core import nodes as n


def after(f: Fn, e: n.AfterE) -> Value:
    """``after(ctx, s, args, other locals)``: evaluates the body on a copy of the state to which the ply has been
    applied."""
    schema = None if e.schema is None else f.unit.program.schemas[e.schema]
    types = [a.type for a in e.args] if schema is None else [schema.me.type, *(p.local.type for p in schema.params)]
    outer = list(free_locals(e.body).values())
    args = [as_type(f, expr(f, a), t) for a, t in zip(e.args, types, strict=True)]

    def body(g: Fn, values: Sequence[ir.Value]) -> None:
        got = gather(g.unit, [*types, *(x.type for x in outer)], list(values))
        for local, value in zip(outer, got[len(types) :], strict=True):
            bind(g, local, value)
        noting = notes_positions(g.unit, (*e.tick, *e.passed, *(schema.effect if schema else ())))
        used = g.builder.load(context_field(g, CTX_USED)) if noting else None
        there = g.scratch()
        copy_state(g, there, g.s)
        g.s = there
        slices, done = g.unit.slices, () if schema is None else schema.effect
        passed = slices.needed(e.passed, [e.body])
        effect = slices.needed(done, [e.body], passed)
        do_steps(g, slices.needed(e.tick, [e.body], (*effect, *passed)), there)
        if e.schema is not None:
            do_effect(g, e.schema, got[: len(types)], there, effect)
        do_steps(g, passed, there)
        result = as_type(g, expr(g, e.body), e.type)
        if used is not None:
            g.builder.store(used, context_field(g, CTX_USED))
        give(g, result)

    flat = [t for p in (*types, *(x.type for x in outer)) for t in f.unit.type_of(p)]
    function = f.unit.function(("after", f.unit.keep(e)), "after", f.unit.result_type(e.type), flat, body)
    return call(f, function, e.type, [*args, *(f.env[x.id] for x in outer)])


def some_move(f: Fn, e: n.SomeMove) -> Value:
    """``some(ctx, s, mover, other locals)``: tries the moves of all alternatives until the answer is known."""
    free: dict[int, n.Local] = {}
    for b in e.branches:
        own = {b.me.id, *(p.id for p in b.params)}
        free |= {i: x for i, x in free_locals(b.body).items() if i not in own}
    outer = [free[i] for i in sorted(free)]

    def body(g: Fn, values: Sequence[ir.Value]) -> None:
        mover, *rest = gather(g.unit, [e.mover.type, *(x.type for x in outer)], list(values))
        given = {local.id: value for local, value in zip(outer, rest, strict=True)}
        assert isinstance(mover, ir.Value)
        _try_move(g, e, mover, given)

    flat = [t for p in (e.mover.type, *(x.type for x in outer)) for t in f.unit.type_of(p)]
    function = f.unit.function(("some", f.unit.keep(e)), "some", f.unit.result_type(e.type), flat, body)
    return call(f, function, e.type, [number(f, e.mover), *(f.env[x.id] for x in outer)])


def _try_move(g: Fn, e: n.SomeMove, mover: ir.Value, given: dict[int, Value]) -> None:
    found = g.block("found")
    total = g.alloca(I64)
    g.builder.store(const(0), total)
    for b in e.branches:

        def leaf(args: Args, b: n.MoveBranch = b) -> None:
            # the schema may be the one that looks ahead, so names in its plan can clash with those outside
            in_plan, g.env = g.env, g.env | given
            _ask(g, e, b, mover, args, total, found)
            g.env = in_plan

        visit(g, b.schema, mover, leaf, e.tick, e.legal)
    if e.kind == "count":
        g.builder.ret(g.builder.load(total))
    else:
        g.builder.ret(flag(e.kind == "every"))
    g.at(found)
    if e.kind == "count":
        g.builder.unreachable()
    else:
        g.builder.ret(flag(e.kind == "some"))


def _ask(g: Fn, e: n.SomeMove, b: n.MoveBranch, mover: ir.Value, args: Args, total: ir.Value, found: ir.Block) -> None:
    bind(g, b.me, mover)
    for local, value in zip(b.params, args, strict=True):
        bind(g, local, value)
    if e.kind == "count":
        g.builder.store(g.builder.add(g.builder.load(total), number(g, b.body)), total)
        return
    answer, following = boolean(g, b.body), g.block("next")
    g.builder.cbranch(answer, *((found, following) if e.kind == "some" else (following, found)))
    g.at(following)
