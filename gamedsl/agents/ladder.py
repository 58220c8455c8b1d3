"""The depth of a game: a ladder of players with more and more computation, as long as that helps.

Depth is the number of players of distinguishable strength that stand between the weakest and the strongest (J. Thompson,
"Defining the Abstract", The Games Journal, 2000; for ladders of programs: F. Lantz, A. Isaksen, A. Jaffe, A. Nealen and
J. Togelius, "Depth in Strategic Games", AAAI Workshops 2017).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from math import comb, hypot, inf, isfinite
from random import Random
from threading import Event
from typing import TYPE_CHECKING

from gamedsl.agents.agent import Agent
from gamedsl.agents.tournament import MatchConditions, PairScores, pairings, play_tournament
from gamedsl.lab.shards import ShardRunner
from gamedsl.lab.statistics import Estimate, PairCounts, SequentialTest
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine import Game

NORMAL_WIDTH = 2 * 1.959963984540054  # widths of a 95 % interval in standard deviations


@lazy_dataclass(frozen=True)
class MatchResult:
    """The result of a match of two agents. ``accepted``: the hypothesis that a sequential test accepted, if there was
    one.
    """

    upper: str
    lower: str
    counts: PairCounts
    elo: Estimate | None
    accepted: str | None = None


@lazy_dataclass(frozen=True)
class Rung:
    """A player of the ladder (rung 0 has no match). A player who was found to be stronger is a level of play.

    ``below``: the match with the player of the level below; ``far``: the match with the player two levels below, with a
    fixed number of pairs. ``gap``: the Elo difference of the far match minus the sum of the two matches between, in its
    standard errors. If it is far from 0, Elo points of this game do not add up: strength is not a single number
    there, or some results are nearly certain.
    """

    number: int
    agent: str
    below: MatchResult | None = None
    far: MatchResult | None = None
    gap: float | None = None


@lazy_dataclass(frozen=True)
class LadderPlan:
    """How a ladder is climbed.

    ``make``: returns the player with this budget. ``first``: the budget of rung 0; each rung has twice that of the one
    before. ``rungs``: the maximum number of players. ``misses``: the number of rungs in a row without a stronger player
    after which the ladder ends. ``most``: the maximum number of mirrored pairs in a match with the player of the level
    below. ``far``: the number of pairs in a match with the player two levels below (0: none). ``runner``: who plays the
    games.
    """

    make: Callable[[int], Agent]
    test: SequentialTest
    conditions: MatchConditions
    first: int = 1
    rungs: int = 12
    misses: int = 5
    most: int = 1000
    far: int = 0
    runner: ShardRunner = field(default_factory=ShardRunner)


def play_match(
    game: Game, upper: Agent, lower: Agent, plan: LadderPlan, pairs: int, test: SequentialTest | None, stop: Event
) -> MatchResult:
    """Plays mirrored pairs until the test is decided (without a test: all of them). A match that ``stop`` ends is
    undecided.
    """
    scores = PairScores(test)
    seed = Random(f"{plan.conditions.seed} {upper.text} {lower.text}").getrandbits(60)
    seatings = max(1, len(pairings(2, game.num_players, 1)) // 2)  # mirrored pairs of one round
    conditions = replace(plan.conditions, seed=seed)
    games = play_tournament(game, [upper, lower], -(-pairs // seatings), conditions, plan.runner, stop.is_set)
    for outcome in games:
        if stop.is_set() or scores.add(outcome):
            break
    games.close()
    counts = scores.counts.get((0, 1), PairCounts())
    elo = test.elo(counts) if test else counts.elo()
    return MatchResult(upper.text, lower.text, counts, elo, scores.accepted)


def climb_ladder(game: Game, plan: LadderPlan, stop: Event | None = None) -> Iterator[Rung]:
    """Yields the rungs from the lowest one.

    A rung that is not found to be stronger is passed over: the next one, with twice its budget, plays against the same
    level. (Where there are many choices, the first few iterations hardly help, and many do.) The ladder ends after
    ``misses`` of these in a row, or when ``stop`` is set.
    """
    stop = stop or Event()
    lowest = plan.make(plan.first)
    levels, missed = [(lowest, Rung(0, lowest.text))], 0
    yield levels[0][1]
    for number in range(1, plan.rungs):
        player, (top, before) = plan.make(plan.first << number), levels[-1]
        below = play_match(game, player, top, plan, plan.most, plan.test, stop)
        climbed = below.accepted == "H1" and not stop.is_set()
        far = None
        if climbed and len(levels) > 1 and plan.far:
            far = play_match(game, player, levels[-2][0], plan, plan.far, None, stop)
        rung = Rung(number, player.text, below, far, _gap(far, below, before.below))
        yield rung
        missed = 0 if climbed else missed + 1
        if climbed:
            levels.append((player, rung))
        if missed == plan.misses or stop.is_set():
            return


def _gap(far: MatchResult | None, *steps: MatchResult | None) -> float | None:
    """Returns the gap of a rung (see ``Rung``); None unless all Elo differences and the ends of their intervals are
    finite.
    """
    estimates = [match.elo if match is not None else None for match in (far, *steps)]
    values, widths = [], []
    for e in estimates:
        if e is None or e.low is None or e.high is None or not (isfinite(e.low) and isfinite(e.high)):
            return None
        values.append(e.value)
        widths.append((e.high - e.low) / NORMAL_WIDTH)
    spread = sum(w * w for w in widths) ** 0.5
    return (values[0] - sum(values[1:])) / spread if spread else None


def count_levels(rungs: Sequence[Rung], test: SequentialTest) -> tuple[int, int, int]:
    """Returns the number of levels, and its 95 % interval: ``test`` may have been wrong as often as its error rates allow in
    97.5 of 100 ladders, and every undecided player may be a level."""
    verdicts = [rung.below.accepted for rung in rungs if rung.below is not None]
    climbed, passed = verdicts.count("H1"), verdicts.count("H0")
    levels, undecided = 1 + climbed, len(verdicts) - climbed - passed
    return levels, levels - _most_errors(climbed, test.alpha), levels + _most_errors(passed, test.beta) + undecided


def _most_errors(tests: int, rate: float) -> int:
    """Returns the 0.975 quantile of the number of errors."""
    number, left = 0, 0.975
    while (left := left - comb(tests, number) * rate**number * (1 - rate) ** (tests - number)) > 0:
        number += 1
    return number


def elo_in_all(rungs: Sequence[Rung]) -> Estimate | None:
    """Returns the Elo difference between the highest and the lowest level: the sum of those of the matches between neighbors.
    Their errors are independent, so the squares of the distances to the ends of their intervals add up. None if a match has
    no finite difference."""
    matches = [rung.below for rung in rungs if rung.below is not None and rung.below.accepted == "H1"]
    found = [match.elo for match in matches if match.elo is not None and isfinite(match.elo.value)]
    if len(found) < len(matches):
        return None
    value = sum(elo.value for elo in found)
    below = hypot(*(inf if elo.low is None else elo.value - elo.low for elo in found))
    above = hypot(*(inf if elo.high is None else elo.high - elo.value for elo in found))
    return Estimate(value, value - below, value + above)
