"""Keys and fields: ``mark[me]``, ``pawn.home``, ``result.winner``."""

from __future__ import annotations

from gamedsl.language.core import fold
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.error_report import Bail
from gamedsl.language.rules.expressions.carried_expressions import carried_at
from gamedsl.language.rules.expressions.lowering import Value, as_plain, lower, lower_any
from gamedsl.language.rules.expressions.primitives import read_map
from gamedsl.language.rules.scope import Ctx, Env, MapValue, MoveValue, OutcomeValue
from gamedsl.language.rules.symbols import PieceSym, TokenKindSym
from gamedsl.language.syntax import ast


def lower_index(env: Env, ctx: Ctx, e: ast.Index) -> Value:
    if isinstance(e.base, ast.Ref) and e.base.name not in ctx.scope:
        symbol = env.symbols.get(e.base.name)
        if isinstance(symbol, PieceSym):
            env.used.add(e.base.name)
            return _piece_set(env, ctx, symbol, e)
        if isinstance(symbol, TokenKindSym):
            env.used.add(e.base.name)
            return _token(env, ctx, symbol, e.base.name, e)
    base = lower_any(env, ctx, e.base, None)
    if not isinstance(base, MapValue):
        env.report.fail("E0310", e.span, what=e.base.span.text or "this")
    given = base.keys
    for key in e.keys:
        if len(given) >= len(base.var.keys):
            if isinstance(base.var.type, n.StackT):
                env.report.fail("E0478", e.span, stack=_text_of_stack(e, len(given) - len(base.keys)))
            env.report.fail("E0311", key.span, name=base.var.name, count=len(base.var.keys))
        given = (*given, lower(env, ctx, key, n.ElemT(base.var.keys[len(given)])))
    return read_map(base.var, given, e.span)


def _text_of_stack(e: ast.Index, used: int) -> str:
    """Returns the text of the stack in ``pile[c, 2]``, to which the first ``used`` keys belong."""
    keys = ", ".join(k.span.text for k in e.keys[:used])
    return f"{e.base.span.text}[{keys}]" if used else e.base.span.text


def _piece_set(env: Env, ctx: Ctx, piece: PieceSym, e: ast.Index) -> n.Expr:
    if not piece.owned or len(e.keys) != 1:
        code = "E0312" if not piece.owned else "E0311"
        env.report.fail(code, e.span, name=piece.name, count=1)
    key = lower(env, ctx, e.keys[0], n.ElemT(env.players))
    return n.Get(piece.var, (key,), n.SetT(piece.place), span=e.span)


def _token(env: Env, ctx: Ctx, kind: TokenKindSym, name: str, e: ast.Index) -> n.Expr:
    if kind.key is None or len(e.keys) != 1:
        env.report.fail("E0312" if kind.key is None else "E0311", e.span, name=name, count=1)
    key = lower(env, ctx, e.keys[0], n.ElemT(kind.key))
    values = tuple(kind.first + i for i in range(kind.key.size))
    return fold(n.Lookup(n.TableData(f"{name} of", (kind.key,), n.ElemT(kind.domain), values), (key,), span=e.span))


def lower_field(env: Env, ctx: Ctx, e: ast.FieldOf) -> Value:
    base = lower_any(env, ctx, e.base, None)
    if isinstance(base, OutcomeValue):
        return _outcome_field(env, base, e)
    if isinstance(base, MapValue | MoveValue):
        as_plain(env, base, e.base.span)
    assert not isinstance(base, MapValue | MoveValue)
    if isinstance(base.type, n.OptT) and isinstance(base.type.inner, n.ElemT):
        base = n.Op1("unwrap", base, base.type.inner, span=base.span)
    if isinstance(base.type, n.ElemT) and base.type.domain is env.place and env.carried:
        return carried_at(env, base, e)
    if isinstance(base.type, n.ElemT) and isinstance(base.type.domain, ty.TupleDomain):
        return _part(env, base, base.type.domain, e)
    if isinstance(base.type, n.ElemT):
        fields = env.program.fields.get((env.index, base.type.domain.name), {})
        if e.name in fields:
            return read_map(fields[e.name], (base,), e.span)
        if fields:
            env.report.fail(
                "E0314",
                e.span,
                near=env.report.near_names(e.name, fields),
                what=base.type.domain.name,
                name=e.name,
                fields=", ".join(fields),
            )
    if isinstance(base.type, n.ElemT) and base.type.domain.name in env.broken:
        raise Bail
    env.report.fail("E0313", e.span, what=ty.describe(base.type), name=e.name)


def _part(env: Env, base: n.Expr, domain: ty.TupleDomain, e: ast.FieldOf) -> n.Expr:
    """Returns a part of a tuple by the name of its type."""
    if domain.labels.count(e.name) != 1:
        known = [name for name in domain.labels if name and domain.labels.count(name) == 1]
        near = env.report.near_names(e.name, known)
        env.report.fail("E0217", e.span, near=near, tuple=domain.name, name=e.name, parts=", ".join(known) or "none")
    factor, values = domain.components[domain.labels.index(e.name)]
    table = n.TableData(f"{e.name} of {domain.name}", (domain,), n.ElemT(factor), values)
    return fold(n.Lookup(table, (base,), span=e.span))


def _outcome_field(env: Env, outcome: OutcomeValue, e: ast.FieldOf) -> n.Expr:
    winners: n.Expr = n.Get(outcome.winners, (), n.SetT(env.players), span=e.span)
    player = n.ElemT(env.players)
    count = n.Op1("count", winners, n.IntT(0, env.players.size), span=e.span)
    match e.name:
        case "winners":
            return winners
        case "drawn":
            return n.Op1("is_empty", winners, ty.BOOL, span=e.span)
        case "winner":
            one = n.Op2("eq", count, ty.number(1, e.span), ty.BOOL, span=e.span)
            first = n.Op1("wrap", n.Op1("first", winners, player, span=e.span), n.OptT(player), span=e.span)
            return n.Cond(one, first, n.Const(0, n.OptT(player), span=e.span), n.OptT(player), span=e.span)
    known = ("winner", "winners", "drawn")
    env.report.fail(
        "E0314", e.span, near=env.report.near_names(e.name, known), what="result", name=e.name, fields=", ".join(known)
    )
