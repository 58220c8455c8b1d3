"""Reads claims such as ``never F`` that are given separately from the ruleset, and formats claims as text."""

from __future__ import annotations

from dataclasses import replace

from gamedsl.engine import State, evaluate_at
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import Bail, Lowered, lower_claim, outcome_words
from gamedsl.language.source import GameDSLError
from gamedsl.language.syntax import ast, parse_text

OVER = n.Local(10**9, "over", n.BoolT())  # stands for "the game is over" in external claims


def read_claim(rules: Lowered, text: str) -> n.CoreClaim:
    """Parses a claim written in the words of a ruleset, without the keyword ``claim``.

    Names resolve as at the top level; ``over``, ``drawn`` and ``winners`` are allowed too. Raises ``GameDSLError``
    if the text is not a claim or uses unknown names.
    """
    tree = parse_text(f'game "claim"\n\nclaim {" ".join(text.split())}\n', "<claim>")
    found = [d for d in tree.decls if isinstance(d, ast.ClaimDecl)]
    assert len(found) == 1, "a string on one line is one claim"
    report = rules.builder.report
    report.found.clear()
    env = rules.builder.envs[0]
    try:
        return replace(lower_claim(env, found[0], outcome_words(env, n.Load(OVER))), clauses=())
    except Bail:
        raise GameDSLError(*report.sorted()) from None


def claim_text(claim: n.ClaimHead) -> str:
    """Formats a claim as written in the ruleset, without its name and clauses."""
    text = " ".join(claim.span.text.split()).removeprefix("claim").split("@")[0].strip()
    quoted = f'"{claim.name}"'
    if text.startswith(quoted):
        return f"{claim.name}: {text.removeprefix(quoted).lstrip(' :')}"
    return text


def holds_in(state: State, e: n.Expr) -> bool:
    """Whether a claim's condition holds in a state."""
    return bool(evaluate_at(state, e, {OVER.id: int(state.is_terminal)}))
