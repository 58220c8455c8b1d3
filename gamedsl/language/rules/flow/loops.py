"""Loops with decisions or chance inside → basic blocks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gamedsl.language.core import nodes as n
from gamedsl.language.core import substitute
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.binders import Range, bind_elements
from gamedsl.language.rules.expressions.lowering import lower_bool, lower_number
from gamedsl.language.rules.expressions.stacks import level_number
from gamedsl.language.rules.flow.assignments import counted
from gamedsl.language.rules.flow.flow_builder import FlowBuilder
from gamedsl.language.rules.flow.stack_loops import Kept, copied, over_levels
from gamedsl.language.rules.scope import Ctx
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast, walk


def for_each(flow: FlowBuilder, ctx: Ctx, s: ast.For) -> None:
    ranges, _ = bind_elements(flow.env, ctx, s.binder)
    if s.binder.is_tuple:
        flow.env.report.fail("E0410", s.binder.span)
    kept = None
    if ranges[0].item is not None:
        kept = copied(flow.env, ranges[0].item.stack, ranges[0].element.name, s.span)
        flow.emit(*kept.before)
        ranges = over_levels(ranges, kept.there, s.binder.distinct)
    _loop_over(flow, ctx, s, ranges, kept)


def _loop_over(flow: FlowBuilder, ctx: Ctx, s: ast.For, ranges: list[Range], kept: Kept | None) -> None:
    one, rest = ranges[0], ranges[1:]
    name = s.binder.names[len(s.binder.names) - len(ranges)]
    assert isinstance(one.over.type, n.SetT)
    t = one.over.type
    left, item = flow.temp(f"{name.id} to come", t), flow.temp(name.id, n.ElemT(t.domain))
    flow.emit(n.Assign(left, (), one.over, span=s.span))
    head, inside, after = flow.new(), flow.new(), flow.new()
    flow.go(head)
    flow.begin(head)
    now = n.Get(left, (), t)
    flow.close(n.BranchT(n.Op1("is_empty", now, ty.BOOL), after, inside, span=s.span))
    flow.begin(inside)
    flow.emit(n.Assign(item, (), n.Op1("first", now, n.ElemT(t.domain), span=s.span), span=s.span))
    got = n.Get(item, (), n.ElemT(t.domain), span=name.span)
    flow.emit(n.Assign(left, (), n.Op2("minus", now, n.Op1("single", got, t), t), span=s.span))
    if kept is None:
        inner = ctx.bind(**{name.id: got})
    else:
        inner = flow.keep(ctx, name, kept.stack.item(level_number(got), s.span))
    if rest:
        here = {one.local.id: got}
        _loop_over(flow, inner, s, [replace(r, over=substitute(r.over, here)) for r in rest], kept)
    else:
        flow.body(inner, s.body)
    flow.go(head)
    flow.begin(after)


def repeat(flow: FlowBuilder, ctx: Ctx, s: ast.Repeat) -> Ctx:
    """Lowers ``repeat``. Without a number the body runs at least once, so its names are known in ``until`` and after
    the loop.
    """
    if s.times is not None:
        _repeat_times(flow, ctx, s)
        return ctx
    if not any(isinstance(node, ast.Statement) and node.waits for node in walk(s.body)):
        flow.env.report.add("E0423", s.span)
    head, after = flow.new(), flow.new()
    flow.go(head)
    flow.begin(head)
    ctx = flow.body(ctx, s.body)
    if s.until is not None:
        if flow.current is None:
            flow.env.report.fail("E0421", s.until.span)
        condition = lower_bool(flow.env, ctx, s.until.condition)
        flow.close(n.BranchT(condition, after, head, span=s.until.span))
    else:
        flow.go(head, s.span)
    flow.join(after)
    return ctx


def _repeat_times(flow: FlowBuilder, ctx: Ctx, s: ast.Repeat) -> None:
    assert s.times is not None
    if s.until is not None:
        flow.env.report.fail("E0411", s.until.span)
    times = lower_number(flow.env, ctx, s.times)
    assert isinstance(times.type, n.IntT)
    t = n.IntT(0, max(1, times.type.high))
    left = flow.temp("rounds to come", t)
    flow.emit(n.Assign(left, (), conversions.clip(times, t), span=s.span))

    def once() -> None:
        flow.emit(counted(left, (), -1, s.span))
        flow.body(ctx, s.body)

    while_positive(flow, n.Get(left, (), t), s.span, once)


def while_positive(flow: FlowBuilder, value: n.Expr, span: Span, body: Callable[[], None]) -> None:
    """Repeats the body until a number, which is evaluated before every round, is 0."""
    head, inside, after = flow.new(), flow.new(), flow.new()
    flow.go(head)
    flow.begin(head)
    flow.close(n.BranchT(n.Op2("eq", value, ty.number(0, span), ty.BOOL), after, inside, span=span))
    flow.begin(inside)
    body()
    flow.go(head)
    flow.begin(after)
