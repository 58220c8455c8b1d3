"""Claims as targets of playouts and searches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gamedsl.engine import State, evaluate_at
from gamedsl.lab.base import Clock, Evidence, holds_in, is_half
from gamedsl.lab.claims.guided import Seeking, can_seek
from gamedsl.lab.search import Budget, Play, PlayFindings, RandomSearch, Shows, Target, shrunk
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError, lazy_dataclass

FIRST_PLAYS = 300  # playouts on the engine, before anything is compiled or explored
FIRST_SECONDS = 2.0
FIRST_SHARE = 0.3  # share of the time for each search for witnesses before the exploration
SOUGHT_SHARE = 0.6  # share of the time for guided search


@lazy_dataclass()
class Sampled:
    """The results of playing from a state: what was met, and each claim's target (by the index of the claim).
    ``is_short``: the games are as short as they become."""

    met: PlayFindings
    claims: list[n.CoreClaim]
    targets: list[Target | None]
    seed: int
    is_short: bool = False

    @property
    def extent(self) -> str:
        """The extent of the games played, in words."""
        met = self.met
        return f"{met.plays:,} games through {met.positions:,} positions, searched and random (seed {self.seed})"

    def _target(self, claim: n.CoreClaim) -> Target | None:
        number = next((i for i, c in enumerate(self.claims) if c is claim), None)
        return None if number is None else self.targets[number]

    def has_target(self, claim: n.CoreClaim) -> bool:
        """Whether a game can decide a claim."""
        return self._target(claim) is not None

    def met_target(self, claim: n.CoreClaim) -> bool:
        """Whether a game was found that fulfills or violates a claim."""
        target = self._target(claim)
        return target is not None and target.found is not None

    def shown(self, claim: n.CoreClaim, clock: Clock | None = None) -> Evidence | None:
        """Returns a shrunk game that fulfills or violates a claim; None if none was found."""
        target = self._target(claim)
        if target is None or target.found is None:
            return None
        return evidence(self._shrunk(target.found, target.shows, clock), loops=isinstance(claim, n.Ends))

    def fault(self, play: Play, clock: Clock | None = None) -> Evidence:
        """Returns a shrunk game that ends in the same rules error."""
        return evidence(self._shrunk(play, shows_same_fault(play), clock))

    def _shrunk(self, play: Play, shows: Shows, clock: Clock | None) -> Play:
        return play if self.is_short else shrunk(play, shows, clock)


def shows_same_fault(play: Play) -> Shows:
    """Returns whether another game ends in the same rules error."""
    assert play.error is not None
    where = play.error.diagnostics[0]

    def shows(other: Play) -> bool:
        found = None if other.error is None else other.error.diagnostics[0]
        return found is not None and (found.span, found.message) == (where.span, where.message)

    return shows


def evidence(play: Play, loops: bool = False) -> Evidence:
    """Converts a game to evidence. ``loops``: marks the position where it begins to cycle, if it does."""
    again = [i for i, s in enumerate(play.states[:-1]) if s == play.end] if loops else []
    return Evidence(play.states[0], tuple(play.moves), again[-1] if again else None, play.failing)


class Sampling:
    """Plays games from a state with these claims as targets, cheap ways first.

    In order: playouts on the engine; playouts and a guided search on rules compiled once for each; then playouts on
    the engine that look for everything not met so far. ``only_faults``: what no game can violate is not looked for.
    """

    def __init__(self, start: State, claims: list[n.CoreClaim], budget: Budget, only_faults: bool = False) -> None:
        self.start, self.claims, self.budget = start, claims, budget
        self.targets = [None if only_faults and c.has_witness else target_of(start, c) for c in claims]
        targets = [t for t in self.targets if t is not None]
        self.search = RandomSearch(start, targets, budget, tries_refused=not only_faults)
        can = can_seek(start.game.program)
        self.seeking = Seeking(start, claims, self.targets, budget, only_faults) if can else None
        self.left = budget.seconds

    def find_witnesses(self, clock: Clock, tell: Callable[[], None]) -> None:
        """Seeks a game for each claim of possibility before anything expensive is done. Calls ``tell`` now and then."""

        def is_done() -> bool:
            tell()
            return not self.search.is_waiting

        if self.search.is_waiting:
            plays = min(FIRST_PLAYS, self.budget.plays)
            with self._count(clock, min(FIRST_SECONDS, FIRST_SHARE * self.left)) as within:
                self.search.run_plain(plays, within, tell)
        if self.seeking is None or not self.budget.plays:
            return
        for seek in (self.seeking.run_plain, self.seeking.run):
            if self.search.is_waiting:
                with self._count(clock, FIRST_SHARE * self.left) as within:
                    seek(within, is_done)
                tell()

    def finish(self, clock: Clock, seconds: float | None = None) -> Sampled:
        """Uses the rest of the budget, or of these seconds, and returns the results."""
        seconds = self.left if seconds is None else min(self.left, seconds)
        if self.seeking is not None:
            with self._count(clock, SOUGHT_SHARE * seconds) as within:
                self.seeking.run(within)
            self.search.know(self.seeking.met)
        with self._count(clock, min(self.left, seconds)) as within:
            self.search.run(within)
        return self.sampled

    @property
    def sampled(self) -> Sampled:
        """The results so far."""
        met = PlayFindings()
        if self.seeking is not None:
            met.add(self.seeking.met)
        met.add(self.search.met)
        met.refusals = self.search.refusals
        return Sampled(met, self.claims, self.targets, self.budget.seed)

    @contextmanager
    def _count(self, clock: Clock, seconds: float) -> Iterator[Clock]:
        """Yields a clock for part of the budget, and subtracts the time used from the budget."""
        began = clock.now()
        yield clock.within(seconds)
        self.left = max(0.0, self.left - (clock.now() - began))


def sample_claims(start: State, claims: list[n.CoreClaim], budget: Budget, clock: Clock | None = None) -> Sampled:
    """Plays games from a state with these claims as targets and returns the results."""
    return Sampling(start, claims, budget).finish(clock or Clock())


def target_of(start: State, claim: n.CoreClaim) -> Target | None:
    """Returns a target for games that witness a claim of possibility or violate any other; None if no game can."""
    shows = _shows(start, claim)
    return None if shows is None else Target(shows, is_witness=claim.has_witness)


def _shows(start: State, claim: n.CoreClaim) -> Shows | None:
    match claim:
        case n.Always():
            return _condition(claim, False)
        case n.Never() | n.Reachable():
            return _condition(claim, True)
        case n.Used(moves=(name,)):
            return _uses(name)
        case n.Ends(part=0):
            return _too_long(start, claim)
        case n.LeadsTo(part=0):
            return _not_led(claim)
        case _:
            return None


def _condition(claim: n.StateClaim, wanted: bool) -> Shows:
    e = claim.condition

    def shows(play: Play) -> bool:
        if play.error is not None or (claim.part and claim.part not in play.end.game.parts_played[play.end.part]):
            return False
        try:
            return holds_in(play.end, e) == wanted
        except GameDSLError:
            return not isinstance(claim, n.Reachable)

    return shows


def _uses(name: str) -> Shows:
    def shows(play: Play) -> bool:
        return bool(play.moves) and play.moves[-1].name == name

    return shows


def plies(play: Play) -> int:
    """Counts the plies of a game: a chance event counts none, a simultaneous choice one."""
    return sum(not (s.kind == "chance" or is_half(s)) for s in play.states[:-1])


def _too_long(start: State, claim: n.Ends) -> Shows:
    bound = None if claim.bound is None else evaluate_at(start, claim.bound)

    def shows(play: Play) -> bool:
        if bound is not None and len(play.moves) > bound and plies(play) > bound:
            return True
        here = hash(play.end)
        return any(hash(s) == here and s == play.end for s in play.states[:-1])

    return shows


def _not_led(claim: n.LeadsTo) -> Shows:
    first, then = claim.condition, claim.then

    def shows(play: Play) -> bool:
        if play.error is not None or not play.end.is_terminal:
            return False
        waiting = False
        for state in play.states:
            waiting = (waiting or holds_in(state, first)) and not holds_in(state, then)
        return waiting

    return shows
