"""Mutation testing: measures how many small changes to a ruleset its examples notice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from random import Random
from time import monotonic

from gamedsl.lab.examples import OptionValue, both_files, read_examples
from gamedsl.lab.mutation.mutants import Mutant
from gamedsl.lab.mutation.trial import UNNOTICED, Fate, Outcome, Setup, Trial
from gamedsl.language.source import lazy_dataclass

SEARCH_SECONDS = 3.0

Progress = Callable[[int, int], None]  # mutants done, mutants in total


@lazy_dataclass(frozen=True)
class Mutation:
    """A ruleset's mutants and the outcomes of those that were tried, in text order: all, unless time ran out."""

    file: str
    source: str
    mutants: tuple[Mutant, ...]
    outcomes: tuple[Outcome, ...]
    failing: tuple[str, ...] = ()  # examples that fail on the unchanged ruleset; then no mutant is tried

    def count(self, *fates: Fate) -> int:
        return sum(o.fate in fates for o in self.outcomes)

    @property
    def survivors(self) -> list[Mutant]:
        """The mutants that no example notices."""
        return [self.mutants[o.mutant] for o in self.outcomes if o.fate in UNNOTICED]

    @property
    def is_whole(self) -> bool:
        return len(self.outcomes) == len(self.mutants)

    @property
    def rate(self) -> float | None:
        """The mutation score: the share of noticed mutants among those that matter; None if there are none.

        Mutants that were not compared count as mattering, so the score is never too high.
        """
        return rate(self.count(Fate.NOTICED), self.count(*UNNOTICED))


def rate(noticed: int, survived: int) -> float | None:
    return noticed / (noticed + survived) if noticed + survived else None


def mutation_test(
    file: str | Path,
    options: Mapping[str, OptionValue] | None = None,
    *,
    jobs: int = 1,
    seconds: float | None = None,
    search: float = SEARCH_SECONDS,
    seed: int = 0,
    progress: Progress | None = None,
) -> Mutation:
    """Runs a ruleset's examples on its mutants, with ``jobs`` processes.

    ``seconds``: no mutant is started after that time, so only a random sample is tried. ``search``: seconds of
    playouts along which each survivor is compared, 0 for none. Raises ``GameDSLError`` if the ruleset or its
    examples are wrong.
    """
    ruleset, path = both_files(str(file))
    examples = tuple(read_examples(path))
    setup = Setup(ruleset, examples, tuple(sorted((options or {}).items())), seed, search)
    until = None if seconds is None else monotonic() + seconds
    trial = Trial(setup)
    source = trial.original.source.text
    if trial.failing:
        return Mutation(ruleset.name, source, tuple(trial.mutants), (), trial.failing)
    order = list(range(len(trial.mutants)))
    Random(seed).shuffle(order)
    run = _sequential(trial, order, until) if jobs == 1 else _parallel(trial, order, until, jobs)
    outcomes = []
    for outcome in run:
        outcomes.append(outcome)
        if progress is not None:
            progress(len(outcomes), len(order))
    outcomes.sort(key=lambda o: o.mutant)
    return Mutation(ruleset.name, source, tuple(trial.mutants), tuple(outcomes))


def _sequential(trial: Trial, order: list[int], until: float | None) -> Iterator[Outcome]:
    for number in order:
        if until is not None and monotonic() > until:
            return
        yield trial.run(number)


# --------------------------------------------------------------------------------------------- several processes

_trial: Trial | None = None  # this process's; a forked process inherits its parent's


def _begin(file: str, options: dict[str, OptionValue], seed: int, search: float) -> None:
    """Initializes a process that was not forked. It reads the files again, because trees are expensive to send."""
    global _trial
    if _trial is None:
        ruleset, path = both_files(file)
        _trial = Trial(Setup(ruleset, tuple(read_examples(path)), tuple(sorted(options.items())), seed, search))


def _run(number: int, until: float | None) -> Outcome | None:
    assert _trial is not None
    return None if until is not None and monotonic() > until else _trial.run(number)


def _parallel(trial: Trial, order: list[int], until: float | None, jobs: int) -> Iterator[Outcome]:
    global _trial
    setup, _trial = trial.setup, trial
    context = get_context("fork" if "fork" in get_all_start_methods() else "spawn")
    arguments = (str(setup.ruleset), dict(setup.options), setup.seed, setup.seconds)
    try:
        with ProcessPoolExecutor(jobs, context, _begin, arguments) as pool:
            try:
                todo = [pool.submit(_run, number, until) for number in order]
                yield from (outcome for done in as_completed(todo) if (outcome := done.result()) is not None)
            finally:
                pool.shutdown(wait=True, cancel_futures=True)
    finally:
        _trial = None
