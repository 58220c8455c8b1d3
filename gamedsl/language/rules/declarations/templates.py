"""Strings with ``{name}`` in place of a value, and the names that a line binds with ``for``."""

from __future__ import annotations

import re

from gamedsl.language.core import nodes as n
from gamedsl.language.rules.expressions.binders import bind_elements
from gamedsl.language.rules.expressions.lowering import as_set
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast

Loops = tuple[tuple[n.Local, n.Expr], ...]


def loops(env: Env, ctx: Ctx, binders: tuple[ast.Binder, ...]) -> tuple[Loops, Ctx]:
    """Returns the loops of ``for``, and the context inside them."""
    found: list[tuple[n.Local, n.Expr]] = []
    for b in binders:
        ranges, ctx = bind_elements(env, ctx, b)
        for one in ranges:
            found.append((one.local, one.over))
            if one.item is not None:
                found.append((one.element, as_set(env, one.item.value, b.source.span)))
        if b.is_tuple:
            parts, ctx = _parts(env, ctx, b.names)
            found += parts
    return tuple(found), ctx


def _parts(env: Env, ctx: Ctx, names: tuple[ast.Name, ...]) -> tuple[Loops, Ctx]:
    """Returns a loop over its single value for each part of a tuple, so that a string can mention it."""
    found: list[tuple[n.Local, n.Expr]] = []
    for name in names:
        value = ctx.scope[name.id]
        assert isinstance(value, n.Expr)
        local = env.program.local(name.id, value.type)
        found.append((local, as_set(env, value, name.span)))
        ctx = ctx.bind(**{name.id: n.Load(local, span=name.span)})
    return tuple(found), ctx


def template(
    env: Env, text: str, loops: Loops, span: Span, more: tuple[n.Local, ...] = ()
) -> tuple[str | n.Local, ...]:
    """Splits a string with ``{name}`` in place of values into literal strings and locals; reports unknown names."""
    known = {loc.name: loc for loc, _ in loops} | {loc.name: loc for loc in more}
    out: list[str | n.Local] = []
    for piece in re.split(r"(\{(?:(?:column|row) of )?[A-Za-z_]\w*\})", text):
        if piece[:1] == "{" and piece[-1:] == "}":
            if piece[1:-1] not in known:
                env.report.fail("E0451", span, name=piece[1:-1])
            out.append(known[piece[1:-1]])
        elif piece:
            out.append(piece)
    return tuple(out)
