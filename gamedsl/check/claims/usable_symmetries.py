"""The symmetries that may be used for some claims, those of them that bring something, and what is to be said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gamedsl.check.base.claims import claim_text, compares_players
from gamedsl.check.base.clock import Clock
from gamedsl.check.explore.explorer import Limits, explore
from gamedsl.check.explore.graph import Graph
from gamedsl.check.symmetry.canonical_states import SymmetryAction
from gamedsl.check.symmetry.symmetries import Found, Symmetry, find
from gamedsl.core.nodes import CoreClaim, Expr, Program
from gamedsl.core.traverse import claim_exprs
from gamedsl.engine.game import Game

PROBE = 1_500  # states on which it is tried what brings something, fewer where symmetries are many:
MOST_TURNED = 200_000  # states turned, at most, in one such trial


def conditions(claims: Iterable[CoreClaim]) -> tuple[Expr, ...]:
    """What claims ask of states."""
    return tuple(e for c in claims for e in claim_exprs(c))


def usable(game: Game, claims: Sequence[CoreClaim], clock: Clock | None = None) -> tuple[list[Symmetry], list[str]]:
    """The symmetries that leave the rules and all these claims as they are and that make fewer states of the first ones;
    and in words: how many, what they exchange, which claims leave some out.

    Raises ``RulesError`` when there is no first position."""
    clock = clock or Clock()
    clock.say("looking for symmetries")
    every = find(game.program, clock=clock)
    found = _for(game.program, claims, clock) if claims and every.turns else every
    turns = worthwhile(game, found.turns, clock)
    return turns, list(_words(game.program, claims, every, found, turns, clock))


def worthwhile(game: Game, turns: list[Symmetry], clock: Clock) -> list[Symmetry]:
    """As few of the symmetries as make the first states as few as all do: those that leave the first state as it is, those
    that leave the seats, or all. (Where one who moves can be told by what lies there, exchanging seats brings nothing.)"""
    start, seats = game.initial_state(), tuple(range(game.num_players))
    kept = [[t for t in turns if SymmetryAction(game.program, t).values(start) == (start.slots, start.pending)]]
    kept += [[t for t in turns if t.seats == seats], turns]
    probe = Limits(states=min(PROBE, MOST_TURNED // (1 + len(turns))))
    graphs = [explore(game, probe, turns=some, native=False, clock=clock.within(clock.left / 10)) for some in kept]
    depth = min(g.complete_depth for g in graphs)
    sizes = [_up_to(g, depth) for g in graphs]
    return kept[sizes.index(min(sizes))]


def _up_to(graph: Graph, depth: int) -> int:
    """How many states are at most so many steps away."""
    return graph.levels[depth + 1] if depth + 1 < len(graph.levels) else len(graph)


def _for(program: Program, claims: Sequence[CoreClaim], clock: Clock) -> Found:
    return find(program, conditions(claims), not any(map(compares_players, claims)), clock)


def _words(
    program: Program, claims: Sequence[CoreClaim], every: Found, found: Found, turns: list[Symmetry], clock: Clock
) -> Iterable[str]:
    if every.total == 1:
        yield "no symmetries" + (f": {every.why}" if every.why else " were found")
        return
    if found.total > 1:
        yield f"the rules have {found.total:,} symmetries: exchanges of {', '.join(_moved(found.turns))}"
    if found.total < every.total:
        breaking = [c for c in claims if _for(program, [c], clock).total < every.total]
        what = "; ".join(claim_text(c) for c in breaking) or "the claims together"
        yield f"{every.total - found.total:,} of {every.total:,} are not used, as they do not leave as it is: {what}"
    if found.total > len(turns) + 1:
        yield f"{len(turns) + 1:,} of them are used; more bring nothing at first, or are too many"


def _moved(turns: list[Symmetry]) -> list[str]:
    """The names of what is exchanged."""
    names = sorted({d.name for t in turns for d, _ in t.domains})
    return [*names, "variables"] if any(t.variables != tuple(sorted(t.variables)) for t in turns) else names
