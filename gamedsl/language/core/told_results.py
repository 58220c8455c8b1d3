"""The hidden variables that the results of a game may tell everyone, by a claim of its rules."""

from __future__ import annotations

from gamedsl.language.core import nodes as n


def told_by_results(program: n.Program) -> frozenset[int]:
    """The numbers of the variables. They may be shown once the game is over."""
    claims = (c for c in program.claims if isinstance(c, n.MayTell) and c.teller == "results")
    return frozenset(index for claim in claims for index in claim.hidden)
