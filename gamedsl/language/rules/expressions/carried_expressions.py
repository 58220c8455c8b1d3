"""What pieces carry: ``c.rank`` of the piece that stands on ``c``.

A variable over the board holds it for the piece on each place, since at most one stands there. Plain values are optional in
it, with none where no piece stands; sets, maps, optional values and countdowns have their least value there.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.language.core import nodes as n
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.error_report import near_names
from gamedsl.language.rules.expressions.primitives import owner_keys, read_map
from gamedsl.language.rules.scope import Env, MapValue
from gamedsl.language.rules.symbols import Carried, PieceSym
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast


def carried_at(env: Env, place: n.Expr, e: ast.FieldOf) -> n.Expr | MapValue:
    """The value of ``place.name``; a rules error if no piece that carries it stands there."""
    carried = env.carried.get(e.name)
    if carried is None:
        fields = ", ".join(env.carried)
        near = near_names(e.name, env.carried)
        env.report.fail("E0314", e.span, near=near, what="piece", name=e.name, fields=fields)
    value = read_map(carried.var, (place,), e.span)
    if isinstance(value, n.Get) and is_optional(carried):
        assert isinstance(value.type, n.OptT)
        return n.Op1("unwrap", value, value.type.inner, span=e.span)
    return value


def is_optional(carried: Carried) -> bool:
    """Whether the variable holds none where no piece stands."""
    return carried.stored != carried.type


def carried_target(env: Env, e: ast.Expr, value: object) -> tuple[Carried, tuple[n.Expr, ...]] | None:
    """If ``value`` of the expression is something that pieces carry: what, and the place with the further keys."""
    inner = value.operand if isinstance(value, n.Op1) and value.op == "unwrap" else value
    field = e.base if isinstance(e, ast.Index) else e
    if not isinstance(inner, n.Get | MapValue) or not isinstance(field, ast.FieldOf):
        return None
    carried = env.carried.get(field.name)
    if carried is None or carried.var != inner.var:
        return None
    return carried, inner.keys


def carrying(env: Env, carried: Carried) -> Iterator[PieceSym]:
    """The kinds of piece that carry something."""
    return (p for p in env.pieces() if carried.name in p.carries)


def stands(env: Env, carried: Carried, place: n.Expr, span: Span) -> n.Expr:
    """Whether there is a piece that carries something on a place."""
    sets: list[n.Expr] = []
    for piece in carrying(env, carried):
        sets += [n.Get(piece.var, keys, n.SetT(piece.place), span=span) for keys in owner_keys(env, piece, span)]
    union = sets[0]
    for one in sets[1:]:
        union = n.Op2("union", union, one, one.type, span=span)
    return n.Op2("in", place, union, ty.BOOL, span=span)
