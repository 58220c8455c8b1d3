"""Operands: each is lowered with the type that the other suggests, and both are converted to a common type."""

from __future__ import annotations

from gamedsl.language.core import fold
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.lowering import as_plain, convert, lower, lower_any, lower_open
from gamedsl.language.rules.expressions.primitives import is_ambiguous
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.syntax import ast


def lower_pair(env: Env, ctx: Ctx, left: ast.Expr, right: ast.Expr) -> tuple[n.Expr, n.Expr]:
    """Lowers both sides of a comparison; each can resolve an ambiguous name on the other side."""
    if is_ambiguous(env, ctx, left) or isinstance(left, ast.TupleDisplay):
        b = lower_open(env, ctx, right)
        return lower(env, ctx, left, _element_hint(b)), b
    a = lower_open(env, ctx, left)
    if is_ambiguous(env, ctx, right) or isinstance(right, ast.TupleDisplay):
        return a, lower(env, ctx, right, _element_hint(a))
    return a, lower_plain(env, ctx, right, a.type)


def lower_plain(env: Env, ctx: Ctx, e: ast.Expr, hint: n.ValueT) -> n.Expr:
    """Returns the expression unconverted. ``hint``: the likely type of a set display."""
    return fold(
        as_plain(env, lower_any(env, ctx, e, hint if isinstance(e, ast.SetDisplay) and _fits(hint) else None), e.span)
    )


def _fits(hint: n.ValueT) -> bool:
    return isinstance(hint, n.SetT) and not isinstance(hint.domain, ty.RangeDomain)


def _element_hint(other: n.Expr) -> n.ValueT | None:
    match other.type:
        case n.OptT(inner):
            return inner
        case n.SetT(domain):
            return n.ElemT(domain)
    return None if conversions.is_never(other) else other.type


def unify(env: Env, a: n.Expr, b: n.Expr) -> tuple[n.Expr, n.Expr] | None:
    """Returns both values converted to a common type, for comparison; None if there is none."""
    na, nb = conversions.as_number(a), conversions.as_number(b)
    if na is not None and nb is not None and not isinstance(a.type, n.OptT) and not isinstance(b.type, n.OptT):
        return na, nb
    joined = ty.join_types(a.type, b.type)
    if joined is None:
        return None
    ca, cb = convert(env, a, joined), convert(env, b, joined)
    return (ca, cb) if ca is not None and cb is not None else None
