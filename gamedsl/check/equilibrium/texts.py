"""Information sets in few words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gamedsl.check.equilibrium.tree import GameTree
from gamedsl.engine import Noticed


def set_texts(tree: GameTree) -> list[str]:
    """A line for every information set: what its seat noticed, without what it noticed in all its sets, and without who acted
    where nothing depends on that. No two sets of a seat have the same line."""
    facts = [tree.facts(int(c)) for c in tree.sets.known]
    shared = [_shared([f for f, s in zip(facts, tree.sets.seat, strict=True) if s == p]) for p in range(tree.players)]
    found = [_line(f[shared[s] :], False) for f, s in zip(facts, tree.sets.seat, strict=True)]
    often = Counter(zip(tree.sets.seat.tolist(), found, strict=True))
    for i, (f, s) in enumerate(zip(facts, tree.sets.seat.tolist(), strict=True)):
        if often[s, found[i]] > 1:
            found[i] = _line(f[shared[s] :], True)
    return found


def _shared(of_sets: list[list[Noticed]]) -> int:
    """The number of facts at the beginning that are the same in all sets; the last fact of a set never is."""
    if not of_sets:
        return 0
    first, least = of_sets[0], min(len(f) for f in of_sets)
    return next((k for k in range(least - 1) if any(f[k] is not first[k] for f in of_sets)), max(0, least - 1))


def _line(facts: Sequence[Noticed], with_places: bool) -> str:
    """Facts on one line. ``with_places``: also where the play stood."""
    parts = [f.line.removeprefix("seen: ") for f in facts if with_places or f.fact[0] != "place"]
    return "; ".join(parts) or "the start"
