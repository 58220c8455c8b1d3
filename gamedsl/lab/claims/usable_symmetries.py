"""Selects the symmetries that preserve the claims and are worthwhile, with notes for the user."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gamedsl.engine import Game
from gamedsl.lab.base import Clock, claim_text
from gamedsl.lab.explore import Execution, Graph, Limits, explore
from gamedsl.lab.symmetry import Found, Symmetry, SymmetryAction, find
from gamedsl.language.core import claim_exprs
from gamedsl.language.core import nodes as n

PROBE = 1_500  # states used to test which symmetries help; fewer if there are many symmetries:
MOST_TURNED = 200_000  # state images per test, at most


def conditions(claims: Iterable[n.CoreClaim]) -> tuple[n.Expr, ...]:
    """Returns the state conditions of the claims."""
    return tuple(e for c in claims for e in claim_exprs(c))


def usable(game: Game, claims: Sequence[n.CoreClaim], clock: Clock | None = None) -> tuple[list[Symmetry], list[str]]:
    """Returns the symmetries that preserve the rules and all these claims and that reduce the first states, and notes.

    The notes report how many there are, what they exchange, and which claims exclude some.

    Raises ``RulesError`` if there is no first position.
    """
    clock = clock or Clock()
    clock.say("looking for symmetries")
    every = find(game.program, clock=clock)
    found = _for(game.program, claims, clock) if claims and every.turns else every
    turns = worthwhile(game, found.turns, clock)
    return turns, list(_words(game.program, claims, every, found, turns, clock))


def worthwhile(game: Game, turns: list[Symmetry], clock: Clock) -> list[Symmetry]:
    """Returns the smallest set of symmetries that reduces the first states as much as all do.

    The candidates are the symmetries that fix the first state, those that fix the seats, and all. (If the position
    shows whose turn it is, exchanging seats gains nothing.)
    """
    start, seats = game.initial_state(), tuple(range(game.num_players))
    kept = [[t for t in turns if SymmetryAction(game.program, t).values(start) == (start.slots, start.pending)]]
    kept += [[t for t in turns if t.seats == seats], turns]
    probe = Limits(states=min(PROBE, MOST_TURNED // (1 + len(turns))))
    graphs = [
        explore(game, probe, turns=some, execution=Execution(native=False), clock=clock.within(clock.left / 10))
        for some in kept
    ]
    depth = min(g.complete_depth for g in graphs)
    sizes = [_up_to(g, depth) for g in graphs]
    return kept[sizes.index(min(sizes))]


def _up_to(graph: Graph, depth: int) -> int:
    """Returns the number of states up to this depth."""
    return graph.levels[depth + 1] if depth + 1 < len(graph.levels) else len(graph)


def _for(program: n.Program, claims: Sequence[n.CoreClaim], clock: Clock) -> Found:
    return find(program, conditions(claims), not any(c.compares_players for c in claims), clock)


def _words(
    program: n.Program, claims: Sequence[n.CoreClaim], every: Found, found: Found, turns: list[Symmetry], clock: Clock
) -> Iterable[str]:
    if every.total == 1:
        yield "no symmetries" + (f": {every.why}" if every.why else " were found")
        return
    if found.total > 1:
        yield f"the rules have {found.total:,} symmetries: exchanges of {', '.join(_moved(found.turns))}"
    if found.total < every.total:
        breaking = [c for c in claims if _for(program, [c], clock).total < every.total]
        what = "; ".join(claim_text(c) for c in breaking) or "the claims together"
        yield f"{every.total - found.total:,} of {every.total:,} are not used, because they change: {what}"
    if found.total > len(turns) + 1:
        yield f"{len(turns) + 1:,} of them are used; more would not help at first, or are too many"


def _moved(turns: list[Symmetry]) -> list[str]:
    """Returns the names of the domains exchanged, and "variables" if variables are exchanged too."""
    names = sorted({d.name for t in turns for d, _ in t.domains})
    return [*names, "variables"] if any(t.variables != tuple(sorted(t.variables)) for t in turns) else names
