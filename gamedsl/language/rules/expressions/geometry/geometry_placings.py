"""Shapes in expressions: ``placings(ell)``, and the neighbors of sets and of elements of families."""

from __future__ import annotations

from functools import lru_cache, reduce
from math import prod
from operator import or_

from gamedsl.language.boards import FREEDOMS, Family, Relation, elements, table
from gamedsl.language.core import nodes as n
from gamedsl.language.rules.error_report import Bail
from gamedsl.language.rules.expressions.geometry.geometry_relations import board_relation, table_of
from gamedsl.language.rules.expressions.lowering import lower, require
from gamedsl.language.rules.expressions.primitives import place_of
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.syntax import ast


def lower_neighbors(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    """Lowers ``neighbors(c)``, ``neighbors(S)`` and ``neighbors(S, corner)``: the neighbors of a cell or of any cell
    of a set.
    """
    place = place_of(env, e.span)
    value = lower(env, ctx, e.args[0])
    relation = board_relation(env, "neighbors", len(e.args), e.span)
    how = tuple(lower(env, ctx, a, n.ElemT(d)) for a, d in zip(e.args[1:], relation.params[1:], strict=True))
    match value.type:
        case n.ElemT(Family() as family) if family.base == place:
            return n.Lookup(_neighbors_of_members(env, relation, family), (value, *how), span=e.span)
        case n.SetT():
            local = env.program.local("c", n.ElemT(place))
            body = n.Lookup(table_of(env, relation), (n.Load(local), *how), span=e.span)
            members = require(env, value, n.SetT(place), e.span)
            return n.Loop("union", local, members, None, body, n.SetT(place), span=e.span)
        case _:
            cell = require(env, value, n.ElemT(place), e.args[0].span)
            return n.Lookup(table_of(env, relation), (cell, *how), span=e.span)


def _neighbors_of_members(env: Env, relation: Relation, family: Family) -> n.TableData:
    """Returns the neighbors of every set of a family, as a table of the Core; created once per program."""
    key = (relation, family)
    found = env.program.tables.get(key)
    if found is None:
        name, values = f"neighbors of {family.name}", _near_members(relation, family)
        found = n.TableData(name, (family, *relation.params[1:]), n.SetT(family.base), values)
        env.program.tables[key] = found
    return found


@lru_cache(maxsize=16)
def _near_members(relation: Relation, family: Family) -> tuple[int, ...]:
    step, known = prod(d.size for d in relation.params[1:]), _near_known(relation)
    near = table(relation)
    for members in family.members:
        if members not in known:
            cells = tuple(elements(members))
            known[members] = tuple(reduce(or_, (near[c * step + i] for c in cells), 0) for i in range(step))
    return tuple(value for members in family.members for value in known[members])


@lru_cache(maxsize=4)
def _near_known(relation: Relation) -> dict[int, tuple[int, ...]]:
    """The neighbors of sets of cells that were asked for, kept from check to check: a family changes by a member."""
    return {}


def lower_placings(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    """Lowers ``placings(s)``, ``placings(S)`` and ``placings(S, one_sided)``: the ways to lay shapes on the board."""
    board = env.board
    if board is None or board.placings is None:
        if any(isinstance(d, ast.ShapeDecl) for d in env.decls):
            raise Bail  # the shapes are wrong
        env.report.fail("E0223", e.span)
    shape, placing = board.domains["shape"], board.domains["placing"]
    freedom = _freedom(env, e)
    value = lower(env, ctx, e.args[0])
    shapes = require(env, value, n.SetT(shape), e.args[0].span)
    if isinstance(shapes, n.Const):
        return n.Const(board.placings(shapes.value, freedom), n.SetT(placing), span=e.span)
    values = tuple(board.placings(1 << s, freedom) for s in range(shape.size))
    table = n.TableData(f"{freedom} placings", (shape,), n.SetT(placing), values)
    if isinstance(value.type, n.ElemT):
        return n.Lookup(table, (value,), span=e.span)
    local = env.program.local("s", n.ElemT(shape))
    return n.Loop(
        "union", local, shapes, None, n.Lookup(table, (n.Load(local),), span=e.span), n.SetT(placing), span=e.span
    )


def _freedom(env: Env, e: ast.Call) -> str:
    if len(e.args) == 1:
        return "free"
    arg = e.args[1]
    name = arg.name if isinstance(arg, ast.Ref) else arg.span.text
    if name not in FREEDOMS:
        env.report.fail("E0224", arg.span, near=env.report.near_names(name, FREEDOMS), name=name)
    return name
