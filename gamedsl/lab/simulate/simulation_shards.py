"""Simulations whose games are counted shard by shard: in several processes, on several machines, in several sessions."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from gamedsl.lab.shards import Question, ShardRunner, never
from gamedsl.lab.simulate.reference_plays import Plan
from gamedsl.lab.simulate.simulation import Backend, Simulation, Source, source_of
from gamedsl.lab.simulate.tally import Tally
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

FIRST_GAMES = 64  # of the first shard


@lazy_dataclass(frozen=True)
class CountedGames(Question[Tally]):
    """The counts of games. ``seats``: who plays, in words; ``is_timed``: somebody may think for a while."""

    plan: Plan
    seats: Sequence[str]
    backend: Backend
    quick: bool
    is_timed: bool = False

    @property
    def about(self) -> Mapping[str, Any]:
        plan, (_, used, _) = self.plan, self.source
        start = None if plan.start == plan.game.initial_state() else plan.start.serialize()
        return {
            "question": "counted games", "digest": plan.game.digest, "options": plan.game.options, "start": start,
            "seats": list(self.seats), "seed": plan.seed, "most": plan.most, "backend": used, "quick": self.quick,
        }  # fmt: skip

    @property
    def is_repeatable(self) -> bool:
        return not self.is_timed

    @cached_property
    def source(self) -> tuple[Source, Backend, str]:
        """Makes the games: see ``source_of``."""
        return source_of(self.plan, self.backend, self.quick)

    def answer(self, first: int, count: int, stopped: Callable[[], bool]) -> Tally:
        source = self.source[0]
        source.prepare(first + count)
        return source.run(first, count, stopped)

    def size(self, answer: Tally) -> int:
        """Returns the number of games. Raises ``ValueError`` if these cannot be the counts of a simulation."""
        program, widths = self.plan.game.program, answer.widths
        counters = answer.results, answer.lengths, answer.kinds, answer.outcomes, widths.at, widths.sums
        counts = [count for counter in counters for count in counter.values()]
        if min([answer.plays, answer.unfinished, widths.decisions, widths.choices, *counts]) < 0:
            raise ValueError("a count is negative")
        players, blocks = self.plan.game.num_players, len(program.blocks)
        if any(not 0 <= player < players for player, _, _ in answer.results):
            raise ValueError("there is no such player")
        if any(not 0 <= k < (len(program.schemas) if kind == "move" else blocks) for kind, k in answer.kinds):
            raise ValueError("there is no such kind of move")
        for block, outcome in answer.outcomes:
            end = program.blocks[block].end if 0 <= block < blocks else None
            if not isinstance(end, n.Chance) or not 0 <= outcome < len(end.names):
                raise ValueError("there is no such outcome of chance")
        finished = answer.plays - answer.unfinished
        if any(
            sum(c for (p, _, _), c in answer.results.items() if p == player) != finished for player in range(players)
        ):
            raise ValueError("there is not one result for every game")
        return answer.plays


def simulate_in_shards(
    question: CountedGames,
    plays: int,
    runner: ShardRunner,
    stopped: Callable[[], bool] = never,
    progress: Callable[[int], None] = lambda done: None,
) -> Simulation:
    """Counts the first ``plays`` games, as ``simulate`` does. A stop keeps the shards that were answered."""
    began, tally = time.perf_counter(), Tally()
    _, used, reason = question.source
    for part in runner.run(question, plays, stopped, FIRST_GAMES):
        tally.add(part)
        progress(tally.plays)
    seconds = time.perf_counter() - began
    jobs = 1 if runner.workers is None else runner.workers.size
    return Simulation(question.plan, plays, tally, used, reason, jobs, seconds, seconds)
