"""Stacks of the state in expressions: height, top, the items below it, and loops over a stack from the bottom."""

from __future__ import annotations

from gamedsl.language.core import fold, looks_ahead, substitute
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.lowering import Value, as_plain, lower_any, lower_number
from gamedsl.language.rules.scope import Ctx, Env, MapValue
from gamedsl.language.source import Span, node
from gamedsl.language.syntax import ast

LARGEST_TABLE = 64  # the levels of higher stacks are computed instead of looked up


@node()
class Stack:
    """A stack of the state, with all its keys."""

    var: n.Var
    keys: tuple[n.Expr, ...]
    span: Span

    @property
    def type(self) -> n.StackT:
        assert isinstance(self.var.type, n.StackT)
        return self.var.type

    @property
    def height(self) -> n.StackOp:
        return n.StackOp("height", self.var, self.keys, n.IntT(0, self.type.limit), span=self.span)

    @property
    def top(self) -> n.StackOp:
        return n.StackOp("top", self.var, self.keys, self.type.inner, span=self.span)

    def item(self, level: n.Expr, span: Span) -> n.StackOp:
        """Returns the item at a level, a number from 1 (the lowest); a rules error if there is none."""
        return n.StackOp("item", self.var, self.keys, self.type.inner, level, span=span)


@node()
class Item:
    """The item at the current level of a loop: ``local`` is its name, ``value`` reads it."""

    stack: Stack
    local: n.Local
    value: n.StackOp

    def around(self, body: n.Expr) -> n.Expr:
        """Returns the body with the name bound. A body that looks ahead must not read the stack of a later position."""
        if looks_ahead(body):
            return n.LetE(self.local, self.value, body, span=body.span)
        return fold(substitute(body, {self.local.id: self.value}))


def stack_of(env: Env, value: Value, span: Span) -> Stack | None:
    """Returns the stack of a partial value; None for other values."""
    if not isinstance(value, MapValue) or not isinstance(value.var, n.Var) or not isinstance(value.var.type, n.StackT):
        return None
    if len(value.keys) < len(value.var.keys):
        as_plain(env, value, span)
    return Stack(value.var, value.keys, span)


def lower_stack(env: Env, ctx: Ctx, e: ast.Expr, span: Span) -> Stack:
    found = stack_of(env, lower_any(env, ctx, e, None), span)
    if found is None:
        env.report.fail("E0367", span)
    return found


def lower_top(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    return lower_stack(env, ctx, e.args[0], e.span).top


def lower_item(env: Env, ctx: Ctx, e: ast.ItemAt) -> n.Expr:
    """Lowers ``pile[c] at 2``."""
    stack = lower_stack(env, ctx, e.stack, e.span)
    level = lower_number(env, ctx, e.level)
    assert isinstance(level.type, n.IntT)
    limit = stack.type.limit
    if level.type.high < 1 or level.type.low > limit:
        env.report.fail(
            "E0479", e.level.span, value=ty.describe(level.type), stack=e.stack.span.text or stack.var.name, limit=limit
        )
    return stack.item(level, e.span)


def levels(env: Env, stack: Stack) -> n.Expr:
    """Returns the set of the levels that have an item now: 1 to the height."""
    limit, span = stack.type.limit, stack.span
    if limit >= ty.MOST_RANGE:
        env.report.fail("E0343", span, most=ty.MOST_RANGE)
    t = n.SetT(ty.range_domain(1, limit))
    if limit <= LARGEST_TABLE:
        heights = ty.range_domain(0, limit)
        table = n.TableData(f"levels up to {limit}", (heights,), t, tuple((1 << h) - 1 for h in range(limit + 1)))
        return n.Lookup(table, (n.Convert(stack.height, n.ElemT(heights), span=span),), span=span)
    local = env.program.local("level", n.ElemT(t.domain))
    stands = n.Op2("le", level_number(n.Load(local)), stack.height, ty.BOOL, span=span)
    return n.Loop("filter", local, n.Const(t.domain.full, t, span=span), None, stands, t, span=span)


def level_of(env: Env, stack: Stack) -> tuple[n.Local, n.Expr]:
    """Returns a local for a level, and the set of the levels that have an item now."""
    there = levels(env, stack)
    assert isinstance(there.type, n.SetT)
    return env.program.local("level", n.ElemT(there.type.domain)), there


def level_number(level: n.Expr) -> n.Expr:
    value = conversions.as_number(level)
    assert value is not None
    return value


def item_at(env: Env, stack: Stack, name: str, level: n.Local) -> Item:
    """Returns the item at a level of a loop over ``levels``."""
    local = env.program.local(name, stack.type.inner)
    return Item(stack, local, stack.item(level_number(n.Load(level)), stack.span))
