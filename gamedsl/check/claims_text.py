"""``never F`` and the like, given beside the ruleset → claims; and claims as text."""

from __future__ import annotations

from typing import Any

from gamedsl.core.nodes import BoolT, CoreClaim, Expr, Get, Load, Local, Op1, Op2, SetT
from gamedsl.rules import Lowered
from gamedsl.rules.exprs import lower_bool, lower_number
from gamedsl.rules.looks import outcome_words
from gamedsl.rules.quantified import find_move
from gamedsl.rules.report import Bail
from gamedsl.rules.scope import Ctx, Env
from gamedsl.source.diagnostic import GameDSLError
from gamedsl.syntax import ast
from gamedsl.syntax.parser import parse_text

OVER = Local(10**9, "over", BoolT())  # stands for "the play is over" in claims from outside


def read_claim(rules: Lowered, text: str) -> CoreClaim:
    """A claim in the words of a ruleset, ``claim`` itself left out; GameDSLError when it is none, or uses unknown names.

    It is read with the names of the whole, and may also say ``over``, ``drawn`` and ``winners``.
    """
    tree = parse_text(f'game "claim"\n\nclaim {" ".join(text.split())}\n', "<claim>")
    found = [d for d in tree.decls if isinstance(d, ast.ClaimDecl)]
    assert len(found) == 1, "a text on one line is one claim"
    report = rules.builder.report
    report.found.clear()
    try:
        return _claim(rules.builder.envs[0], found[0])
    except Bail:
        raise GameDSLError(*report.sorted()) from None


def _claim(env: Env, d: ast.ClaimDecl) -> CoreClaim:
    words: dict[str, Any] = {**_words(env), **outcome_words(env)}
    ctx = Ctx("claim", scope=words)
    condition = None if d.condition is None else lower_bool(env, ctx, d.condition)
    then = None if d.then is None else lower_bool(env, ctx, d.then)
    bound = None if d.bound is None else lower_number(env, ctx, d.bound)
    for name in d.uses:
        find_move(env, name)
    uses = tuple(n.id for n in d.uses)
    return CoreClaim(d.kind, d.name or "", condition, then, bound, uses, env.index, (), d.span)


def _words(env: Env) -> dict[str, Expr]:
    winners = env.program.winners
    assert winners is not None
    over = Load(OVER)
    who = Get(winners, (), SetT(env.players))
    drawn = Op2("and", over, Op1("is_empty", who, BoolT()), BoolT())
    words: dict[str, Expr] = {"over": over, "winners": who, "drawn": drawn}
    return {name: e for name, e in words.items() if name not in env.symbols}


def told(claim: CoreClaim) -> str:
    """A claim as people read it: as it is written in the ruleset, its name and clauses left out."""
    text = " ".join(claim.span.text.split()).removeprefix("claim").split("@")[0].strip()
    quoted = f'"{claim.name}"'
    if text.startswith(quoted):
        return f"{claim.name}: {text.removeprefix(quoted).lstrip(' :')}"
    return text
