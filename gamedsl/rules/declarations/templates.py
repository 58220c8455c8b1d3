"""Texts with ``{name}`` in place of a value, and the names that a line binds with ``for``."""

from __future__ import annotations

import re

from gamedsl.core.nodes import Expr, Load, Local
from gamedsl.rules.expressions.binders import bind_elements
from gamedsl.rules.expressions.lowering import as_set
from gamedsl.rules.scope import Ctx, Env
from gamedsl.source import Span
from gamedsl.syntax import ast

Loops = tuple[tuple[Local, Expr], ...]


def loops(env: Env, ctx: Ctx, binders: tuple[ast.Binder, ...]) -> tuple[Loops, Ctx]:
    """The loops of ``for``, and the context inside them."""
    found: list[tuple[Local, Expr]] = []
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
    """A loop over its one value for each part of a tuple, so that a text can name it."""
    found: list[tuple[Local, Expr]] = []
    for name in names:
        value = ctx.scope[name.id]
        assert isinstance(value, Expr)
        local = env.program.local(name.id, value.type)
        found.append((local, as_set(env, value, name.span)))
        ctx = ctx.bind(**{name.id: Load(local, span=name.span)})
    return tuple(found), ctx


def template(env: Env, text: str, loops: Loops, span: Span, more: tuple[Local, ...] = ()) -> tuple[str | Local, ...]:
    """A text with ``{name}`` in place of a value."""
    known = {loc.name: loc for loc, _ in loops} | {loc.name: loc for loc in more}
    out: list[str | Local] = []
    for piece in re.split(r"(\{(?:(?:column|row) of )?[A-Za-z_]\w*\})", text):
        if piece[:1] == "{" and piece[-1:] == "}":
            if piece[1:-1] not in known:
                env.report.fail("E0451", span, name=piece[1:-1])
            out.append(known[piece[1:-1]])
        elif piece:
            out.append(piece)
    return tuple(out)
