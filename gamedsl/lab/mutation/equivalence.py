"""Detects mutants that are equivalent by construction, without playing."""

from __future__ import annotations

import re

from gamedsl.language.core import Names, meaning
from gamedsl.language.core import nodes as n

_RANGE = re.compile(r"<<(-?\d+)\.\.(-?\d+)>>")


class _MarkedRanges(Names):
    """Marks the bounds of numbers, except those that an encoding depends on."""

    def type(self, t: n.VarT) -> str:
        match t:
            case n.IntT(low, high):
                return f"<<{low}..{high}>>"
            case n.OptT(n.IntT(low, high)):
                return f"{low}..{high}?"
            case n.StackT(n.IntT(low, high), limit):
                return f"stack of {low}..{high} up to {limit}"
            case _:
                return super().type(t)


def marked_meaning(program: n.Program) -> str:
    """Returns the meaning of a program with its number bounds marked."""
    return meaning(program, _MarkedRanges)


def widens_bounds(original: str, mutant: str) -> bool:
    """Whether two marked meanings differ in bounds only, none of which is narrower in the mutant.

    Bounds only check values, so the rulesets agree in every game in which the original's rules do not fail.
    """
    if _RANGE.sub("", original) != _RANGE.sub("", mutant):
        return False
    pairs = zip(_RANGE.finditer(original), _RANGE.finditer(mutant), strict=True)
    return all(int(b[1]) <= int(a[1]) and int(a[2]) <= int(b[2]) for a, b in pairs)
