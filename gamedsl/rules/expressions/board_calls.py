"""Calls on the board: families of cells and steps."""

from __future__ import annotations

from gamedsl.boards import Board, Family, steps_of
from gamedsl.core.nodes import Const, ElemT, Expr, Load, Lookup, Loop, SetT, TableData
from gamedsl.rules import types as ty
from gamedsl.rules.expressions.board_relations import board_relation, table_of
from gamedsl.rules.expressions.lowering import constant, lower
from gamedsl.rules.scope import Ctx, Env
from gamedsl.syntax import ast


def lower_family(env: Env, ctx: Ctx, e: ast.Call, board: Board) -> Expr:
    numbers = [constant(env, ctx, a, f"the argument of {e.name}") for a in e.args]
    try:
        family = board.families[(e.name, len(e.args))](*numbers)
    except ValueError as problem:
        env.report.fail("E0360", e.span, problem=str(problem))
    return Const(family.full, SetT(family), span=e.span)


def lower_steps(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    if len(e.args) == 2:
        return _steps_in(env, ctx, e)
    line = lower(env, ctx, e.args[0])
    if not (isinstance(line.type, ElemT) and isinstance(line.type.domain, Family)):
        env.report.fail("E0362", e.span, got=ty.describe(line.type))
    if env.board is None:
        env.report.fail("E0332", e.span)
    try:
        relation = steps_of(env.board, line.type.domain)
    except ValueError as problem:
        env.report.fail("E0360", e.span, problem=str(problem))
    return Lookup(table_of(env, relation), (line,), span=e.span)


def _steps_in(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    step = board_relation(env, "step", 2, e.span)
    place, direction = step.params
    c = lower(env, ctx, e.args[0], ElemT(place))
    ways = lower(env, ctx, e.args[1], SetT(direction))
    local = env.program.local("d", ElemT(direction))
    table = table_of(env, step)
    one_step = TableData("steps", table.keys, SetT(place), tuple(0 if v == 0 else 1 << (v - 1) for v in table.values))
    body = Lookup(one_step, (c, Load(local)), span=e.span)
    return Loop("union", local, ways, None, body, SetT(place), span=e.span)
