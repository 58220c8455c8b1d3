"""Declarations of state variables, and their initial values."""

from __future__ import annotations

from gamedsl.language.boards import Domain
from gamedsl.language.core import nodes as n
from gamedsl.language.rules.declarations.carried_declarations import viewers_of
from gamedsl.language.rules.error_report import Bail
from gamedsl.language.rules.expressions.lowering import lower
from gamedsl.language.rules.expressions.type_expressions import split_map
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.rules.symbols import VarSym
from gamedsl.language.syntax import ast


def declare_variables(env: Env, d: ast.Decl) -> None:
    assert isinstance(d, ast.StateDecl)
    for v in d.variables:
        try:
            for name in v.names:
                env.declare(name, VarSym(new_variable(env, v, name, (), name.id), name.span))
        except Bail:
            env.failed = True
            env.broken |= {one.id for one in v.names}


def new_variable(env: Env, v: ast.Variable, name: ast.Name, keys: tuple[Domain, ...], title: str) -> n.Var:
    more, t = split_map(env, v.type)
    countdown = isinstance(_innermost(v.type), ast.CountdownType)
    if v.seen == "owner" and env.players not in (*keys, *more):
        env.report.fail("E0215", v.span, name=name.id)
    var = env.program.variable(
        env.index,
        title,
        t,
        keys=(*keys, *more),
        initial=_default_value(t),
        seen=v.seen,
        role="countdown" if countdown else "state",
        span=name.span,
        has_first_value=v.initial is not None,
    )
    var = viewers_of(env, name.id, v.seen, title, var)
    if countdown:
        env.countdowns.append(var)
    return var


def _default_value(t: n.VarT) -> int:
    """Returns the default initial value: 0 if the range contains it or else its lowest number, no, none, {}, the first
    element.
    """
    return t.low if isinstance(t, n.IntT) and not t.low <= 0 <= t.high else 0


def _innermost(t: ast.Type) -> ast.Type:
    while isinstance(t, ast.MapType):
        t = t.value
    return t


def set_initial_values(env: Env, d: ast.Decl) -> None:
    """Computes initial values once everything that they can mention is declared."""
    from dataclasses import replace

    lines: tuple[ast.Variable, ...]
    if isinstance(d, ast.TokenDecl):
        lines, symbols = d.fields, env.program.fields.get((env.index, d.name.id), {})
    else:
        assert isinstance(d, ast.StateDecl)
        lines = d.variables
        symbols = {one: s.var for one, s in env.symbols.items() if isinstance(s, VarSym)}
    for v in lines:
        if v.initial is None:
            continue
        for name in v.names:
            var = symbols.get(name.id)
            if var is None:
                continue
            if isinstance(var.type, n.StackT):
                env.report.fail("E0216", v.initial.span)
            value = lower(env, Ctx("option"), v.initial, var.type)  # type: ignore[arg-type]
            if not isinstance(value, n.Const):
                env.report.fail("E0307", v.initial.span, what="a first value")
            new = replace(var, initial=(value.value,) * var.slots)
            env.program.variables[var.index] = new
            _replace_variable(env, d, name.id, var, new)


def _replace_variable(env: Env, d: ast.Decl, name: str, old: n.Var, new: n.Var) -> None:
    if isinstance(d, ast.TokenDecl):
        env.program.fields[(env.index, d.name.id)][name] = new
    else:
        env.symbols[name] = VarSym(new, new.span)
    env.countdowns = [new if v is old else v for v in env.countdowns]
