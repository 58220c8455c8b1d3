"""The attributes that pieces carry (the lines below ``piece``) → variables over the board, and who sees them."""

from __future__ import annotations

from dataclasses import replace

from gamedsl.language.core import nodes as n
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.lowering import lower
from gamedsl.language.rules.expressions.type_expressions import value_type
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.rules.symbols import Carried, PieceSym
from gamedsl.language.source import Label
from gamedsl.language.syntax import ast


def revealed_names(env: Env) -> frozenset[str]:
    """Returns the names of the variables, pieces and fields that some line reveals."""
    names = set[str]()
    for node in env.nodes_of(ast.Reveal):
        if isinstance(node, ast.Reveal):
            what = node.what.base if isinstance(node.what, ast.Index) else node.what
            if isinstance(what, ast.Ref | ast.FieldOf):
                names.add(what.name)
    return frozenset(names)


def viewers_of(env: Env, name: str, seen: str, title: str, var: n.Var) -> n.Var:
    """Returns the variable; if a line reveals it, with another variable for the players to whom it is revealed."""
    if seen == "all" or name not in env.revealed:
        return var
    viewers = env.program.variable(
        env.index, f"{title} revealed", n.SetT(env.players), keys=var.keys, role="viewers", span=var.span
    )
    known = replace(var, viewers=viewers.index)
    env.program.variables[var.index] = known
    return known


def declare_fields(env: Env, d: ast.PieceDecl, piece: PieceSym) -> PieceSym:
    """Declares the attributes of a kind of piece, and returns the kind with their names."""
    names: list[str] = []
    for field in d.fields:
        for name in field.names:
            _declare(env, d, field, name, piece)
            names.append(name.id)
    return replace(piece, carries=tuple(names))


def _declare(env: Env, d: ast.PieceDecl, field: ast.Variable, name: ast.Name, piece: PieceSym) -> None:
    t = _type(env, field, name, piece)
    if field.seen == "owner" and not piece.owned:
        env.report.fail("E0215", field.span, name=name.id)
    known = env.carried.get(name.id)
    if known is None:
        known = env.carried[name.id] = _new(env, d, field, name, t, piece)
    elif piece.name in known.defaults:
        env.report.fail("E0202", name.span, labels=(Label(known.span, "first declared here"),), name=name.id)
    elif (known.type, known.var.seen) != (t, field.seen):
        env.report.fail("E0396", field.span, labels=(Label(known.span, "declared here first"),), name=name.id)
    known.defaults[piece.name] = _default(env, field, t)


def _type(env: Env, field: ast.Variable, name: ast.Name, piece: PieceSym) -> n.ValueT:
    if piece.extra is not None:
        env.report.fail("E0393", name.span, name=name.id, why=f"several of `{piece.name}` can be on one place")
    if piece.place is not env.place:
        env.report.fail("E0393", name.span, name=name.id, why=f"`{piece.name}` is not placed on cells")
    if isinstance(field.type, ast.MapType):
        env.report.fail("E0393", field.type.span, name=name.id, why="it is a map")
    t = value_type(env, field.type)
    if isinstance(t, n.StoredT):
        env.report.fail("E0393", field.type.span, name=name.id, why="it is a stack")
    return t


def _new(env: Env, d: ast.PieceDecl, field: ast.Variable, name: ast.Name, t: n.ValueT, piece: PieceSym) -> Carried:
    countdown = isinstance(field.type, ast.CountdownType)
    stored = t if countdown or isinstance(t, n.SetT | n.OptT) else n.OptT(t)
    title = f"{piece.place.name}.{name.id}"
    viewers = None
    if field.seen == "owner" or (field.seen == "nobody" and name.id in env.revealed):
        own = len(env.program.variables) if d.seen != "all" else None
        viewers = env.program.variable(
            env.index, f"{title} revealed", n.SetT(env.players), keys=(piece.place,), role="viewers", span=name.span,
            seen="all" if own is None else "owner", viewers=own,
        )  # fmt: skip
    var = env.program.variable(
        env.index, title, stored, keys=(piece.place,), seen=field.seen, role="countdown" if countdown else "state", span=name.span,
        viewers=None if viewers is None else viewers.index,
    )  # fmt: skip
    if countdown:
        env.countdowns.append(var)
    return Carried(name.id, t, stored, var, viewers, field.seen == "owner", {}, name.span)


def _default(env: Env, field: ast.Variable, t: n.ValueT) -> n.Const | None:
    """Returns the value that a piece carries if ``put`` gives none: the declared one, or 0, no, none or the empty set;
    None if the type has no such value.
    """
    if field.initial is not None:
        value = lower(env, Ctx("option"), field.initial, t)
        if not isinstance(value, n.Const):
            env.report.fail("E0307", field.initial.span, what="a first value")
        return value
    return n.Const(0, t) if _has_least(t) else None


def _has_least(t: n.ValueT) -> bool:
    return isinstance(t, n.SetT | n.OptT) or t == ty.BOOL or (isinstance(t, n.IntT) and t.low <= 0 <= t.high)
