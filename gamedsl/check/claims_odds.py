"""How plays end when everybody plays at random: exactly where all states are known, else from plays with an error bound."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import log, sqrt
from random import Random
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from gamedsl.check.explore_graph import Graph
from gamedsl.check.explore_paths import Edges, peel
from gamedsl.check.verdict import Evidence, Status
from gamedsl.engine.state import State

if TYPE_CHECKING:
    from gamedsl.check.claims import Study

Winners: TypeAlias = frozenset[int]
MOST_STATES = 200_000  # with exact fractions
LONGEST = 10_000  # plies of one random play
ERROR = 0.01  # probability that a verdict from samples is wrong
LOOKS = 8  # at most so often a verdict is tried


def exact_odds(graph: Graph) -> dict[Winners, Fraction] | None:
    """The probability of every set of winners when all ways on are equally likely (chance by its weights).

    Exact, by going back from the ends. None where that is not possible: not all states are known, a play can go round
    for ever, a rule goes wrong, or there are too many states.
    """
    if not graph.whole or graph.faults or len(graph) > MOST_STATES:
        return None
    edges = Edges.of(graph)
    height, stays = peel(edges, np.ones(len(graph), dtype=np.int64))
    if stays.any():
        return None
    reach: list[Fraction] = [Fraction(0)] * len(graph)
    reach[0] = Fraction(1)
    found: dict[Winners, Fraction] = {}
    for i in map(int, np.argsort(-height, kind="stable")):
        if not reach[i]:
            continue
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


@dataclass(frozen=True)
class Shares:
    """How often each player won (shared wins count for all who share) in a number of plays."""

    wins: tuple[int, ...]
    plays: int

    @property
    def spread(self) -> float:
        """The difference between the share of whoever wins most often and that of whoever does least."""
        return (max(self.wins) - min(self.wins)) / self.plays

    @property
    def margin(self) -> float:
        """The true difference is within this of ``spread`` but for a probability of ``ERROR`` (Hoeffding's inequality
        for every share at every look)."""
        return 2 * sqrt(log(2 * LOOKS * len(self.wins) / ERROR) / (2 * self.plays))


def random_play(state: State, rng: Random) -> State:
    """The end of a play in which all choose at random; the state reached after ``LONGEST`` plies if it does not end."""
    for _ in range(LONGEST):
        if state.is_terminal:
            break
        state = state.apply(state.propose(rng))
    return state


def sample(start: State, plays: int, seed: int) -> Shares:
    """Who wins random plays."""
    wins: Counter[int] = Counter()
    for number in range(plays):
        wins.update(random_play(start, Random(f"odds {seed} {number}")).winners)
    return Shares(tuple(wins[p] for p in range(start.game.num_players)), plays)


def shares_of(odds: dict[Winners, Fraction], players: int) -> list[Fraction]:
    """Per player the probability to win, alone or with others."""
    return [sum((p for who, p in odds.items() if n in who), Fraction(0)) for n in range(players)]


def balanced(study: Study, percent: int) -> tuple[Status, str, Evidence | None]:
    """Do all players win about equally often, within so many percent of all plays?"""
    graph = study.graph
    names = graph.game.players
    odds = exact_odds(graph)
    if odds is not None:
        shares = shares_of(odds, len(names))
        told = ", ".join(f"{n} {float(s):.2%}" for n, s in zip(names, shares, strict=True))
        fine = (max(shares) - min(shares)) * 100 <= percent
        return Status.PROVED if fine else Status.VIOLATED, f"at random, exactly: {told}", None
    return _by_samples(graph.state(0), percent)


def _by_samples(start: State, percent: int, seed: int = 0) -> tuple[Status, str, Evidence | None]:
    """More and more plays until the answer is clear, or there have been enough."""
    told = ""
    for look in range(LOOKS):
        plays = 250 << look
        shares = sample(start, plays, seed)
        told = (
            f"{plays} random plays (seed {seed}): a difference of {shares.spread:.1%}, give or take {shares.margin:.1%}"
        )
        if shares.spread + shares.margin <= percent / 100:
            return Status.HOLDS, told, None
        if shares.spread - shares.margin > percent / 100:
            return Status.VIOLATED, told, None
    return Status.UNKNOWN, told, None
