"""Simulates and counts many games in threads.

The numbers depend on the seed and the backend, not on threads.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from math import inf
from typing import Literal, Protocol, TypeAlias

from gamedsl.engine import Game
from gamedsl.lab.base import baseline_seconds, playing_seconds, set_after
from gamedsl.lab.simulate.reference_plays import Plan, play_one
from gamedsl.lab.simulate.summary import Summary, summarize
from gamedsl.lab.simulate.tally import Tally
from gamedsl.language.core import greatest_utility
from gamedsl.language.core import nodes as n
from gamedsl.language.source import UsageError, lazy_dataclass

Backend: TypeAlias = Literal["native", "interpreter"]

TURN = 0.1  # seconds for which a thread plays before it reports
MOST_TURN = 1 << 22  # maximum number of games in that time


@lazy_dataclass(frozen=True)
class DecisionCounts:
    """The decisions of some games; ``counted`` of them were looked at, and had ``choices`` moves in all (drawings have none)."""

    plays: int
    decisions: int
    counted: int
    choices: int

    @classmethod
    def of(cls, tally: Tally) -> DecisionCounts:
        return cls(tally.plays, tally.decisions, tally.widths.decisions, tally.widths.choices)


@lazy_dataclass(frozen=True)
class Simulation:
    """The counts of games 0 to ``tally.plays - 1``: all that were requested, or the first of them after an
    interruption.

    ``asked``: the number requested. ``reason``: why the interpreter was used although it was not requested (else
    empty). ``seconds``: elapsed time; ``cpu_seconds``: the processor time of the playing threads, without
    compiling in the background.
    """

    plan: Plan
    asked: int
    tally: Tally
    backend: Backend
    reason: str
    threads: int
    seconds: float
    cpu_seconds: float
    batches: tuple[DecisionCounts, ...] = ()  # of games that were played in a row

    @property
    def plays_per_second(self) -> float:
        """Games per second of processor time."""
        return self.tally.plays / max(self.cpu_seconds, 1e-9)

    @property
    def interrupted(self) -> bool:
        return self.tally.plays < self.asked

    @property
    def summary(self) -> Summary:
        return summarize(self.tally, self.plan.game.program)


class Source(Protocol):
    """Makes games and counts them.

    When ``stopped`` returns True, ``run`` may return fewer: then a prefix of the range. ``prepare`` announces how
    many games will be wanted.
    """

    def prepare(self, plays: float) -> None: ...

    def run(self, first: int, plays: int, stopped: Callable[[], bool]) -> Tally: ...


@lazy_dataclass(frozen=True)
class EnginePlays:
    """Games on the engine: any seats, any rules."""

    plan: Plan

    def prepare(self, plays: float) -> None:
        pass

    def run(self, first: int, plays: int, stopped: Callable[[], bool]) -> Tally:
        """Runs games ``first`` to ``first + plays - 1``; fewer if stopped. Raises ``RulesError`` if the rules fail in
        one.
        """
        tally = Tally()
        for play in range(first, first + plays):
            if not play_one(self.plan, play, tally, stopped):
                break
        return tally


def simulate(
    plan: Plan,
    plays: int,
    *,
    threads: int = 1,
    backend: Backend = "native",
    quick: bool = False,
    stop: threading.Event | None = None,
    progress: Callable[[int], None] = lambda done: None,
    at_once: int = MOST_TURN,
) -> Simulation:
    """Simulates the first ``plays`` games of a plan and counts their results.

    Compiled rules and the interpreter make different games, with the same probabilities. ``quick``: counts results
    and lengths only, of the same compiled games; raises ``UsageError`` if that is impossible. Setting ``stop`` ends
    the run early with the results so far; ``progress`` receives the number of games now and then. ``at_once``: the most
    games in one of ``Simulation.batches``.

    Raises ``RulesError`` for the first game in which the rules fail, with the moves that lead there (unless quick).
    """
    source, used, reason = source_of(plan, backend, quick)
    if used == "interpreter" and plan.is_random:
        threads = 1  # the interpreter lock admits one thread at a time
    began = time.perf_counter()
    source.prepare(plays)
    run = _Run(source, plays, threads, stop or threading.Event(), at_once)
    tally = run.collect(progress)
    return Simulation(
        plan, plays, tally, used, reason, threads, time.perf_counter() - began, run.cpu_seconds, tuple(run.batches)
    )


def simulate_within(game: Game, plays: int, seed: int, seconds: float | None) -> Simulation:
    """Makes playouts: as many as fit into ``seconds`` of elapsed time (None: any), and at most ``plays``."""
    stop = threading.Event()
    with set_after(stop, seconds):
        return simulate(Plan.of(game, seed=seed), plays, stop=stop)


def source_of(plan: Plan, backend: Backend, quick: bool) -> tuple[Source, Backend, str]:
    """Returns the source of games, its backend, and the reason if not compiled. See ``simulate``."""
    return _quick(plan, backend) if quick else _source(plan, backend)


def _source(plan: Plan, backend: Backend, baseline: bool = False) -> tuple[Source, Backend, str]:
    """Returns the source of games, its backend, and the reason if not compiled. ``baseline``: see ``FullPlays``."""
    if backend == "interpreter":
        return EnginePlays(plan), "interpreter", ""
    if reason := _why_interpreted(plan):
        return EnginePlays(plan), "interpreter", reason
    try:
        # imported here for a quick start: the compiler only if it is needed
        from gamedsl.compiler import NativeError
        from gamedsl.lab.simulate.compiled_plays import FullPlays
    except ImportError as missing:
        return EnginePlays(plan), "interpreter", f"the compiler cannot be used here ({missing})"
    try:
        return FullPlays(plan, baseline), "native", ""
    except NativeError as problem:
        return EnginePlays(plan), "interpreter", f"the rules cannot be compiled ({problem})"


def _why_interpreted(plan: Plan) -> str:
    """Returns why compiled rules cannot make these games; empty if they can."""
    if not plan.is_random:
        return "not all seats play at random"
    if any(isinstance(b.end, n.DecideDrawing) for b in plan.game.program.blocks):
        return "players draw in this game"
    return ""


def _quick(plan: Plan, backend: Backend) -> tuple[Source, Backend, str]:
    """Returns the compiled playout. Raises ``UsageError`` if there is none.

    It counts utilities of 1 as wins and of -1 as losses, so games with points do not fit.
    """
    reason = "the interpreter was requested" if backend == "interpreter" else _why_interpreted(plan)
    if greatest_utility(plan.game.program) > 1:
        reason = "the rules give points"
    if not reason:
        try:
            # imported here for a quick start: the compiler only if it is needed
            from gamedsl.compiler import NativeError
            from gamedsl.lab.simulate.compiled_plays import QuickPlays
        except ImportError as missing:
            raise _no_quick_plays(f"the compiler cannot be used here ({missing})") from missing
        try:
            return QuickPlays(plan), "native", ""
        except NativeError as problem:
            reason = f"the rules cannot be compiled ({problem})"
    raise _no_quick_plays(reason)


def _no_quick_plays(reason: str) -> UsageError:
    return UsageError(f"there are no quick playouts here: {reason}")


def quickest(plan: Plan, seconds: float = inf) -> Source:
    """Returns the source that makes the first playouts soonest.

    That is baseline code, or the engine if even that takes more than half of ``seconds`` to compile.
    """
    if seconds < 2 * baseline_seconds(plan.game.program):
        return EnginePlays(plan)
    return _source(plan, "native", baseline=True)[0]


def fastest(plan: Plan, seconds: float = inf) -> Source:
    """Returns the fastest source of playouts: the compiled playout if it suits the game, else compiled rules, else the
    engine.

    Rules that would take more than half of ``seconds`` to compile are compiled to baseline code, or not at all if
    even that takes too long.
    """
    program = plan.game.program
    if seconds < 2 * baseline_seconds(program):
        return EnginePlays(plan)
    if seconds < 2 * playing_seconds(program):
        return _source(plan, "native", baseline=True)[0]
    try:
        source = _quick(plan, "native")[0]
    except UsageError:
        source = _source(plan, "native")[0]
    source.prepare(inf)
    return source


@lazy_dataclass(frozen=True)
class _Batch:
    """The games that a thread has played, and how long it took, in elapsed and processor seconds."""

    tally: Tally
    seconds: float
    cpu_seconds: float


class _Run:
    """Splits games into batches of about ``TURN`` seconds, hands them to threads and counts them in order."""

    def __init__(self, source: Source, plays: int, threads: int, stop: threading.Event, most: int) -> None:
        self.source = source
        self.plays = plays
        self.threads = threads
        self.stop = stop
        self.over = threading.Event()
        self.given = 0  # games handed to threads
        self.turn, self.most = 1, most
        self.batches: list[DecisionCounts] = []
        self.open: deque[tuple[int, Future[_Batch]]] = deque()
        self.tally = Tally()
        self.cpu_seconds = 0.0

    def collect(self, progress: Callable[[int], None]) -> Tally:
        """Counts all games; after a stop, those before the first missing one."""
        with ThreadPoolExecutor(self.threads) as pool:
            try:
                while self._hand_out(pool) and self._take():
                    progress(self.tally.plays)
            finally:
                self.over.set()
                for _, future in self.open:
                    future.cancel()
        return self.tally

    def _hand_out(self, pool: ThreadPoolExecutor) -> bool:
        """Keeps two batches per thread queued. Returns False when nothing is left to do."""
        while self.given < self.plays and len(self.open) < 2 * self.threads:
            plays = min(self.turn, self.plays - self.given)
            self.open.append((plays, pool.submit(self._timed, self.given, plays)))
            self.given += plays
        return bool(self.open)

    def _timed(self, first: int, plays: int) -> _Batch:
        began, worked = time.perf_counter(), time.thread_time()
        tally = self.source.run(first, plays, self._stopped)
        return _Batch(tally, time.perf_counter() - began, time.thread_time() - worked)

    def _stopped(self) -> bool:
        return self.stop.is_set() or self.over.is_set()

    def _take(self) -> bool:
        """Counts the next batch. Returns False if it was stopped short: counting later batches would leave a gap."""
        plays, future = self.open.popleft()
        batch = future.result()
        self.tally.add(batch.tally)
        self.batches.append(DecisionCounts.of(batch.tally))
        self.cpu_seconds += batch.cpu_seconds
        if batch.seconds < TURN and plays == self.turn:
            self.turn = min(2 * self.turn, self.most)
        return batch.tally.plays == plays
