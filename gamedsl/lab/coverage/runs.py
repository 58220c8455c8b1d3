"""Measures coverage by examples, playouts, or all positions."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

from gamedsl.engine import Game, State
from gamedsl.lab.base import successors
from gamedsl.lab.coverage.counts import Coverage, How, gathered
from gamedsl.lab.coverage.instrument import InstrumentedGame
from gamedsl.lab.examples import Bench, ExampleResult, OptionValue, both_files, read_examples, run_example
from gamedsl.language.rules import Lowered, load_lowered, load_program

LONGEST = 10_000  # plies per playout


def coverage(
    file: str,
    how: How = "random",
    options: Mapping[str, OptionValue] | None = None,
    *,
    plays: int = 100,
    seed: int = 0,
    limit: int = 20_000,
) -> Coverage:
    """Measures coverage by the examples beside a ruleset, by playouts, or by all positions (up to ``limit``).

    Raises ``GameDSLError`` if the ruleset is wrong or its rules fail, ``UsageError`` if a file is missing.
    """
    options = options or {}
    if how == "examples":
        return of_examples(file, options)
    probed = InstrumentedGame(load_program(file, options))
    if how == "random":
        _, plies = run_plays(probed, plays, seed)
        extent = f"{_many(plays, 'random game')} (seed {seed}), {_many(plies, 'ply', 'plies')}"
        return gathered([probed], how, extent, False)
    positions, whole = run_positions(probed, limit)
    more = "all that are reachable" if whole else "there are more"
    return gathered([probed], how, f"{_many(positions, 'position')}, {more}", whole)


def run_plays(
    probed: InstrumentedGame,
    plays: int,
    seed: int,
    most: int | None = None,
    goes_on: Callable[[], bool] = lambda: True,
) -> tuple[int, int]:
    """Runs playouts and returns how many there were and their total number of plies.

    A playout is cut off after ``LONGEST`` plies, or when ``goes_on`` says no; no playout begins once there are ``most``
    plies in all.
    """
    plies = 0
    for number in range(plays):
        if not goes_on() or (most is not None and plies >= most):
            return number, plies
        rng = Random(f"{seed}/{number}")
        probed.counts.now, probed.counts.position = 0, None
        state = probed.game.initial_state()
        while not state.is_terminal and probed.counts.now < LONGEST and goes_on():
            probed.counts.now += 1
            probed.counts.position = state
            state = state.apply(state.propose(rng))
        plies += probed.counts.now
    return plays, plies


def run_positions(probed: InstrumentedGame, limit: int) -> tuple[int, bool]:
    """Visits positions breadth first, up to a limit. Returns how many were found, and whether these are all.

    Positions in which players draw are not expanded.
    """
    probed.counts.now = 0
    start = probed.game.initial_state()
    depth: dict[State, int] = {start: 0}
    todo = deque([start])
    whole = True
    while todo and len(depth) <= limit:
        state = todo.popleft()
        if state.kind == "drawing":
            whole = False
            continue
        probed.counts.now, probed.counts.position = depth[state] + 1, state
        for successor in successors(state):
            if successor.error is not None:
                raise successor.error
            assert successor.after is not None
            if successor.after not in depth:
                depth[successor.after] = depth[state] + 1
                todo.append(successor.after)
    return len(depth), whole and not todo


class _CountingBench(Bench):
    """Loads a ruleset with probes, once per choice of options."""

    def __init__(self, ruleset: Path) -> None:
        super().__init__(ruleset)
        self.probed: list[InstrumentedGame] = []
        self.number = 0
        self._known: dict[tuple[tuple[str, OptionValue], ...], tuple[Lowered, InstrumentedGame]] = {}

    def game(self, options: Mapping[str, OptionValue]) -> tuple[Lowered, Game]:
        key = tuple(sorted(options.items()))
        if key not in self._known:
            rules = load_lowered(self.ruleset, options)
            self._known[key] = rules, InstrumentedGame(rules.program)
            self.probed.append(self._known[key][1])
        rules, probed = self._known[key]
        probed.counts.now = self.number
        return rules, probed.game


def of_examples(file: str, options: Mapping[str, OptionValue]) -> Coverage:
    """Measures coverage by the examples of a ruleset, whether they pass or not."""
    ruleset, path = both_files(file)
    bench = _CountingBench(ruleset)
    bench.game(options)
    results: list[ExampleResult] = []
    for number, example in enumerate(read_examples(path), 1):
        bench.number = number
        results.append(run_example(bench, example, options))
    failed = sum(not r.passed for r in results)
    extent = _many(len(results), "example") + (f", {failed} of which fail" if failed else "")
    return gathered(bench.probed, "examples", extent, False)


def _many(n: int, one: str, more: str = "") -> str:
    return f"{n:,} {one if n == 1 else more or one + 's'}"
