"""Judges claims on a state graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias, assert_never

import numpy as np

from gamedsl.check.base import (
    CHANCE,
    TOGETHER,
    Clock,
    Evidence,
    Ints,
    OutOfTime,
    Status,
    Verdict,
    claim_text,
    has_witness,
    holds_in,
)
from gamedsl.check.claims.compiled import AT_ONCE, Asker
from gamedsl.check.claims.outcome_odds import balanced
from gamedsl.check.claims.random import Sampled, sample_claims
from gamedsl.check.explore import Edges, Graph, Limits, Made, Mask, NativeStore, costs, cycle, explore, must_come, peel
from gamedsl.check.search import Budget
from gamedsl.core.nodes import (
    Always,
    Balanced,
    CoreClaim,
    Decide,
    DecideTogether,
    Ends,
    Expr,
    LeadsTo,
    Never,
    Reachable,
    Used,
)
from gamedsl.engine import Game, State, mover_of
from gamedsl.source import GameDSLError

# the finding: status, explanation, and a play
Found: TypeAlias = tuple[Status, str, Evidence | None]
TIME_IS_UP = "not judged: the time is up"
DEFAULT_LIMITS = Limits(states=6000, seconds=2.0)  # for the comparison with the default options
DEFAULT_BUDGET = Budget(plays=100, seconds=3.0)
DEFAULT_SECONDS = 8.0
COMPARED_PLAYS = 20  # fewer random plays say nothing about what the ruleset's own options leave unused


@dataclass
class Study:
    """A graph with cached answers to what claims ask repeatedly, and random plays that continue beyond it. Raises
    ``OutOfTime`` if something takes longer than ``clock`` allows.
    """

    graph: Graph
    sampled: Sampled | None = None
    clock: Clock = field(default_factory=Clock)
    budget: Budget = field(default_factory=Budget)
    default_game: Callable[[], Game | None] = lambda: None
    unmet: dict[str, set[str]] = field(default_factory=dict)  # by default claim: what did not occur

    def __post_init__(self) -> None:
        if isinstance(self.graph.links, Made):
            self.graph.links.clock = self.clock

    @cached_property
    def by_default(self) -> Study | None:
        """A small study of the same ruleset under its own options, if others were chosen here: what is unused under
        the chosen options need not be a fault.
        """
        game = self.default_game()
        if game is None or game.options == self.graph.game.options:
            return None
        clock = self.clock.within(min(DEFAULT_SECONDS, self.clock.left))
        clock.say("comparing with the ruleset's own options")
        graph = explore(game, DEFAULT_LIMITS, clock=clock)
        sampled = None if graph.whole else sample_claims(graph.start, [], DEFAULT_BUDGET, clock)
        return Study(graph, sampled, clock.within(DEFAULT_SECONDS))

    @property
    def seen_enough(self) -> bool:
        """May what did not occur here be assumed never to occur?"""
        return self.graph.whole or (self.sampled is not None and self.sampled.met.plays >= COMPARED_PLAYS)

    @cached_property
    def cost(self) -> Ints:
        return costs(self.graph, self.clock)

    @cached_property
    def steps_are_plies(self) -> bool:
        """Is every action a ply?"""
        kinds = self.graph.kinds()
        return CHANCE not in kinds and TOGETHER not in kinds

    @cached_property
    def edges(self) -> Edges:
        return Edges.of(self.graph, None, self.clock)

    @cached_property
    def first_moves(self) -> tuple[Ints, bool]:
        """Returns, per kind of move, the first state where one is legal (compiled rules only), and whether all
        states were examined.
        """
        assert isinstance(self.graph.store, NativeStore)
        return self.graph.store.first_moves(self.clock.within(60.0 if self.graph.whole else 5.0))

    @cached_property
    def parts(self) -> Ints:
        """Per state, the part being played."""
        parts = np.array([b.part for b in self.graph.game.program.blocks], dtype=np.int64)
        return parts[self.graph.blocks()]

    @cached_property
    def extent(self) -> str:
        """Describes what was examined."""
        count = len(self.graph)
        return f"{count:,} state{'s' if count != 1 else ''}" if self.graph.whole else "what was examined"

    @property
    def everything(self) -> str:
        """The same for use after `in` or `from`: all of it."""
        return f"all {self.extent}" if self.graph.whole else "all that was examined"

    @property
    def kept(self) -> Status:
        """The status of what holds in every state of the graph: proved if the graph is whole, else merely holds."""
        return Status.PROVED if self.graph.whole else Status.HOLDS

    def states(self, part: int) -> Ints:
        """Returns the states in which a part is being played; all of them for the top level (0)."""
        if part == 0:
            return np.arange(len(self.graph), dtype=np.int64)
        return np.flatnonzero(self.parts == part)

    def answers(self, e: Expr, part: int) -> Iterator[tuple[Ints, Mask]]:
        """Yields states in which a part is being played, in order and in batches, and in which of them a condition
        holds.

        Raises ``GameDSLError`` where evaluation fails.
        """
        chosen = self.states(part)
        asker = Asker(self.graph.store, e) if isinstance(self.graph.store, NativeStore) else None
        for at in range(0, len(chosen), AT_ONCE):
            self.clock.check()
            some = chosen[at : at + AT_ONCE]
            if asker is None:
                yield some, np.array([holds_in(self.graph.state(int(i)), e) for i in some], dtype=bool)
                continue
            found, wrong = asker.answers(some)
            if wrong >= 0:
                yield some[:wrong], found[:wrong] != 0
                holds_in(self.graph.state(int(some[wrong])), e)
            yield some, found != 0

    def play_to(self, i: int) -> Evidence | None:
        """Returns a shortest play to state i; None if there is no time left to construct it."""
        return self.play_along(i, [])

    def play_along(self, i: int, rest: list[int], loop: list[int] | None = None) -> Evidence | None:
        """Returns a shortest play to state i, continued through the states ``rest`` and around ``loop`` (its states
        in order; the first is the last of ``rest``, or i): once, or with symmetries until the identical position
        recurs. None if there is no time left to construct it.
        """
        try:
            return self._play_along(i, rest, loop)
        except OutOfTime:
            return None

    def _play_along(self, i: int, rest: list[int], loop: list[int] | None) -> Evidence:
        graph = self.graph
        before = [*(j for j, _ in graph.path(i)), i][1:] + rest
        if loop is None:
            return Evidence(graph.start, tuple(graph.moves_along(before, self.clock)[0]))
        numbers = list(before)
        while True:
            numbers += [*loop[1:], loop[0]]
            moves, states = graph.moves_along(numbers, self.clock)
            every = [graph.start, *states]
            for at in range(len(before), len(every) - 1, len(loop)):
                if every[at] == every[-1]:
                    return Evidence(graph.start, tuple(moves), at)


def check_claim(study: Study, claim: CoreClaim) -> Verdict:
    """Returns the verdict of the graph, and of plays where it does not decide."""
    return with_plays(study, claim, on_graph(study, claim))


def on_graph(study: Study, claim: CoreClaim) -> Verdict:
    """Returns the verdict of the graph."""
    try:
        status, detail, evidence = _judged(study, claim)
    except OutOfTime:
        status, detail, evidence = Status.UNKNOWN, TIME_IS_UP, None
    except GameDSLError as error:
        message = "; ".join(d.message for d in error.diagnostics)
        status, detail, evidence = Status.VIOLATED, f"it can't be evaluated: {message}", None
    evidence = None if status == Status.PROVED else evidence
    return Verdict(claim_text(claim), status, detail, evidence, claim.clauses, claim.span)


def with_plays(study: Study, claim: CoreClaim, found: Verdict) -> Verdict:
    """Updates the verdict with plays that went beyond the graph."""
    if study.sampled is None or found.status not in (Status.HOLDS, Status.UNKNOWN):
        return found
    how = f"in a random play (seed {study.sampled.seed})"
    if has_witness(claim) and study.sampled.met_target(claim):
        return replace(found, status=Status.PROVED, detail=how, evidence=None)
    shown = study.sampled.shown(claim, study.clock)
    if shown is None:
        return found
    detail = f"{how}, shortened; there may be shorter ones"
    return replace(found, status=Status.VIOLATED, detail=detail, evidence=shown)


def _mask(study: Study, e: Expr, part: int) -> Mask:
    """Returns the states in which a condition holds."""
    found = np.zeros(len(study.graph), dtype=bool)
    for states, held in study.answers(e, part):
        found[states] = held
    return found


def _first(study: Study, e: Expr, part: int, wanted: bool) -> int | None:
    """Returns the first state in which a condition holds, or does not."""
    for states, held in study.answers(e, part):
        matching = np.flatnonzero(held == wanted)
        if len(matching):
            return int(states[matching[0]])
    return None


# ---------------------------------------------------------------------------------------------------------- kinds


def _judged(study: Study, claim: CoreClaim) -> Found:
    match claim:
        case Always():
            return _always(study, claim, True)
        case Never():
            return _always(study, claim, False)
        case Reachable():
            return _reachable(study, claim)
        case Ends():
            return _ends(study, claim)
        case Used():
            return _used(study, claim)
        case LeadsTo():
            return _leads_to(study, claim)
        case Balanced():
            return _balanced(study, claim)
        case _:
            assert_never(claim)


def _always(study: Study, claim: Always | Never, wanted: bool) -> Found:
    broken = _first(study, claim.condition, claim.part, not wanted)
    if broken is None:
        return study.kept, f"in {study.everything}", None
    return Status.VIOLATED, _after_steps(study, broken), study.play_to(broken)


def _after_steps(study: Study, i: int) -> str:
    depth = study.graph.depth(i)
    return f"after {depth} step{'s' if depth != 1 else ''}; there is no shorter play" if depth else "at the very start"


def _reachable(study: Study, claim: Reachable) -> Found:
    found = _first(study, claim.condition, claim.part, True)
    if found is None and claim.part != 0:
        detail = "at none of its decisions; verify it on its own to see how it ends"
        return Status.UNKNOWN, detail, None
    return _sought(study, found)


def _sought(study: Study, found: int | None, what: str = "it holds") -> Found:
    """Returns the finding for a state that had to be found, or None."""
    if found is not None:
        return Status.PROVED, f"{what} {_after_steps(study, found)}".replace("; there is no shorter play", ""), None
    status = Status.VIOLATED if study.graph.whole else Status.UNKNOWN
    return status, f"in none of {study.extent}", None


def _used(study: Study, claim: Used) -> Found:
    for name in claim.moves:
        schemas = {s.index for s in study.graph.game.program.schemas if s.name == name and claim.part in (0, s.part)}
        found = _sought(study, first_use(study, schemas), "it is legal")
        if found[0] == Status.VIOLATED and not all_moves_known(study):
            return (
                Status.UNKNOWN,
                f"{name} is legal in none of the states examined; there are too many moves to try all",
                None,
            )
        if found[0] != Status.PROVED:
            return found[0], f"{name} is legal {found[1]}", None
    return found


def all_moves_known(study: Study) -> bool:
    """Were the legal moves of all states examined?"""
    return not isinstance(study.graph.store, NativeStore) or study.first_moves[1]


def first_use(study: Study, schemas: set[int]) -> int | None:
    """Returns the first state in which a move of these kinds is legal (also by mistake)."""
    game = study.graph.game
    if not any(game.program.schemas[k].mistake for k in schemas) and isinstance(study.graph.store, NativeStore):
        return min((i for k, i in enumerate(map(int, study.first_moves[0])) if k in schemas and i >= 0), default=None)
    stops = {
        b.index for b in game.program.blocks if any(a.schema in schemas for a in getattr(b.end, "alternatives", ()))
    }
    there = np.flatnonzero(np.isin(study.graph.blocks(), list(stops)))
    for i in map(int, there):
        study.clock.check()
        if _offers(study.graph.state(i), schemas):
            return i
    return None


def _offers(state: State, schemas: set[int]) -> bool:
    """Is a move of these kinds legal in a state?"""
    end = state.terminator
    assert isinstance(end, Decide | DecideTogether)
    mover = mover_of(state, None)
    code = state.game.code
    mine = [a.schema for a in end.alternatives if a.schema in schemas]
    tick = code.blocks[state.block].tick
    return mover is not None and any(True for k in mine for _ in code.schemas[k].legal(list(state.slots), mover, tick))


def _ends(study: Study, claim: Ends) -> Found:
    graph = study.graph
    within = None if claim.part == 0 else study.parts == claim.part
    bound = None if claim.bound is None else graph.state(0).evaluate(claim.bound)
    if graph.layered and within is None and study.steps_are_plies:
        deepest = len(graph.levels) - 1
        if bound is None or deepest <= bound:
            return study.kept, _no_longer(study, deepest), None
    edges = study.edges if within is None else Edges.of(graph, within, study.clock)
    height, stays = peel(edges, study.cost)
    if stays.any():
        loop = cycle(edges, stays)
        return Status.VIOLATED, f"a play can go round for ever, through {len(loop)} states", round_trip(study, loop)
    longest = height if within is None else height[within]
    most = int(longest.max()) if len(longest) else 0
    if bound is None or most <= bound:
        return study.kept, _no_longer(study, most), None
    start = (
        int(np.flatnonzero(height == most)[0]) if within is None else int(np.flatnonzero(within & (height == most))[0])
    )
    rest = _longest(study, edges, height, start)
    return Status.VIOLATED, f"a play can have {most} plies", study.play_along(start, rest)


def _no_longer(study: Study, most: int) -> str:
    whole = study.graph.whole
    return f"the longest play has {most} plies" if whole else f"no play goes round in {study.everything}"


def round_trip(study: Study, loop: list[int]) -> Evidence | None:
    """Returns a shortest play to a cycle and once around it."""
    return study.play_along(loop[0], [], loop)


def _longest(study: Study, edges: Edges, height: Ints, start: int) -> list[int]:
    """Returns the states of a longest play from a state."""
    begins, targets = edges.rows
    found: list[int] = []
    here = start
    while height[here] > 0 and begins[here] < begins[here + 1]:
        after = targets[begins[here] : begins[here + 1]]
        here = int(after[np.argmax(height[after])])
        found.append(here)
    return found


def _leads_to(study: Study, claim: LeadsTo) -> Found:
    if claim.part != 0:
        return Status.UNKNOWN, "not judged in a ruleset that is played inside another: run it by itself", None
    goals = _mask(study, claim.then, 0)
    good = must_come(study.graph, goals, study.edges)
    broken = np.flatnonzero(_mask(study, claim.condition, 0) & ~good)
    if not len(broken):
        return study.kept, f"in {study.everything}", None
    return Status.VIOLATED, "a play does not come there", _avoiding(study, int(broken[0]), good)


def _avoiding(study: Study, start: int, good: Mask) -> Evidence | None:
    """Returns a play that avoids good states, to an end or around a cycle forever."""
    trail, met = [start], {start: 0}
    while True:
        study.clock.check()
        after = next((int(j) for j in study.graph.successors(trail[-1]) if j >= 0 and not good[j]), None)
        if after is None:
            return study.play_along(start, trail[1:])
        if after in met:
            return study.play_along(start, trail[1 : met[after] + 1], trail[met[after] :])
        met[after] = len(trail)
        trail.append(after)


def _balanced(study: Study, claim: Balanced) -> Found:
    return balanced(study, int(study.graph.state(0).evaluate(claim.percent)))
