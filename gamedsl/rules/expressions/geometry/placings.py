"""Shapes in expressions: ``placings(ell)``, and the neighbours of sets and of elements of families."""

from __future__ import annotations

from functools import reduce
from math import prod
from operator import or_

from gamedsl.boards import FREEDOMS, Family, Relation, elements
from gamedsl.core.nodes import Const, ElemT, Expr, Load, Lookup, Loop, SetT, TableData
from gamedsl.rules.expressions.geometry.relations import board_relation, table_of
from gamedsl.rules.expressions.lowering import lower, require
from gamedsl.rules.expressions.primitives import place_of
from gamedsl.rules.report import Bail, near_names
from gamedsl.rules.scope import Ctx, Env
from gamedsl.syntax import ast


def lower_neighbors(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    """neighbors(S), neighbors(S, corner): all cells beside a cell of a set."""
    place = place_of(env, e.span)
    value = lower(env, ctx, e.args[0])
    relation = board_relation(env, "neighbors", len(e.args), e.span)
    how = tuple(lower(env, ctx, a, ElemT(d)) for a, d in zip(e.args[1:], relation.params[1:], strict=True))
    match value.type:
        case ElemT(Family() as family) if family.base == place:
            return Lookup(_neighbors_of_members(env, relation, family), (value, *how), span=e.span)
        case SetT():
            local = env.program.local("c", ElemT(place))
            body = Lookup(table_of(env, relation), (Load(local), *how), span=e.span)
            members = require(env, value, SetT(place), e.span)
            return Loop("union", local, members, None, body, SetT(place), span=e.span)
        case _:
            cell = require(env, value, ElemT(place), e.args[0].span)
            return Lookup(table_of(env, relation), (cell, *how), span=e.span)


def _neighbors_of_members(env: Env, relation: Relation, family: Family) -> TableData:
    """The neighbours of every set of a family, as a table of the Core; made once a program."""
    key = (relation, family)
    found = env.program.tables.get(key)
    if found is None:
        others = relation.params[1:]
        near = table_of(env, relation).values
        step = prod(d.size for d in others)
        values = tuple(
            reduce(or_, (near[c * step + i] for c in elements(members)), 0)
            for members in family.members
            for i in range(step)
        )
        name = f"neighbors of {family.name}"
        found = TableData(name, (family, *others), SetT(family.base), values)
        env.program.tables[key] = found
    return found


def lower_placings(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    """placings(s), placings(S), placings(S, one_sided): the ways to lay shapes on the board."""
    board = env.board
    if board is None or board.placings is None:
        if any(isinstance(d, ast.ShapeDecl) for d in env.decls):
            raise Bail  # the shapes are wrong
        env.report.fail("E0223", e.span)
    shape, placing = board.domains["shape"], board.domains["placing"]
    freedom = _freedom(env, e)
    value = lower(env, ctx, e.args[0])
    shapes = require(env, value, SetT(shape), e.args[0].span)
    if isinstance(shapes, Const):
        return Const(board.placings(shapes.value, freedom), SetT(placing), span=e.span)
    values = tuple(board.placings(1 << s, freedom) for s in range(shape.size))
    table = TableData(f"{freedom} placings", (shape,), SetT(placing), values)
    if isinstance(value.type, ElemT):
        return Lookup(table, (value,), span=e.span)
    local = env.program.local("s", ElemT(shape))
    return Loop("union", local, shapes, None, Lookup(table, (Load(local),), span=e.span), SetT(placing), span=e.span)


def _freedom(env: Env, e: ast.Call) -> str:
    if len(e.args) == 1:
        return "free"
    arg = e.args[1]
    name = arg.name if isinstance(arg, ast.Ref) else arg.span.text
    if name not in FREEDOMS:
        env.report.fail("E0224", arg.span, near=near_names(name, FREEDOMS), name=name)
    return name
