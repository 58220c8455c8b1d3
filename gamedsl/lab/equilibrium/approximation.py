"""Strategies found by sampling, for games whose tree is too large to hold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from gamedsl.lab.base import Clock
from gamedsl.lab.equilibrium.finding import WRITE_EVERY, next_steps
from gamedsl.lab.equilibrium.graph_sampler import GraphSampler
from gamedsl.lab.equilibrium.graph_sampler_file import resume_graph_sampler, write_graph_sampler
from gamedsl.lab.equilibrium.texts import lines_of
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class SampledStep:
    """What a number of iterations have reached. ``regret_bound``: see ``GraphSampler``."""

    iterations: int
    regret_bound: float | None
    sets: int
    positions: int
    seconds: float


@lazy_dataclass(frozen=True)
class Approximation:
    """The average strategies of a sampler, for the information sets that it met.

    ``curve``: the progress, its last step at the end. ``stopped``: as ``GraphSampler.stopped``; empty if all
    iterations were done. ``resumed``: the number of iterations taken from a checkpoint.
    """

    sampler: GraphSampler
    curve: tuple[SampledStep, ...]
    stopped: str
    resumed: int = 0

    @property
    def iterations(self) -> int:
        return self.sampler.iterations

    def rows(self) -> list[tuple[int, str, dict[str, float]]]:
        """The information sets with a choice, in the order in which they were met.

        Each row is the number of the set, a line about it, and the probabilities by the texts of the actions.
        """
        sampler, sets = self.sampler, self.sampler.sets
        numbers = [n for n in range(len(sampler)) if sets.actions[n] > 1]
        texts = lines_of([sampler.facts(int(sets.known[n])) for n in numbers], [int(sets.seat[n]) for n in numbers])
        strategy = sampler.strategy
        return [(n, text, self._odds(n, strategy)) for n, text in zip(numbers, texts, strict=True)]

    def _odds(self, number: int, strategy: Any) -> dict[str, float]:
        sampler = self.sampler
        first, count = int(sampler.sets.first[number]), int(sampler.sets.actions[number])
        texts = [sampler.game.action_text(a) for a in sampler.actions(number)]
        return dict(zip(texts, strategy[first : first + count].tolist(), strict=True))


def approximate_equilibrium(
    sampler: GraphSampler,
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    checkpoint: Path | None = None,
    watch: Callable[[SampledStep], None] | None = None,
) -> Approximation:
    """Runs a new sampler until ``iterations`` are done (including those of a checkpoint), the time runs out, or the
    limit of positions is reached.

    Raises the errors of ``resume_graph_sampler`` and of the rules.
    """
    clock = Clock().within(seconds)
    began = written = clock.now()
    if checkpoint is not None:
        resume_graph_sampler(sampler, checkpoint)
    resumed, curve, pace = sampler.iterations, list[SampledStep](), 0.0
    while True:
        before, done = clock.now(), sampler.iterations
        sampler.run(next_steps(done, iterations, pace), clock)
        now = clock.now()
        pace = (now - before) / max(1, sampler.iterations - done)
        curve.append(
            SampledStep(sampler.iterations, sampler.regret_bound, len(sampler), len(sampler.graph), now - began)
        )
        if watch is not None:
            watch(curve[-1])
        is_done = iterations is not None and sampler.iterations >= iterations
        stopped = "" if is_done else sampler.stopped or ("time" if clock.is_over else "")
        if checkpoint is not None and (is_done or stopped or now - written > WRITE_EVERY):
            write_graph_sampler(sampler, checkpoint)
            written = now
        if is_done or stopped:
            return Approximation(sampler, tuple(curve), stopped, resumed)
