"""Names bound by quantifiers and loops, and their ranges."""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.language.core import nodes as n
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.error_report import Bail
from gamedsl.language.rules.expressions.lowering import as_set, lower, lower_any
from gamedsl.language.rules.expressions.stacks import Item, Stack, item_at, levels, stack_of
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.rules.symbols import MoveSym
from gamedsl.language.source import node
from gamedsl.language.syntax import ast

DEEPEST = 3  # the greatest depth of moves tried after moves


@node()
class Range:
    """One loop variable and the set it ranges over. For a stack these are its levels, and ``item`` is the item on
    a level.
    """

    local: n.Local
    over: n.Expr
    item: Item | None = None

    @property
    def element(self) -> n.Local:
        """The local for the value that the author's name means."""
        return self.local if self.item is None else self.item.local

    def around(self, body: n.Expr) -> n.Expr:
        """Returns the body of the loop, with ``element`` bound."""
        return body if self.item is None else self.item.around(body)


@node()
class MoveRange:
    """A loop over moves of some kinds. ``name``: the author's name for the move."""

    name: str
    source: ast.MovesOf
    syms: tuple[MoveSym, ...]
    mover: n.Expr


def bind(env: Env, ctx: Ctx, binder: ast.Binder) -> tuple[list[Range | MoveRange], Ctx]:
    """Returns the loops of one binder (several names are several loops) and the context inside them."""
    if isinstance(binder.source, ast.MovesOf):
        return _bind_moves(env, ctx, binder)
    value = lower_any(env, ctx, binder.source, None)
    stack = stack_of(env, value, binder.source.span)
    over = as_set(env, value, binder.source.span) if stack is None else levels(env, stack)
    if binder.is_tuple:
        return _bind_parts(env, ctx, binder, over, stack)
    ranges: list[Range | MoveRange] = []
    for name in binder.names:
        check_name(env, ctx, name)
        one = _range(env, name.id, without(over, ranges) if binder.distinct else over, stack)
        ranges.append(one)
        ctx = ctx.bind(**{name.id: n.Load(one.element, span=name.span)})
    return ranges, ctx


def bind_elements(env: Env, ctx: Ctx, binder: ast.Binder) -> tuple[list[Range], Ctx]:
    """Does the same as ``bind`` where loops over moves are not allowed (E0347)."""
    if isinstance(binder.source, ast.MovesOf):
        env.report.fail("E0347", binder.span)
    bound, ctx = bind(env, ctx, binder)
    return [one for one in bound if isinstance(one, Range)], ctx


def _range(env: Env, name: str, over: n.Expr, stack: Stack | None) -> Range:
    assert isinstance(over.type, n.SetT)
    t = n.ElemT(over.type.domain)
    if stack is None:
        return Range(env.program.local(name, t), over)
    level = env.program.local(f"level of {name}", t)
    return Range(level, over, item_at(env, stack, name, level))


def _bind_parts(
    env: Env, ctx: Ctx, binder: ast.Binder, over: n.Expr, stack: Stack | None
) -> tuple[list[Range | MoveRange], Ctx]:
    """Binds a name to each part of a tuple."""
    one = _range(env, "+".join(word.id for word in binder.names), over, stack)
    t = one.element.type
    components = t.domain.components if isinstance(t, n.ElemT) else ()
    if not isinstance(t, n.ElemT) or not components:
        env.report.fail("E0317", binder.span, domain=t.domain.name if isinstance(t, n.ElemT) else ty.describe(t))
    if len(components) != len(binder.names):
        env.report.fail("E0316", binder.span, count=len(components), domain=t.domain.name)
    for name, (factor, values) in zip(binder.names, components, strict=True):
        check_name(env, ctx, name)
        table = n.TableData(f"{name.id} of {t.domain.name}", (t.domain,), n.ElemT(factor), values)
        ctx = ctx.bind(**{name.id: n.Lookup(table, (n.Load(one.element, span=name.span),), span=name.span)})
    return [one], ctx


def without(over: n.Expr, others: Sequence[Range | MoveRange]) -> n.Expr:
    """Returns a set without the current elements of other loops."""
    for one in others:
        assert isinstance(one, Range)
        over = n.Op2(
            "minus", over, n.Op1("single", n.Load(one.local), over.type, span=over.span), over.type, span=over.span
        )
    return over


def check_name(env: Env, ctx: Ctx, name: ast.Name) -> None:
    """Reports a bound name that shadows another, because readers would confuse them."""
    if (
        name.id in env.symbols
        or name.id in ctx.scope
        or name.id in ("me", "rival", "players", "empty", "occupied", "turn")
    ):
        env.report.fail("E0205", name.span, name=name.id)


def _bind_moves(env: Env, ctx: Ctx, binder: ast.Binder) -> tuple[list[Range | MoveRange], Ctx]:
    source = binder.source
    assert isinstance(source, ast.MovesOf)
    if binder.is_tuple or len(binder.names) != 1:
        env.report.fail("E0345", binder.span)
    mover = lower(env, ctx, source.player, n.ElemT(env.players))
    syms = []
    for name in source.moves:
        sym = find_move(env, name)
        if sym.has_chance:
            env.report.fail("E0346", name.span, name=name.id)
        syms.append(sym)
    check_name(env, ctx, binder.names[0])
    return [MoveRange(binder.names[0].id, source, tuple(syms), mover)], ctx


def find_move(env: Env, name: ast.Name) -> MoveSym:
    symbol = env.symbols.get(name.id)
    if not isinstance(symbol, MoveSym):
        moves = [one for one, s in env.symbols.items() if isinstance(s, MoveSym)]
        env.report.fail("E0206", name.span, near=env.report.near_names(name.id, moves), name=name.id)
    env.used.add(name.id)
    if symbol.broken:
        raise Bail
    return symbol
