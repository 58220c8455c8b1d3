"""``play g with a = x -> result``: another ruleset, inlined with its own variables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gamedsl.language.core import fold
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.declarations.declare import build_env, lower_rest
from gamedsl.language.rules.error_report import Bail
from gamedsl.language.rules.expressions.binders import check_name
from gamedsl.language.rules.expressions.lowering import lower
from gamedsl.language.rules.flow import endings
from gamedsl.language.rules.flow.control_flow import ControlFlow
from gamedsl.language.rules.flow.flow_builder import FlowBuilder
from gamedsl.language.rules.program_builder import MOST_PARTS
from gamedsl.language.rules.scope import Ctx, Env, OutcomeValue
from gamedsl.language.rules.symbols import GameSym, ValueSym
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast


def play_part(flow: FlowBuilder, ctx: Ctx, s: ast.PlayGame) -> Ctx:
    env = flow.env
    sym = env.symbols.get(s.game.id)
    if sym is None and s.game.id in env.broken:
        raise Bail
    if not isinstance(sym, GameSym):
        games = [name for name, x in env.symbols.items() if isinstance(x, GameSym)]
        env.report.fail("E0209", s.game.span, near=env.report.near_names(s.game.id, games), name=s.game.id)
    env.used.add(s.game.id)
    key = f"{sym.path}#{s.game.id if sym.inner else ''}"
    if key in env.program.open_files:
        env.report.fail("E0430", s.span, name=s.game.id)
    if len(env.program.parts) >= MOST_PARTS:
        env.report.fail("E0445", s.span, most=MOST_PARTS)
    env.program.open_files.append(key)
    try:
        given = _bindings(env, s)
        inner = build_env(env.program, sym, env, _giver(flow, ctx, given))
        _seats(flow, ctx, inner, given, s)
        left = [b for b in given.values() if b.name.id not in inner.used_bindings]
        if left:
            known = [*inner.players.names, *(name for name, x in inner.symbols.items() if isinstance(x, ValueSym))]
            for b in left:
                env.report.add(
                    "E0431", b.span, near=env.report.near_names(b.name.id, known), name=b.name.id, game=s.game.id
                )
        after = flow.new()
        result = flow.temp(s.result.id if s.result else "result", n.SetT(env.players))

        def finish(at: FlowBuilder, ending: endings.Ending) -> None:
            at.emit(n.Assign(result, (), _outer_winners(inner, env, ending.winners, ending.span), span=ending.span))
            at.emit(*(n.Reset(v) for v in _own_variables(inner)))
            at.go(after)

        start = env.program.new_block("", inner.index)
        flow.go(start)
        part = ControlFlow(inner, finish)
        part.begin(start)
        lower_rest(inner, part)
        flow.begin(after)
    finally:
        env.program.open_files.pop()
    if s.result is None:
        return ctx
    check_name(env, ctx, s.result)
    return ctx.bind(**{s.result.id: OutcomeValue(result)})


def _bindings(env: Env, s: ast.PlayGame) -> dict[str, ast.Binding]:
    given: dict[str, ast.Binding] = {}
    for b in s.bindings:
        if b.name.id in given:
            env.report.fail("E0202", b.span, name=b.name.id)
        given[b.name.id] = b
    return given


def _own_variables(inner: Env) -> list[n.Var]:
    """Returns the variables that are reset when the part ends, so that nothing of it remains when it is played again."""
    return [v for v in inner.program.variables if v.part == inner.index and v.role != "temp"]


def _giver(flow: FlowBuilder, ctx: Ctx, given: dict[str, ast.Binding]) -> Callable[[Env, str, n.ValueT], n.Expr | None]:
    """Returns a function that gives the part's options their values from the bindings: constants, or variables set
    where the part begins.
    """

    def give(inner: Env, name: str, want: n.ValueT) -> n.Expr | None:
        binding = given.get(name)
        if binding is None:
            return None
        inner.used_bindings.add(name)
        if want == n.ElemT(inner.players):
            return None  # a player of the surrounding ruleset: see _players_as_options
        value = lower(flow.env, ctx, binding.value, want)
        if isinstance(value, n.Const):
            return value
        var = flow.program.variable(inner.index, name, want, role="temp", span=binding.span)
        flow.emit(n.Assign(var, (), value, span=binding.span))
        return n.Get(var, (), want, span=binding.span)

    return give


def _seats(flow: FlowBuilder, ctx: Ctx, inner: Env, given: dict[str, ast.Binding], s: ast.PlayGame) -> None:
    """Determines the outer player for each player of the part: by the bindings, or else in the same order."""
    env = flow.env
    names = inner.players.names
    bound = [size for size in names if size in given]
    inner.used_bindings.update(bound)
    if bound and len(bound) != len(names):
        missing = ", ".join(size for size in names if size not in given)
        env.report.fail("E0432", s.span, game=s.game.id, players=missing)
    if not bound and len(names) != env.players.size:
        env.report.fail("E0433", s.span, game=s.game.id, inner=len(names), outer=env.players.size)
    t = n.ElemT(env.players)
    if bound:
        seats: list[n.Expr] = [lower(env, ctx, given[size].value, t) for size in names]
    else:
        seats = [n.Const(i, t, span=s.span) for i in range(len(names))]
    constant = [x.value for x in seats if isinstance(x, n.Const)]
    if len(constant) != len(set(constant)):
        env.report.fail("E0434", s.span, game=s.game.id)
    inner.seats = tuple(seats)
    if len(constant) < len(seats):
        inner.seat_var = flow.program.variable(inner.index, "seat", t, keys=(inner.players,), role="temp")
        for i, seat in enumerate(seats):
            flow.emit(n.Assign(inner.seat_var, (n.Const(i, n.ElemT(inner.players)),), seat, span=s.span))
    _players_as_options(flow, ctx, inner, given, s)


def _players_as_options(
    flow: FlowBuilder, ctx: Ctx, inner: Env, given: dict[str, ast.Binding], s: ast.PlayGame
) -> None:
    """Sets the part's options of type player, whose bindings are outer players, to the corresponding players of the
    part.
    """
    for name, sym in list(inner.symbols.items()):
        if not (isinstance(sym, ValueSym) and sym.expr.type == n.ElemT(inner.players) and name in given):
            continue
        binding = given[name]
        outer = lower(flow.env, ctx, binding.value, n.ElemT(flow.env.players))
        local = flow.program.local("p", n.ElemT(inner.players))
        plays_it = _is_seat(inner, flow.env, n.Load(local), outer)
        everyone = n.Const(inner.players.full, n.SetT(inner.players))
        found = fold(
            n.Op1(
                "first",
                n.Loop("filter", local, everyone, None, plays_it, n.SetT(inner.players), span=s.span),
                n.ElemT(inner.players),
                span=binding.span,
            )
        )
        if isinstance(found, n.Const):
            inner.symbols[name] = replace(sym, expr=found)
            continue
        var = flow.program.variable(inner.index, name, n.ElemT(inner.players), role="temp", span=binding.span)
        flow.emit(n.Assign(var, (), found, span=binding.span))
        inner.symbols[name] = replace(sym, expr=n.Get(var, (), n.ElemT(inner.players)))


def _is_seat(inner: Env, outer: Env, player: n.Expr, who: n.Expr) -> n.Expr:
    return n.Op2("eq", _seat(inner, outer, player), who, ty.BOOL)


def _seat(inner: Env, outer: Env, player: n.Expr) -> n.Expr:
    """Returns the outer player who plays this player of the part."""
    t = n.ElemT(outer.players)
    if inner.seat_var is not None:
        return n.Get(inner.seat_var, (player,), t)
    values = tuple(x.value for x in inner.seats if isinstance(x, n.Const))
    return n.Lookup(n.TableData("seat", (inner.players,), t, values), (player,))


def _outer_winners(inner: Env, outer: Env, winners: n.Expr, span: Span) -> n.Expr:
    local = inner.program.local("p", n.ElemT(inner.players))
    one = n.Op1("single", _seat(inner, outer, n.Load(local)), n.SetT(outer.players), span=span)
    return n.Loop("union", local, winners, None, one, n.SetT(outer.players), span=span)
