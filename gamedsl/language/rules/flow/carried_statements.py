"""The attributes of pieces in statements: set when a piece is put, moved with it, and cleared when it leaves.

Includes ``reveal``, which shows an attribute, or any hidden variable, to further players.
"""

from __future__ import annotations

from collections.abc import Mapping

from gamedsl.language.boards import Domain
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.carried_expressions import carried_target, is_optional, stands
from gamedsl.language.rules.expressions.lowering import lower, lower_any, require
from gamedsl.language.rules.scope import Ctx, Env, MapValue
from gamedsl.language.rules.symbols import Carried, PieceSym, VarSym
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast

Given = Mapping[str, tuple[n.Expr, n.Expr | None]]  # by name: the value of an attribute, as stored, and who sees it


def given(
    env: Env, ctx: Ctx, s: ast.Put, piece: PieceSym, keys: tuple[n.Expr, ...]
) -> dict[str, tuple[n.Expr, n.Expr | None]]:
    """Returns the attributes of a piece that is put: those after ``with``, or else the default values."""
    said: dict[str, ast.Binding] = {}
    for b in s.bindings:
        if b.name.id not in piece.carries:
            near, fields = env.report.near_names(b.name.id, piece.carries), ", ".join(piece.carries) or "nothing"
            env.report.fail("E0395", b.span, near=near, piece=piece.name, name=b.name.id, fields=fields)
        if b.name.id in said:
            env.report.fail("E0202", b.name.span, name=b.name.id)
        said[b.name.id] = b
    found: dict[str, tuple[n.Expr, n.Expr | None]] = {}
    for name in piece.carries:
        carried = env.carried[name]
        binding, value = said.get(name), carried.defaults.get(piece.name)
        if binding is not None:
            stored = _stored(carried, lower(env, ctx, binding.value, carried.type), s.span)
        elif value is not None:
            stored = _stored(carried, value, s.span)
        else:
            line = f"put {s.piece.span.text} on {s.on.span.text}"
            env.report.fail("E0394", s.span, piece=piece.name, name=name, line=line)
        found[name] = stored, _first_viewers(env, carried, keys, s.span)
    return found


def _stored(carried: Carried, value: n.Expr, span: Span) -> n.Expr:
    if not is_optional(carried):
        return value
    stored = conversions.coerce(value, carried.stored)
    assert stored is not None
    return stored


def _first_viewers(env: Env, carried: Carried, keys: tuple[n.Expr, ...], span: Span) -> n.Expr | None:
    if carried.viewers is None:
        return None
    if not carried.owner_sees:
        return n.Const(0, n.SetT(env.players), span=span)
    owner = conversions.as_set(keys[0])
    assert owner is not None
    return owner


def arrive(env: Env, piece: PieceSym, values: Given, cells: n.Expr, span: Span) -> list[n.CoreStmt]:
    """Stores the attributes of a piece for a place, or for each place of a set."""
    if not piece.carries:
        return []
    if isinstance(cells.type, n.SetT):
        local = env.program.local("c", n.ElemT(piece.place))
        return [n.ForS(local, cells, tuple(arrive(env, piece, values, n.Load(local), span)), span=span)]
    out: list[n.CoreStmt] = []
    for name in piece.carries:
        carried = env.carried[name]
        value, viewers = values[name]
        out.append(n.Assign(carried.var, (cells,), value, span=span))
        if carried.viewers is not None and viewers is not None:
            out.append(n.Assign(carried.viewers, (cells,), viewers, span=span))
    return out


def carry(env: Env, piece: PieceSym, cell: n.Expr, span: Span) -> tuple[list[n.CoreStmt], Given]:
    """Returns statements that keep the attributes of the piece on a place in locals while it moves, and the
    attributes.
    """
    lets: list[n.CoreStmt] = []
    kept: dict[str, tuple[n.Expr, n.Expr | None]] = {}

    def keep(name: str, var: n.Var, t: n.ValueT) -> n.Expr:
        local = env.program.local(name, t)
        lets.append(n.LetS(local, n.Get(var, (cell,), t, span=span), span=span))
        return n.Load(local)

    for name in piece.carries:
        carried = env.carried[name]
        value = keep(name, carried.var, carried.stored)
        viewers = carried.viewers
        kept[name] = value, None if viewers is None else keep(f"{name} revealed", viewers, n.SetT(env.players))
    return lets, kept


def leave(env: Env, piece: PieceSym, keys: tuple[n.Expr, ...], cells: n.Expr, span: Span) -> list[n.CoreStmt]:
    """Clears the attributes of pieces that are about to be removed from a place, or from a set of places."""
    if not piece.carries:
        return []
    standing = n.Get(piece.var, keys, n.SetT(piece.place), span=span)
    if not isinstance(cells.type, n.SetT):
        return [
            n.IfS(
                n.Op2("in", cells, standing, ty.BOOL, span=span), tuple(_clear(env, piece, cells, span)), (), span=span
            )
        ]
    local = env.program.local("c", n.ElemT(piece.place))
    there = n.Op2("meet", cells, standing, cells.type, span=span)
    return [n.ForS(local, there, tuple(_clear(env, piece, n.Load(local), span)), span=span)]


def _clear(env: Env, piece: PieceSym, cell: n.Expr, span: Span) -> list[n.CoreStmt]:
    out: list[n.CoreStmt] = []
    for name in piece.carries:
        carried = env.carried[name]
        first = n.Const(carried.var.initial[0], carried.stored, span=span)
        out.append(n.Assign(carried.var, (cell,), first, span=span))
        if carried.viewers is not None:
            out.append(n.Assign(carried.viewers, (cell,), n.Const(0, n.SetT(env.players), span=span), span=span))
    return out


def set_carried(env: Env, ctx: Ctx, s: ast.SetTo) -> list[n.CoreStmt] | None:
    """Lowers ``set c.rank to k``; returns None if the target is not an attribute of pieces."""
    found = _target(env, ctx, s.target)
    if found is None:
        return None
    carried, keys = found
    value = lower(env, ctx, s.value, carried.type)
    return [
        _standing(env, carried, keys[0], s.span),
        n.Assign(carried.var, keys, _stored(carried, value, s.span), span=s.span),
    ]


def changed_in_place(env: Env, ctx: Ctx, target: ast.Expr) -> tuple[n.Get, Carried] | None:
    """Returns the stored value and the attribute if ``add`` or ``take`` changes an attribute of pieces; otherwise
    None.
    """
    found = _target(env, ctx, target)
    if found is None:
        return None
    carried, keys = found
    return n.Get(carried.var, keys, carried.stored, span=target.span), carried


def _target(env: Env, ctx: Ctx, e: ast.Expr) -> tuple[Carried, tuple[n.Expr, ...]] | None:
    return carried_target(env, e, lower_any(env, ctx, e, None)) if isinstance(e, ast.FieldOf) else None


def change_carried(env: Env, now: n.Get, carried: Carried, total: n.Expr, span: Span) -> list[n.CoreStmt]:
    """Stores the changed value; a rules error if there is no piece on the place."""
    stored = _stored(carried, total, span)
    return [_standing(env, carried, now.keys[0], span), n.Assign(carried.var, now.keys, stored, span=span)]


def _standing(env: Env, carried: Carried, cell: n.Expr, span: Span) -> n.CoreStmt:
    return n.Check(stands(env, carried, cell, span), f"no piece with `{carried.name}` stands there", span=span)


# ---------------------------------------------------------------------------------------------------------- reveal


def reveal(env: Env, ctx: Ctx, s: ast.Reveal) -> list[n.CoreStmt]:
    """Adds players to those who see a variable, in all of its slots with the given keys."""
    out: list[n.CoreStmt] = []
    var, keys = _find_revealed(env, ctx, s, out)
    if var.viewers is None:
        env.report.fail("E0397", s.what.span, what=s.what.span.text)
    viewers = env.program.variables[var.viewers]
    players = n.SetT(env.players)
    to: n.Expr = n.Const(env.players.full, players, span=s.span)
    if s.to is not None:
        to = require(env, lower(env, ctx, s.to), players, s.to.span)
    return [*out, *_add(env, viewers, keys, viewers.keys[len(keys) :], to, s.span)]


def _find_revealed(env: Env, ctx: Ctx, s: ast.Reveal, out: list[n.CoreStmt]) -> tuple[n.Var, tuple[n.Expr, ...]]:
    """Returns the variable that is revealed, with the given keys."""
    if isinstance(s.what, ast.Ref):
        symbol = env.symbols.get(s.what.name) if s.what.name not in ctx.scope else None
        if isinstance(symbol, VarSym | PieceSym):
            env.used.add(s.what.name)
            return symbol.var, ()
    value = lower_any(env, ctx, s.what, None)
    found = carried_target(env, s.what, value)
    if found is not None:
        out.append(_standing(env, found[0], found[1][0], s.span))
        return found[0].var, found[1]
    match value:
        case n.Get(var, keys) | MapValue(var, keys) if isinstance(var, n.Var) and var.role in (
            "state",
            "piece",
            "countdown",
        ):
            return var, keys
        case _:
            env.report.fail("E0398", s.what.span, what=s.what.span.text)


def _add(
    env: Env, viewers: n.Var, keys: tuple[n.Expr, ...], missing: tuple[Domain, ...], to: n.Expr, span: Span
) -> list[n.CoreStmt]:
    if not missing:
        players = n.SetT(env.players)
        both = n.Op2("union", n.Get(viewers, keys, players, span=span), to, players, span=span)
        return [n.Assign(viewers, keys, both, span=span)]
    local = env.program.local("k", n.ElemT(missing[0]))
    body = _add(env, viewers, (*keys, n.Load(local)), missing[1:], to, span)
    return [n.ForS(local, n.Const(missing[0].full, n.SetT(missing[0])), tuple(body), span=span)]
