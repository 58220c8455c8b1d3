"""Declarations of pieces and tokens."""

from __future__ import annotations

import re
from typing import NoReturn

from gamedsl.language.boards import Domain, in_words
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.declarations.carried_declarations import declare_fields, viewers_of
from gamedsl.language.rules.declarations.state_variables import new_variable
from gamedsl.language.rules.error_report import Bail
from gamedsl.language.rules.expressions.lowering import constant
from gamedsl.language.rules.expressions.type_expressions import domain_of_type, spoken_words, value_type
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.rules.symbols import DomainSym, PieceSym, TokenKindSym
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast, node_text

HIGHEST_STACK = 64
MOST_KINDS = 4  # shown in a message


def declare_piece(env: Env, d: ast.Decl) -> None:
    assert isinstance(d, ast.PieceDecl)
    owned = d.of is not None
    if d.of is not None and not (isinstance(d.of, ast.NamedType) and d.of.name == "player"):
        _refuse_owner(env, d, d.of)
    place = env.place
    if d.place is not None:
        place = domain_of_type(env, ast.NamedType(d.place, span=d.span))
    if place is None:
        env.report.fail("E0332", d.span)
    each_ = None if d.each is None else constant(env, Ctx("option"), d.each, "the number of pieces")
    if each_ is not None and not 1 <= each_ <= 100_000:
        env.report.fail("E0344", d.span, what="the number of pieces", value=each_)
    keys = (env.players,) if owned else ()
    for name in d.names:
        var = env.program.variable(
            env.index, name.id, n.SetT(place), keys=keys, seen=d.seen, role="piece", span=name.span
        )
        var = viewers_of(env, name.id, d.seen, name.id, var)
        extra = None
        if d.stacking:
            t = n.IntT(0, max(0, (each_ or HIGHEST_STACK) - 1))
            extra = env.program.variable(
                env.index, f"{name.id} above", t, keys=(*keys, place), seen=d.seen, role="count", span=name.span,
                viewers=var.viewers,
            )  # fmt: skip
        piece = PieceSym(name.id, var, extra, each_, owned, place, name.span)
        env.declare(name, piece)
        if d.fields:
            env.symbols[name.id] = declare_fields(env, d, piece)


def _refuse_owner(env: Env, d: ast.PieceDecl, of: ast.Type) -> NoReturn:
    """Refuses a piece of a type other than ``player``, and suggests alternatives in the author's names."""
    name, written = d.names[0].id, node_text(of) or "..."
    try:
        known = domain_of_type(env, of)
        values: tuple[str, ...] = () if known is None else known.names[:MOST_KINDS]
    except Bail:
        values = ()
    kinds = [f"{name}_{value}" for value in values if value.isidentifier()] or [f"{name}_a", f"{name}_b"]
    field = "kind" if not written.isidentifier() or written in env.symbols else written
    env.report.fail("E0214", of.span, name=name, type=written, field=field, kinds=", ".join(kinds))


def declare_token(env: Env, d: ast.Decl) -> None:
    assert isinstance(d, ast.TokenDecl)
    names: list[str] = []
    words: list[tuple[str, Span]] = []
    kinds: list[tuple[ast.Name, int, Domain | None]] = []
    for kind in d.kinds:
        key = None
        if kind.of is not None:
            t = value_type(env, kind.of)
            key = ty.domain_of(t) if isinstance(t, n.ScalarT) else None
            if key is None:
                env.report.fail("E0340", kind.of.span)
        kinds.append((kind.name, len(names), key))
        names += [kind.name.id] if key is None else [f"{kind.name.id}[{k}]" for k in key.names]
        words += [(text, kind.span) for text in _words_of(env, kind, key)]
    given = any(kind.words is not None for kind in d.kinds)
    domain = Domain(d.name.id, tuple(names), spoken=spoken_words(env, words) if given else ())
    env.declare(d.name, DomainSym(domain, d.name.span))
    for name, first, key in kinds:
        env.declare(name, TokenKindSym(domain, first, key, name.span))


def _words_of(env: Env, kind: ast.TokenKind, key: Domain | None) -> list[str]:
    """Returns the words for the tokens of a kind; ``{player}`` (or another type) in them is the owner of the token."""
    named = kind.of.name if isinstance(kind.of, ast.NamedType) else "value"
    text = kind.words if kind.words is not None else f"{kind.name.id} of {{{named}}}" if key else kind.name.id
    for name in re.findall(r"\{(\w*)\}", text):
        if key is None or name != named:
            env.report.fail("E0451", kind.span, name=name)
    text = text if kind.words is not None else in_words(text)
    return [text] if key is None else [text.replace(f"{{{named}}}", word) for word in key.words]


def declare_token_fields(env: Env, d: ast.Decl) -> None:
    assert isinstance(d, ast.TokenDecl)
    symbol = env.symbols.get(d.name.id)
    if not isinstance(symbol, DomainSym):
        raise Bail
    fields = env.program.fields.setdefault((env.index, symbol.domain.name), {})
    for v in d.fields:
        for name in v.names:
            if name.id in fields:
                env.report.fail("E0202", name.span, name=name.id)
            fields[name.id] = new_variable(env, v, name, (symbol.domain,), f"{d.name.id}.{name.id}")
