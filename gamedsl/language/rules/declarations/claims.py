"""Claims → Core."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias, assert_never

from gamedsl.language.core import nodes as n
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.binders import find_move
from gamedsl.language.rules.expressions.lowering import lower_bool, lower_number
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.rules.symbols import PieceSym, VarSym
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast, format_expression, walk

Head: TypeAlias = tuple[str, int, tuple[str, ...], Span]  # of every claim: its name, part, clauses and place


def lower_claim(env: Env, d: ast.ClaimDecl, words: Mapping[str, n.Expr]) -> n.CoreClaim:
    """Returns the claim of a declaration. ``words``: further names that it can use."""
    ctx = Ctx("claim", scope=dict(words))
    if d.phase is not None:
        return _in_phase(env, d, d.phase, words)
    head = (d.name or _name_of(d.claim), env.index, tuple(c.clause for c in d.notes.cites), d.span)
    match d.claim:
        case ast.Always(condition):
            return n.Always(*head, lower_bool(env, ctx, condition))
        case ast.Never(condition):
            return n.Never(*head, lower_bool(env, ctx, condition))
        case ast.Reachable(condition):
            return n.Reachable(*head, lower_bool(env, ctx, condition))
        case ast.LeadsTo(condition, then):
            return n.LeadsTo(*head, lower_bool(env, ctx, condition), lower_bool(env, ctx, then))
        case ast.Ends(bound):
            return n.Ends(*head, None if bound is None else lower_number(env, ctx, bound))
        case ast.Used(moves):
            for name in moves:
                find_move(env, name)
            return n.Used(*head, tuple(name.id for name in moves))
        case ast.Balanced(percent):
            return n.Balanced(*head, lower_number(env, ctx, percent))
        case ast.MayTell():
            return _may_tell(env, ctx, head, d.claim)
        case _:
            assert_never(d.claim)


def _may_tell(env: Env, ctx: Ctx, head: Head, claim: ast.MayTell) -> n.MayTell:
    """``me`` in the condition is the owner of what is told, if there is one."""
    hidden = [v for name in claim.hidden for v in _hidden(env, name)]
    if claim.when is None:
        return n.MayTell(*head, claim.teller, tuple(v.index for v in hidden))
    if claim.teller == "moves":
        env.report.fail("E0232", claim.when.span)
    is_owned = all(env.players in v.keys for v in hidden)
    owner = env.program.local("me", n.ElemT(env.players)) if is_owned else None
    condition = lower_bool(env, ctx.with_me(n.Load(owner) if owner else None), claim.when)
    return n.MayTell(*head, claim.teller, tuple(v.index for v in hidden), owner, condition)


def _hidden(env: Env, name: ast.Name) -> Iterator[n.Var]:
    """Yields the hidden variables with a name; reports a name that has none."""
    hidden: dict[str, list[n.Var | None]] = {}
    for known, symbol in env.symbols.items():
        if isinstance(symbol, VarSym):
            hidden[known] = [symbol.var]
        elif isinstance(symbol, PieceSym):
            hidden[known] = [symbol.var, symbol.extra]
    hidden |= {known: [*hidden.get(known, ()), field.var] for known, field in env.carried.items()}
    hidden = {known: found for known, found in hidden.items() if any(v and v.seen != "all" for v in found)}
    if name.id not in hidden:
        env.report.fail("E0231", name.span, near=env.report.near_names(name.id, hidden), name=name.id)
    yield from (v for v in hidden[name.id] if v is not None and v.seen != "all")


def _in_phase(env: Env, d: ast.ClaimDecl, phase: ast.Name, words: Mapping[str, n.Expr]) -> n.CoreClaim:
    """Returns a claim about the positions of a phase: outside it, ``always`` holds, and the conditions of other claims
    do not.
    """
    if phase.id not in env.phases:
        phases = {node.name.id for node in walk(env.decls) if isinstance(node, ast.Phase)}
        if phase.id in phases:
            env.report.fail("E0229", phase.span, name=phase.id)
        env.report.fail("E0228", phase.span, near=env.report.near_names(phase.id, phases), name=phase.id)
    inside = n.Get(env.phases[phase.id], (), ty.BOOL, span=phase.span)
    name = d.name or f"in phase {phase.id}: {_name_of(d.claim)}"
    claim = lower_claim(env, replace(d, name=name, phase=None), words)
    match claim:
        case n.Always():
            outside = n.Op1("not", inside, ty.BOOL, span=phase.span)
            return replace(claim, condition=n.Op2("or", outside, claim.condition, ty.BOOL, span=phase.span))
        case n.StateClaim() | n.LeadsTo():
            return replace(claim, condition=n.Op2("and", inside, claim.condition, ty.BOOL, span=phase.span))
        case _:
            env.report.fail("E0227", phase.span)


def _name_of(claim: ast.Claim) -> str:
    """Returns the default name of a claim: its condition, or else its first words."""
    match claim:
        case ast.StateClaim() | ast.LeadsTo():
            return format_expression(claim.condition)
        case ast.Ends():
            return "ends"
        case ast.Used():
            return "used"
        case ast.Balanced():
            return "balanced"
        case ast.MayTell(teller):
            return f"{teller} may tell"
        case _:
            assert_never(claim)


def outcome_words(env: Env, otherwise: n.Expr | None = None) -> dict[str, n.Expr]:
    """Returns the words of claims about the whole: ``over``, ``drawn`` and ``winners``, known once the game is over.
    ``otherwise`` is used for ``over`` if no variable stores it.
    """
    program = env.program
    over = otherwise if program.over is None else n.Get(program.over, (), ty.BOOL)
    if env.index != 0 or over is None or program.winners is None:
        return {}
    winners = n.Get(program.winners, (), n.SetT(env.players))
    drawn = n.Op2("and", over, n.Op1("is_empty", winners, ty.BOOL), ty.BOOL)
    words: dict[str, n.Expr] = {"over": over, "winners": winners, "drawn": drawn}
    return {name: e for name, e in words.items() if name not in env.symbols}
