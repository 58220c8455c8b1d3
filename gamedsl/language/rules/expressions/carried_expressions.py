"""The attributes that pieces carry: ``c.rank`` of the piece on ``c``.

A variable over the board holds the attribute for the piece on each place, which has at most one. Plain values are
optional in it, and none where there is no piece; sets, optional values and countdowns have their least value there.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.language.core import nodes as n
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.primitives import owner_keys, read_map
from gamedsl.language.rules.scope import Env, MapValue
from gamedsl.language.rules.symbols import Carried, PieceSym
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast


def carried_at(env: Env, place: n.Expr, e: ast.FieldOf) -> n.Expr | MapValue:
    """Returns the value of ``place.name``, which raises a rules error if there is no piece that carries it."""
    carried = env.carried.get(e.name)
    if carried is None:
        fields = ", ".join(env.carried)
        near = env.report.near_names(e.name, env.carried)
        env.report.fail("E0314", e.span, near=near, what="piece", name=e.name, fields=fields)
    value = read_map(carried.var, (place,), e.span)
    if isinstance(value, n.Get) and is_optional(carried):
        assert isinstance(value.type, n.OptT)
        return n.Op1("unwrap", value, value.type.inner, span=e.span)
    return value


def is_optional(carried: Carried) -> bool:
    """Returns whether the variable holds none where there is no piece."""
    return carried.stored != carried.type


def carried_target(env: Env, e: ast.Expr, value: object) -> tuple[Carried, tuple[n.Expr, ...]] | None:
    """Returns the attribute and the keys (place first) if ``value`` of the expression is an attribute of pieces;
    otherwise None.
    """
    inner = value.operand if isinstance(value, n.Op1) and value.op == "unwrap" else value
    field = e.base if isinstance(e, ast.Index) else e
    if not isinstance(inner, n.Get | MapValue) or not isinstance(field, ast.FieldOf):
        return None
    carried = env.carried.get(field.name)
    if carried is None or carried.var != inner.var:
        return None
    return carried, inner.keys


def carrying(env: Env, carried: Carried) -> Iterator[PieceSym]:
    """Returns the kinds of piece that carry an attribute."""
    return (p for p in env.pieces() if carried.name in p.carries)


def stands(env: Env, carried: Carried, place: n.Expr, span: Span) -> n.Expr:
    """Returns the condition that a place has a piece that carries an attribute."""
    sets: list[n.Expr] = []
    for piece in carrying(env, carried):
        sets += [n.Get(piece.var, keys, n.SetT(piece.place), span=span) for keys in owner_keys(env, piece, span)]
    union = sets[0]
    for one in sets[1:]:
        union = n.Op2("union", union, one, one.type, span=span)
    return n.Op2("in", place, union, ty.BOOL, span=span)
