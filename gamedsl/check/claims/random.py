"""Claims as targets of random plays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from gamedsl.check.base import Clock, Evidence, holds_in, is_half
from gamedsl.check.claims.guided import can_seek, seek
from gamedsl.check.search import Budget, Play, PlayFindings, RandomSearch, Shows, Target, shrunk
from gamedsl.core.nodes import Always, Balanced, CoreClaim, Ends, LeadsTo, MayTell, Never, Reachable, StateClaim, Used
from gamedsl.engine import State
from gamedsl.source import GameDSLError

SOUGHT_SHARE = 0.6  # of the time for plays: for guided search


@dataclass
class Sampled:
    """What random plays from a state showed: ``met``, and each claim's target (by its index)."""

    met: PlayFindings
    claims: list[CoreClaim]
    targets: list[Target | None]
    seed: int

    @property
    def extent(self) -> str:
        """Describes what was examined."""
        met = self.met
        return f"{met.plays:,} plays through {met.positions:,} positions, sought and at random (seed {self.seed})"

    def _target(self, claim: CoreClaim) -> Target | None:
        number = next((i for i, c in enumerate(self.claims) if c is claim), None)
        return None if number is None else self.targets[number]

    def met_target(self, claim: CoreClaim) -> bool:
        """Does a play fulfil or violate a claim?"""
        target = self._target(claim)
        return target is not None and target.found is not None

    def shown(self, claim: CoreClaim, clock: Clock | None = None) -> Evidence | None:
        """Returns a shrunk play that fulfils or violates a claim; None if there is none."""
        target = self._target(claim)
        if target is None or target.found is None:
            return None
        return evidence(shrunk(target.found, target.shows, clock), loops=isinstance(claim, Ends))

    def fault(self, play: Play, clock: Clock | None = None) -> Evidence:
        """Returns a shrunk play that ends in the same rules error."""
        assert play.error is not None
        where = play.error.diagnostics[0]

        def shows(other: Play) -> bool:
            found = None if other.error is None else other.error.diagnostics[0]
            return found is not None and (found.span, found.message) == (where.span, where.message)

        return evidence(shrunk(play, shows, clock))


def evidence(play: Play, loops: bool = False) -> Evidence:
    """Converts a play to evidence. ``loops``: adds where it begins to cycle, if it does."""
    again = [i for i, s in enumerate(play.states[:-1]) if s == play.end] if loops else []
    return Evidence(play.states[0], tuple(play.moves), again[-1] if again else None, play.failing)


def sample_claims(start: State, claims: list[CoreClaim], budget: Budget, clock: Clock | None = None) -> Sampled:
    """Plays from a state with these claims as targets: first a guided search on compiled rules, where possible, then
    random plays on the engine, which can judge all sorts of claims.
    """
    targets = [_target(start, c) for c in claims]
    met = PlayFindings()
    clock = (clock or Clock()).within(budget.seconds)
    if can_seek(start.game.program):
        clock.say("compiling the rules for plays")
        met = seek(start, claims, targets, replace(budget, seconds=budget.seconds * SOUGHT_SHARE), clock)
    further = replace(budget, seconds=min(clock.left, budget.seconds))
    search = RandomSearch(start, [t for t in targets if t is not None], further, met)
    search.run(clock)
    met.add(search.met)
    met.refusals = search.refusals
    return Sampled(met, claims, targets, budget.seed)


def _target(start: State, claim: CoreClaim) -> Target | None:
    """Returns what witnesses a claim of possibility, or violates any other; None if plays can't show it."""
    match claim:
        case Always():
            return Target(_condition(claim, False))
        case Never() | Reachable():
            return Target(_condition(claim, True))
        case Used(moves=(name,)):
            return Target(_uses(name))
        case Ends(part=0):
            return Target(_too_long(start, claim))
        case LeadsTo(part=0):
            return Target(_not_led(claim))
        case Used() | Ends() | LeadsTo() | Balanced() | MayTell():
            return None
        case _:
            assert_never(claim)


def _condition(claim: StateClaim, wanted: bool) -> Shows:
    e = claim.condition

    def shows(play: Play) -> bool:
        if play.error is not None or claim.part not in (0, play.end.part):
            return False
        try:
            return holds_in(play.end, e) == wanted
        except GameDSLError:
            return not isinstance(claim, Reachable)

    return shows


def _uses(name: str) -> Shows:
    def shows(play: Play) -> bool:
        return bool(play.moves) and play.moves[-1].name == name

    return shows


def plies(play: Play) -> int:
    """Counts the plies of a play: chance counts none, a joint choice one."""
    return sum(not (s.kind == "chance" or is_half(s)) for s in play.states[:-1])


def _too_long(start: State, claim: Ends) -> Shows:
    bound = None if claim.bound is None else start.evaluate(claim.bound)

    def shows(play: Play) -> bool:
        if bound is not None and len(play.moves) > bound and plies(play) > bound:
            return True
        here = hash(play.end)
        return any(hash(s) == here and s == play.end for s in play.states[:-1])

    return shows


def _not_led(claim: LeadsTo) -> Shows:
    first, then = claim.condition, claim.then

    def shows(play: Play) -> bool:
        if play.error is not None or not play.end.is_terminal:
            return False
        waiting = False
        for state in play.states:
            waiting = (waiting or holds_in(state, first)) and not holds_in(state, then)
        return waiting

    return shows
