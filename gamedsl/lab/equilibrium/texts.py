"""Short descriptions of information sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gamedsl.engine import Noticed
from gamedsl.lab.equilibrium.play_tree import GameTree


def set_texts(tree: GameTree) -> list[str]:
    """A line for every information set of a tree; see ``lines_of``."""
    return lines_of([tree.facts(int(c)) for c in tree.sets.known], tree.sets.seat.tolist())


def lines_of(facts: list[list[Noticed]], seats: list[int]) -> list[str]:
    """A line for every information set, given the facts that its seat noticed, and the seat.

    It omits the facts common to all these sets of the seat, and who acted if nothing depends on that. No two sets
    of a seat have the same line.
    """
    shared = {p: _shared([f for f, s in zip(facts, seats, strict=True) if s == p]) for p in set(seats)}
    found = [_line(f[shared[s] :], False) for f, s in zip(facts, seats, strict=True)]
    often = Counter(zip(seats, found, strict=True))
    for i, (f, s) in enumerate(zip(facts, seats, strict=True)):
        if often[s, found[i]] > 1:
            found[i] = _line(f[shared[s] :], True)
    return found


def _shared(of_sets: list[list[Noticed]]) -> int:
    """The number of facts at the beginning that all sets share, without the last fact of any set."""
    if not of_sets:
        return 0
    first, least = of_sets[0], min(len(f) for f in of_sets)
    return next((k for k in range(least - 1) if any(f[k] is not first[k] for f in of_sets)), max(0, least - 1))


def _line(facts: Sequence[Noticed], with_places: bool) -> str:
    """Facts on one line. ``with_places``: includes where the game stood."""
    parts = [f.line.removeprefix("seen: ") for f in facts if with_places or f.fact[0] != "place"]
    return "; ".join(parts) or "the start"
