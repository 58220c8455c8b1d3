"""Calls on the board: families of cells and steps; on boards that players draw, spaces and crossings."""

from __future__ import annotations

from collections.abc import Callable

from gamedsl.language.boards import Board, Family, steps_of
from gamedsl.language.core import memoized
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.error_report import Bail
from gamedsl.language.rules.expressions.geometry.geometry_relations import board_relation, table_of
from gamedsl.language.rules.expressions.lowering import constant, lower
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.rules.symbols import StrokeSym
from gamedsl.language.syntax import ast


def lower_family(env: Env, ctx: Ctx, e: ast.Call, board: Board) -> n.Expr:
    numbers = [constant(env, ctx, a, f"the argument of {e.name}") for a in e.args]
    try:
        family = board.families[(e.name, len(e.args))](*numbers)
    except ValueError as problem:
        env.report.fail("E0360", e.span, problem=str(problem))
    return n.Const(family.full, n.SetT(family), span=e.span)


def lower_steps(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    if len(e.args) == 2:
        return _steps_in(env, ctx, e)
    line = lower(env, ctx, e.args[0])
    if not (isinstance(line.type, n.ElemT) and isinstance(line.type.domain, Family)):
        env.report.fail("E0362", e.span, got=ty.describe(line.type))
    if env.board is None:
        env.report.fail("E0332", e.span)
    try:
        relation = steps_of(env.board, line.type.domain)
    except ValueError as problem:
        env.report.fail("E0360", e.span, problem=str(problem))
    return n.Lookup(table_of(env, relation), (line,), span=e.span)


def _steps_in(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    step = board_relation(env, "step", 2, e.span)
    place, direction = step.params
    c = lower(env, ctx, e.args[0], n.ElemT(place))
    ways = lower(env, ctx, e.args[1], n.SetT(direction))
    local = env.program.local("d", n.ElemT(direction))
    body = n.Lookup(_as_sets(table_of(env, step)), (c, n.Load(local)), span=e.span)
    return n.Loop("union", local, ways, None, body, n.SetT(place), span=e.span)


@memoized
def _as_sets(step: n.TableData) -> n.TableData:
    """Returns the table of a step with sets of one place instead of places, and empty ones where there is none."""
    assert isinstance(step.type, n.OptT) and isinstance(step.type.inner, n.ElemT)
    values = tuple(0 if v == 0 else 1 << (v - 1) for v in step.values)
    return n.TableData("steps", step.keys, n.SetT(step.type.inner.domain), values)


def _drawn_sides(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    assert env.drawing is not None
    border, space = env.elements_domain("border"), env.elements_domain("space")
    b = lower(env, ctx, e.args[0], n.ElemT(border))
    return n.Arranged(env.drawing, "sides", (b,), n.SetT(space), span=e.span)


def lower_drawn_neighbors(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    assert env.drawing is not None
    space = env.elements_domain("space")
    s = lower(env, ctx, e.args[0], n.ElemT(space))
    return n.Arranged(env.drawing, "neighbors", (s,), n.SetT(space), span=e.span)


def _lower_drawn_crossings(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    assert env.drawing is not None
    arg = e.args[0]
    symbol = env.symbols.get(arg.name) if isinstance(arg, ast.Ref) else None
    if not isinstance(symbol, StrokeSym):
        strokes = [name for name, s in env.symbols.items() if isinstance(s, StrokeSym)]
        env.report.fail(
            "E0363", arg.span, near=env.report.near_names(arg.span.text, strokes), strokes=", ".join(strokes)
        )
    env.used.add(symbol.name)
    stroke = env.elements_domain("stroke")
    if symbol.name not in stroke.names:
        raise Bail  # a stroke of a board whose declaration is wrong
    index = n.Const(stroke.index(symbol.name), n.ElemT(stroke), span=arg.span)
    return n.Arranged(env.drawing, "crossings", (index,), n.IntT(0, 10_000), span=e.span)


DRAWN: dict[tuple[str, int], Callable[[Env, Ctx, ast.Call], n.Expr]] = {
    ("sides", 1): _drawn_sides,
    ("neighbors", 1): lower_drawn_neighbors,
    ("crossings", 1): _lower_drawn_crossings,
}
