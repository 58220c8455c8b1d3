"""Outcome probabilities in playouts: exact if all states are known, else estimated by sampling with an error bound."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from math import log, sqrt
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from gamedsl.engine import RulesError, State
from gamedsl.lab.base import Clock, Evidence, OutOfTime, Status, baseline_seconds, playing_seconds
from gamedsl.lab.explore import Edges, Graph, peel
from gamedsl.lab.simulate import Plan, Tally, fastest, quickest
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.lab.claims.state_space import StateSpace

Winners: TypeAlias = frozenset[int]
Found: TypeAlias = tuple[Status, str, Evidence | None]
MOST_STATES = 200_000  # for exact fractions
LONGEST = 10_000  # plies per playout
ERROR = 0.01  # probability that a verdict from samples is wrong
NEAR = 1e-7  # probability mass of unfinished games at which the calculation stops
MOST_STEPS = 20_000  # steps for which games are followed
ROUNDING = 1e-9  # an upper bound on the rounding error of the sums
LOOKS = 16  # maximum number of looks at the samples
FIRST_LOOK = 250  # playouts before the first look; doubled for each further look
TURN = 0.5  # seconds between two checks of the clock
BALANCE_SHARE = 0.5  # share of the time for playouts, if not all positions are known


def exact_odds(graph: Graph, clock: Clock | None = None) -> dict[Winners, Fraction] | None:
    """Returns the probability of every set of winners when all actions are equally likely (chance by its weights).

    Exact: propagates probabilities forward in topological order. None if that is impossible: unknown states,
    cycles, a failing rule, or too many states.
    """
    if not graph.whole or graph.faults or len(graph) > MOST_STATES:
        return None
    clock = clock or Clock()
    height, stays = peel(Edges.of(graph, None, clock), np.ones(len(graph), dtype=np.int64))
    if stays.any():
        return None
    reach: list[Fraction] = [Fraction(0)] * len(graph)
    reach[0] = Fraction(1)
    found: dict[Winners, Fraction] = {}
    for i in map(int, np.argsort(-height, kind="stable")):
        if not reach[i]:
            continue
        clock.check()
        after = graph.successors(i)
        if not len(after):
            winners = graph.state(i).winners
            found[winners] = found.get(winners, Fraction(0)) + reach[i]
            continue
        row = slice(graph.first[i], graph.first[i + 1])
        weights = [1] * len(after) if graph.weight is None else [int(w) for w in graph.weight[row]]
        total = sum(weights)
        for j, w in zip(map(int, after), weights, strict=True):
            reach[j] += reach[i] * Fraction(w, total)
    return found


def near_odds(graph: Graph, clock: Clock) -> tuple[list[float], float] | None:
    """Returns lower bounds on each player's probability of winning when all actions are equally likely, and the slack.

    The slack is the probability mass of unfinished games (plus a bound on rounding). Also works with cycles. None
    if not all states are known, a rule fails, or too much mass is left after ``MOST_STEPS`` steps.
    """
    if not graph.whole or graph.faults:
        return None
    sources, targets = graph.edge_sources(), np.asarray(graph.target, dtype=np.int64)
    weights = np.ones(len(targets)) if graph.weight is None else np.asarray(graph.weight, dtype=np.float64)
    weights /= np.bincount(sources, weights, minlength=len(graph))[sources]
    ends = np.flatnonzero(graph.kinds() == 0)
    who = np.zeros((graph.game.num_players, len(ends)), dtype=bool)
    for k, i in enumerate(map(int, ends)):
        clock.check()
        for p in graph.state(i).winners:
            who[p, k] = True
    mass: npt.NDArray[np.float64] = np.zeros(len(graph))
    wins = np.zeros(graph.game.num_players)
    mass[0] = 1.0
    for _ in range(MOST_STEPS):
        clock.check()
        wins += who @ mass[ends]
        mass[ends] = 0.0
        left = float(mass.sum())
        if left <= NEAR:
            return [float(w) for w in wins], left + ROUNDING
        mass = np.bincount(targets, mass[sources] * weights, minlength=len(graph)).astype(np.float64)
    return None


def _near_balance(near: tuple[list[float], float], names: Sequence[str], percent: int) -> Found | None:
    wins, more = near
    detail = f"at random, to within {more:.1g}: {', '.join(f'{n} {w:.2%}' for n, w in zip(names, wins, strict=True))}"
    spread = max(wins) - min(wins)
    if (spread + more) * 100 <= percent:
        return Status.PROVED, detail, None
    return (Status.VIOLATED, detail, None) if (spread - more) * 100 > percent else None


@lazy_dataclass(frozen=True)
class Shares:
    """How often each player won in a number of games (a shared win counts for every winner)."""

    wins: tuple[int, ...]
    plays: int

    @property
    def spread(self) -> float:
        """The difference between the largest and the smallest share of games won."""
        return (max(self.wins) - min(self.wins)) / self.plays

    @property
    def margin(self) -> float:
        """The true difference is within this of ``spread`` except with probability ``ERROR`` (Hoeffding's inequality
        for every share at every look).
        """
        return 2 * sqrt(log(2 * LOOKS * len(self.wins) / ERROR) / (2 * self.plays))


def shares_of(odds: dict[Winners, Fraction], players: int) -> list[Fraction]:
    """Returns each player's probability of winning, alone or with others."""
    return [sum((p for who, p in odds.items() if n in who), Fraction(0)) for n in range(players)]


def balanced(space: StateSpace, percent: int) -> tuple[Status, str, Evidence | None]:
    """Judges whether all players win about equally often: their shares differ by at most ``percent`` percent of all
    games.
    """
    graph = space.graph
    names = graph.game.players
    with suppress(OutOfTime):
        space.clock.check()
        odds = exact_odds(graph, space.clock)
        if odds is not None:
            shares = shares_of(odds, len(names))
            detail = ", ".join(f"{n} {float(s):.2%}" for n, s in zip(names, shares, strict=True))
            fine = (max(shares) - min(shares)) * 100 <= percent
            return Status.PROVED if fine else Status.VIOLATED, f"at random, exactly: {detail}", None
        near = near_odds(graph, space.clock)
        if near is not None and (answer := _near_balance(near, names, percent)):
            return answer
    seconds = space.budget.seconds * (1 if graph.whole else BALANCE_SHARE)
    try:
        return by_samples(graph.start, percent, space.clock.within(seconds), space.budget.seed)
    except RulesError as error:
        return Status.UNKNOWN, f"a random game ends in a rules error: {error.diagnostics[0].message}", None


def by_samples(start: State, percent: int, clock: Clock, seed: int = 0) -> tuple[Status, str, Evidence | None]:
    """Samples more and more playouts until the answer is clear, there have been enough, or the time is up."""
    tally = Tally()
    detail = "no games: the time is up"
    for shares in _looks(start, tally, clock, seed):
        detail = (
            f"{shares.plays:,} random games (seed {seed}): a difference of {shares.spread:.1%}, "
            f"give or take {shares.margin:.1%} (with {1 - ERROR:.0%} confidence)"
        )
        if shares.spread + shares.margin <= percent / 100:
            return Status.HOLDS, detail, None
        if shares.spread - shares.margin > percent / 100:
            return Status.VIOLATED, detail, None
    return Status.UNKNOWN, detail, None


def _looks(start: State, tally: Tally, clock: Clock, seed: int) -> Iterator[Shares]:
    """Yields the shares after ``FIRST_LOOK`` playouts, after twice as many, and so on; finally those when the time is
    up.
    """
    plan = Plan.of(start.game, start=start, seed=seed, most=LONGEST)
    clock.say("compiling the rules for random games")
    began = perf_counter()
    source = quickest(plan, clock.left)
    slowness = max(1.0, (perf_counter() - began) / baseline_seconds(start.game.program))
    dear = slowness * playing_seconds(start.game.program)  # to compile code that plays faster
    began = perf_counter()
    is_fast = False
    for look in range(LOOKS):
        while tally.plays < FIRST_LOOK << look and not clock.is_over:
            rate = max(tally.plays, 1) / max(perf_counter() - began, 1e-3)
            plays = max(1, min((FIRST_LOOK << look) - tally.plays, int(rate * min(clock.left, TURN))))
            tally.add(source.run(tally.plays, plays, lambda: clock.is_over))
            if not is_fast and dear < perf_counter() - began and 3 * dear < clock.left:
                source, is_fast = fastest(plan, clock.left), True
            clock.say(f"random games: {tally.plays:,}")
        if tally.plays:
            wins = (
                sum(n for (p, how, _), n in tally.results.items() if (p, how) == (k, 1))
                for k in range(start.game.num_players)
            )
            yield Shares(tuple(wins), tally.plays)
        if clock.is_over:
            break
