"""Finds strategies close to an equilibrium, up to a given exploitability, number of iterations or time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeAlias

from gamedsl.lab.base import Clock
from gamedsl.lab.equilibrium.cfr import Order, RegretMinimizer
from gamedsl.lab.equilibrium.linear_program import solve_linear_program
from gamedsl.lab.equilibrium.mccfr import SampledRegretMinimizer
from gamedsl.lab.equilibrium.profile import Profile
from gamedsl.lab.equilibrium.sampling_file import resume_sampling, write_sampling
from gamedsl.lab.equilibrium.sequences import SequenceForm
from gamedsl.language.source import lazy_dataclass

Method = Literal["cfr", "cfr+", "lp", "external", "outcome"]
Solver: TypeAlias = RegretMinimizer | SampledRegretMinimizer
EXPLOITABILITY = 1e-4
FIRST, GROWTH = 10, 4  # iterations before the first look; later one more look after a fourth more iterations
LONGEST = 1.0  # approximate seconds between two looks
WRITE_EVERY = 10.0  # approximate seconds between two checkpoints


@lazy_dataclass(frozen=True)
class Step:
    """The quality reached after a number of iterations."""

    iterations: int
    nash_conv: float
    seconds: float


@lazy_dataclass(frozen=True)
class Equilibrium:
    """Strategies for all seats.

    ``curve``: the progress, its last step at the end (for "lp" only that). ``wanted``: the exploitability asked
    for. ``resumed``: the number of iterations taken from a checkpoint.
    """

    method: Method
    profile: Profile
    curve: tuple[Step, ...]
    wanted: float
    resumed: int = 0

    @property
    def iterations(self) -> int:
        return self.curve[-1].iterations

    @property
    def is_reached(self) -> bool:
        """Whether the exploitability is as low as requested."""
        return self.profile.exploitability <= self.wanted


@lazy_dataclass(frozen=True)
class SamplingOptions:
    """How "external" and "outcome" sample.

    ``seed``: alone determines the result. ``threads``: how many. ``checkpoint``: a file to resume from and to
    write.
    """

    seed: int = 0
    threads: int = 1
    checkpoint: Path | None = None


def find_equilibrium(
    form: SequenceForm,
    method: Method = "cfr+",
    *,
    exploitability: float = EXPLOITABILITY,
    iterations: int | None = None,
    seconds: float | None = None,
    order: Order = "auto",
    sampling: SamplingOptions | None = None,
    watch: Callable[[Step], None] | None = None,
) -> Equilibrium:
    """Finds strategies that lose at most ``exploitability`` per seat, on average, against best responses.

    ``iterations``: exactly this many, whatever they reach (not for "lp"), including those of a checkpoint.
    ``seconds``: the time limit. Raises the errors of ``solve_linear_program`` and of ``resume_sampling``.
    """
    clock = Clock().within(seconds)
    began = clock.now()
    if method == "lp":
        profile = solve_linear_program(form, seconds)
        return Equilibrium(method, profile, (Step(0, profile.nash_conv, clock.now() - began),), exploitability)
    solver, kept = _solver(form, method, order, sampling or SamplingOptions())
    resumed, curve, pace, written = solver.iterations, list[Step](), 0.0, began
    while True:
        before, done = clock.now(), solver.iterations
        solver.run(next_steps(done, iterations, pace))
        profile, now = solver.average, clock.now()
        pace = (now - before) / max(1, solver.iterations - done)
        curve.append(Step(solver.iterations, profile.nash_conv, now - began))
        if watch is not None:
            watch(curve[-1])
        enough = profile.exploitability <= exploitability if iterations is None else solver.iterations >= iterations
        is_over = enough or clock.is_over
        if kept is not None and (is_over or now - written > WRITE_EVERY):
            write_sampling(*kept)
            written = now
        if is_over:
            return Equilibrium(method, profile, tuple(curve), exploitability, resumed)


def _solver(
    form: SequenceForm, method: Method, order: Order, sampling: SamplingOptions
) -> tuple[Solver, tuple[SampledRegretMinimizer, Path] | None]:
    """A solver, in the state of its checkpoint if there is one, and the solver and file to write checkpoints with."""
    if method == "cfr" or method == "cfr+":
        return RegretMinimizer(form, method, order), None
    assert method != "lp"
    solver = SampledRegretMinimizer(form, method, seed=sampling.seed, threads=sampling.threads)
    if sampling.checkpoint is None:
        return solver, None
    resume_sampling(solver, sampling.checkpoint)
    return solver, (solver, sampling.checkpoint)


def next_steps(done: int, wanted: int | None, pace: float) -> int:
    """The number of iterations before the next look: a share of those done, at most about a second, and no more than
    wanted.
    """
    steps = max(FIRST, done // GROWTH)
    if pace > 0:
        steps = max(1, min(steps, int(LONGEST / pace)))
    return steps if wanted is None else max(0, min(steps, wanted - done))
