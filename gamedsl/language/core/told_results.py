"""The hidden variables that the results of a game may tell everyone, by claims of its rules."""

from __future__ import annotations

from gamedsl.language.core import nodes as n


def told_by_results(program: n.Program) -> dict[int, list[n.MayTell]]:
    """The claims by the numbers of the variables that they name. One of them is enough; its condition is about the position
    in which the game ended."""
    told: dict[int, list[n.MayTell]] = {}
    for claim in program.claims:
        if isinstance(claim, n.MayTell) and claim.teller == "results":
            for index in claim.hidden:
                told.setdefault(index, []).append(claim)
    return told
