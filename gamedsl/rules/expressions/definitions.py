"""``define`` → functions of the Core, lowered on first use, so that their order does not matter."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gamedsl.core import children
from gamedsl.core.nodes import CallF, Const, ElemT, Expr, Function, Load
from gamedsl.rules.expressions.lowering import lower
from gamedsl.rules.expressions.type_expressions import value_type
from gamedsl.rules.report import Bail
from gamedsl.rules.scope import Ctx, Env
from gamedsl.rules.symbols import DefineSym
from gamedsl.source import Span
from gamedsl.syntax import ast, node_text, walk

MOST_NESTED = 100  # definitions that wait for one another
MOST_DEEP = 250  # expressions inside each other, definitions looked into
SAYS_ME = {"me", "rival"}


def _depth(e: Expr, functions: Sequence[int]) -> int:
    """The nesting depth with definitions expanded."""
    inner = max((_depth(c, functions) for c in children(e)), default=0)
    return 1 + (max(inner, functions[e.function]) if isinstance(e, CallF) else inner)


def speaks_of_me(env: Env, e: ast.Expr, seen: set[str] | None = None) -> bool:
    """Whether an expression says ``me`` or ``rival``, directly or through definitions (``seen``: already visited)."""
    seen = set() if seen is None else seen
    for node in walk(e):
        name = node.name if isinstance(node, ast.Ref | ast.Call) else None
        if name is None:
            continue
        if name in SAYS_ME and (isinstance(node, ast.Ref) or not getattr(node, "args", ())):
            return True
        if name == "repetition" and isinstance(node, ast.Call) and env.noting == "position":
            return True  # to a position belongs who is to move
        symbol = env.symbols.get(name)
        if isinstance(symbol, DefineSym) and symbol.state == "done":
            if symbol.needs_me:
                return True
        elif isinstance(symbol, DefineSym) and name not in seen:
            seen.add(name)
            if speaks_of_me(env, symbol.decl.value, seen):
                return True
    return False


def _by_depth(decl: ast.DefineDecl) -> str:
    """Advice: the author's own line as one of several depths, and what is there for steps from place to place."""
    source, name = decl.span.source, decl.name.id
    line = source.text[decl.span.start : decl.span.end].partition("\n")[0].partition("  #")[0].strip()
    head, found, body = line.partition(f"{name}(")
    deeper = re.sub(rf"\b{re.escape(name)}\(", f"{name}_1(", body)
    steps = "For what can be reached step by step there is `reach of E for x from S`."
    if not found or deeper == body:
        return f"Write it out as far as it goes. {steps}"
    return f"Write one definition a depth: `{head}{name}_2({deeper}`, and so on down to one that asks no other. {steps}"


def ensure_defined(env: Env, symbol: DefineSym, span: Span) -> None:
    if symbol.state == "broken":
        raise Bail
    if symbol.state == "busy":
        env.report.fail("E0351", span, name=symbol.decl.name.id, cure=_by_depth(symbol.decl))
    if symbol.state == "new":
        symbol.state = "busy"
        env.program.defining += 1
        try:
            if env.program.defining > MOST_NESTED:
                env.report.fail("E0460", span)
            _define(env, symbol)
            symbol.state = "done"
        except Bail:
            symbol.state = "broken"
            raise
        finally:
            env.program.defining -= 1


def _define(env: Env, symbol: DefineSym) -> None:
    decl = symbol.decl
    scope: dict[str, Expr] = {}
    locals_ = []
    symbol.needs_me = speaks_of_me(env, decl.value)
    me = env.program.local("me", ElemT(env.players)) if symbol.needs_me else None
    for param in decl.params:
        if param.type is None:
            env.report.fail("E0352", param.span, name=param.name.id)
        if param.name.id in scope:
            env.report.fail("E0202", param.name.span, name=param.name.id)
        t = value_type(env, param.type)
        local = env.program.local(param.name.id, t)  # type: ignore[arg-type]
        locals_.append(local)
        scope[param.name.id] = Load(local)
    ctx = Ctx("define", scope=dict(scope), me=Load(me) if me else None)
    want = None if decl.type is None else value_type(env, decl.type)
    body = lower(env, ctx, decl.value, want)  # type: ignore[arg-type]
    symbol.params = tuple((loc.name, loc.type) for loc in locals_)
    if isinstance(body, Const) and not decl.params:
        symbol.constant = body
    params = tuple(([me] if me else []) + locals_)
    index = len(env.program.functions)
    env.program.depths.append(_depth(body, env.program.depths))
    if env.program.depths[index] > MOST_DEEP:
        env.report.fail("E0460", decl.name.span)
    symbol.function = Function(
        index, f"{env.name}.{decl.name.id}" if env.index else decl.name.id, params, body, decl.span
    )
    env.program.functions.append(symbol.function)


def signature(name: str, params: Sequence[ast.Param]) -> str:
    """How something declared with parameters is used: ``near(a: cell, b: cell)``."""
    shown = [p.name.id if p.type is None else f"{p.name.id}: {node_text(p.type)}" for p in params]
    return f"{name}({', '.join(shown)})" if shown else name


def call_define(env: Env, ctx: Ctx, symbol: DefineSym, args: tuple[Expr, ...], span: Span) -> Expr:
    ensure_defined(env, symbol, span)
    if symbol.constant is not None and not symbol.params:
        return symbol.constant
    function = symbol.function
    assert function is not None
    if len(args) != len(symbol.params):
        name, params = symbol.decl.name.id, symbol.decl.params
        env.report.fail("E0328", span, name=name, count=len(params), given=len(args), call=signature(name, params))
    if symbol.needs_me:
        if ctx.me is None:
            env.report.fail("E0330", span, name=symbol.decl.name.id)
        args = (ctx.me, *args)
    return CallF(function.index, args, function.body.type, span=span)
