"""Calls ``f(a, b)``: definitions, builtins, and functions of the board."""

from __future__ import annotations

from gamedsl.language.boards import Domain
from gamedsl.language.core import fold
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.builtins import BUILTINS
from gamedsl.language.rules.expressions.definitions import call_define, ensure_defined, signature
from gamedsl.language.rules.expressions.geometry.geometry_calls import DRAWN, lower_family
from gamedsl.language.rules.expressions.geometry.geometry_relations import apply_relation
from gamedsl.language.rules.expressions.geometry.legs import has_legs, lower_legs
from gamedsl.language.rules.expressions.lowering import lower
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.rules.symbols import WORDS, DefineSym, DomainSym
from gamedsl.language.syntax import FOREIGN_FUNCTIONS, ast


def lower_call(env: Env, ctx: Ctx, e: ast.Call, want: n.ValueT | None) -> n.Expr:
    symbol = env.symbols.get(e.name)
    if isinstance(symbol, DefineSym):
        if symbol.state != "busy":  # (a definition that is called only by itself is unused)
            env.used.add(e.name)
        return _call_define(env, ctx, e, symbol)
    builtin = BUILTINS.get(e.name)
    if builtin is not None and builtin.least <= len(e.args) <= builtin.most:
        return builtin.lower(env, ctx, e)
    board = env.board
    if has_legs(e):
        return lower_legs(env, ctx, e)
    if board is not None:
        if (e.name, len(e.args)) in board.families:
            return lower_family(env, ctx, e, board)
        if (e.name, len(e.args)) in board.relations:
            return apply_relation(env, ctx, e, board.relations[(e.name, len(e.args))])
    if env.drawing is not None and (e.name, len(e.args)) in DRAWN:
        return DRAWN[(e.name, len(e.args))](env, ctx, e)
    domain = _domain_called(env, e.name)
    if domain is not None and len(e.args) == 1:
        return _nth(env, ctx, e, domain)
    return _no_such_call(env, ctx, e)


def _domain_called(env: Env, name: str) -> Domain | None:
    symbol = env.symbols.get(name) or env.symbols.get(f"${name}")
    if name == "player":
        return env.players
    return symbol.domain if isinstance(symbol, DomainSym) else None


def _nth(env: Env, ctx: Ctx, e: ast.Call, domain: Domain) -> n.Expr:
    """Returns ``cell(n)``: the element with this number, from 1; the inverse of ``number``."""
    env.used.add(e.name)
    number = lower(env, ctx, e.args[0], n.IntT(1, domain.size))
    index = n.Op2("sub", number, ty.number(1, e.span), n.IntT(0, domain.size - 1), span=e.span)
    return fold(n.Convert(index, n.ElemT(domain), span=e.span))


def _board_calls(env: Env) -> set[tuple[str, int]]:
    return set(env.board.relations) | set(env.board.families) if env.board is not None else set()


def _forms(env: Env, name: str) -> str:
    """Returns the ways to call a function of the board or the language."""
    relations = env.board.relations.values() if env.board is not None else ()
    forms = [f"{name}({', '.join(d.name for d in r.params)})" for r in relations if r.name == name]
    return "` or `".join(forms + ([BUILTINS[name].signature] if name in BUILTINS else [])) or f"{name}(k)"


def _no_such_call(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    counts = sorted(
        {k for name, k in _board_calls(env) if name == e.name}
        | ({BUILTINS[e.name].least} if e.name in BUILTINS else set())
    )
    if counts:
        wanted = " or ".join(str(c) for c in counts)
        env.report.fail("E0328", e.span, name=e.name, count=wanted, given=len(e.args), call=_forms(env, e.name))
    symbol = env.symbols.get(e.name)
    if symbol is not None or e.name in ctx.scope:
        what = WORDS[type(symbol)] if symbol is not None else "a value"
        env.report.fail("E0329", e.span, name=e.name, what=what)
    pool = [*BUILTINS, *(name for name, s in env.symbols.items() if isinstance(s, DefineSym))]
    if env.board is not None:
        pool += [name for name, _ in env.board.relations] + [name for name, _ in env.board.families]
    foreign = FOREIGN_FUNCTIONS.get(e.name.lower())
    near = (foreign,) if foreign in pool else env.report.near_names(e.name, pool)
    env.report.fail("E0207", e.span, near=near, name=e.name)


def _call_define(env: Env, ctx: Ctx, e: ast.Call, symbol: DefineSym) -> n.Expr:
    ensure_defined(env, symbol, e.span)
    if len(symbol.params) != len(e.args):
        call = signature(e.name, symbol.decl.params)
        env.report.fail("E0328", e.span, name=e.name, count=len(symbol.params), given=len(e.args), call=call)
    args = tuple(lower(env, ctx, a, t) for a, (_, t) in zip(e.args, symbol.params, strict=True))  # type: ignore[arg-type]
    return call_define(env, ctx, symbol, args, e.span)
