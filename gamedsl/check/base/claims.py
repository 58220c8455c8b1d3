"""``never F`` and the like, given beside the ruleset → claims; and claims as text."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from gamedsl.core.nodes import (
    Always,
    Balanced,
    BoolT,
    CoreClaim,
    Ends,
    Expr,
    LeadsTo,
    Load,
    Local,
    Never,
    Reachable,
    Used,
)
from gamedsl.engine.state import State
from gamedsl.rules import Lowered
from gamedsl.rules.declarations.claims import lower_claim, outcome_words
from gamedsl.rules.report import Bail
from gamedsl.source.diagnostic import GameDSLError
from gamedsl.syntax import ast
from gamedsl.syntax.parse.parser import parse_text

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
    env = rules.builder.envs[0]
    try:
        return replace(lower_claim(env, found[0], outcome_words(env, Load(OVER))), clauses=())
    except Bail:
        raise GameDSLError(*report.sorted()) from None


def claim_text(claim: CoreClaim) -> str:
    """A claim as people read it: as it is written in the ruleset, its name and clauses left out."""
    text = " ".join(claim.span.text.split()).removeprefix("claim").split("@")[0].strip()
    quoted = f'"{claim.name}"'
    if text.startswith(quoted):
        return f"{claim.name}: {text.removeprefix(quoted).lstrip(' :')}"
    return text


def holds_in(state: State, e: Expr) -> bool:
    """Does a condition of a claim hold in a state?"""
    return bool(state.evaluate(e, {OVER.id: int(state.is_terminal)}))


def has_witness(claim: CoreClaim) -> bool:
    """Is one play enough to show the claim right? All others, one play can show wrong."""
    match claim:
        case Reachable() | Used():
            return True
        case Always() | Never() | LeadsTo() | Ends() | Balanced():
            return False
        case _:
            assert_never(claim)


def compares_players(claim: CoreClaim) -> bool:
    """Does the claim set players against each other, so that they may not change places?"""
    match claim:
        case Balanced():
            return True
        case Always() | Never() | Reachable() | LeadsTo() | Ends() | Used():
            return False
        case _:
            assert_never(claim)
