"""Calls on boards that the players draw."""

from __future__ import annotations

from collections.abc import Callable

from gamedsl.core.nodes import Arranged, Const, ElemT, Expr, IntT, SetT
from gamedsl.rules.expressions.lowering import lower
from gamedsl.rules.report import Bail, near_names
from gamedsl.rules.scope import Ctx, Env, StrokeSym
from gamedsl.syntax import ast


def _drawn_sides(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    assert env.drawing is not None
    border, space = env.elements_domain("border"), env.elements_domain("space")
    b = lower(env, ctx, e.args[0], ElemT(border))
    return Arranged(env.drawing, "sides", (b,), SetT(space), span=e.span)


def lower_drawn_neighbors(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    assert env.drawing is not None
    space = env.elements_domain("space")
    s = lower(env, ctx, e.args[0], ElemT(space))
    return Arranged(env.drawing, "neighbors", (s,), SetT(space), span=e.span)


def _drawn_crossings(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    assert env.drawing is not None
    arg = e.args[0]
    symbol = env.symbols.get(arg.name) if isinstance(arg, ast.Ref) else None
    if not isinstance(symbol, StrokeSym):
        strokes = [n for n, s in env.symbols.items() if isinstance(s, StrokeSym)]
        env.report.fail("E0363", arg.span, near=near_names(arg.span.text, strokes), strokes=", ".join(strokes))
    env.used.add(symbol.name)
    stroke = env.elements_domain("stroke")
    if symbol.name not in stroke.names:
        raise Bail  # a stroke of a board whose declaration is wrong
    index = Const(stroke.index(symbol.name), ElemT(stroke), span=arg.span)
    return Arranged(env.drawing, "crossings", (index,), IntT(0, 10_000), span=e.span)


DRAWN: dict[tuple[str, int], Callable[[Env, Ctx, ast.Call], Expr]] = {
    ("sides", 1): _drawn_sides,
    ("neighbors", 1): lower_drawn_neighbors,
    ("crossings", 1): _drawn_crossings,
}
