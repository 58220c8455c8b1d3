"""The figures about a text, by and by: first what a moment gives, then more. What ``gamedsl watch`` reports, of a text as it is written."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from gamedsl.lab.base import Clock, Verdict
from gamedsl.lab.coverage import InstrumentedGame, Line, gathered, run_plays
from gamedsl.lab.examples import Bench, ExampleResult, examples_in, run_example
from gamedsl.lab.simulate import Plan, Simulation, simulate
from gamedsl.lab.statistics import ratio
from gamedsl.lab.watch import COVERED, COVERED_PLIES, Snapshot, changes, judge_quickly
from gamedsl.language.rules import Parsed
from gamedsl.language.source import GameDSLError, Source, has_place
from gamedsl.studio.board_line import Board

Json: TypeAlias = dict[str, Any]
FIRST, SECOND, LAST = 0.3, 1.0, 3.0  # seconds of playouts: interpreted at once, then compiled
JUDGED = 6.0  # seconds for the claims
PLAYOUTS = 20_000
AT_ONCE = 256  # games in one of the batches from which the intervals of choices and decisions come
OPENING = 4  # plies of a game of which the end is not awaited, at first
COVERING = 1.0  # seconds of playouts for coverage, where they are slow
LOOK = 0.03  # seconds between two looks whether the figures are still wanted
MOST_SHOWN = 200  # examples


def figures(
    board: Board,
    path: str,
    parsed: Mapping[str, Parsed],
    examples: str | None,
    before: Snapshot | None,
    is_wanted: Callable[[], bool],
) -> Iterator[Json]:
    """The parts, as plain data; the last one has the ``snapshot`` itself. ``before``: the snapshot of the last save."""
    now = Snapshot((), board.game)
    with _Watch(is_wanted) as stop:
        first = _played(board, stop, FIRST, is_quick=True)
        now = replace(now, summary=first.summary)
        yield {"summary": _summary(first) or _summary(_begun(board, stop))}
        probed = InstrumentedGame(board.game.program)
        yield from _covered(probed, path, is_wanted)
        now = replace(now, unused=tuple(gathered([probed], "random", "", False).never))
        if is_wanted():
            second = _played(board, stop, SECOND)
            now = replace(now, summary=second.summary)
            yield {"summary": _summary(second)} | compare(before, now)
        if is_wanted() and examples is not None:
            try:
                results = _run(path, parsed, examples, is_wanted)
                now = replace(now, examples=tuple(r for r, _ in results))
                yield {"examples": [r.to_json() | more for r, more in results[:MOST_SHOWN]]}
            except GameDSLError as mistake:
                yield {"examples_fault": "; ".join(str(d.message) for d in mistake.diagnostics[:3])}
        if is_wanted():
            options = dict(board.game.program.options)
            verdicts = judge_quickly(path, options, JUDGED, parsed=parsed, clock=Clock(stopped=stop))
            if is_wanted():
                now = replace(now, verdicts=verdicts)
                yield {"verdicts": [_verdict(v, path) for v in verdicts]}
        if is_wanted():
            last = _played(board, stop, LAST)
            now = replace(now, summary=last.summary)
            if is_wanted():
                yield {"summary": _summary(last), "is_done": True, "snapshot": now} | compare(before, now)


def compare(before: Snapshot | None, now: Snapshot) -> Json:
    """What changed between two snapshots, as a part; without one before, an empty part."""
    return {} if before is None else {"changes": changes(before, now)}


class _Watch:
    """An event that is set once the figures are not wanted any more."""

    def __init__(self, is_wanted: Callable[[], bool]) -> None:
        self.is_wanted, self.stop, self.is_over = is_wanted, threading.Event(), threading.Event()

    def __enter__(self) -> threading.Event:
        threading.Thread(target=self._look, daemon=True).start()
        return self.stop

    def __exit__(self, *_: object) -> None:
        self.is_over.set()

    def _look(self) -> None:
        while not self.is_over.wait(LOOK):
            if not self.is_wanted():
                self.stop.set()
                return


def _played(
    board: Board, stop: threading.Event, seconds: float, *, is_quick: bool = False, plays: int = 0, most: int = 0
) -> Simulation:
    """As many playouts as fit into a time, at most ``plays`` (0: ``PLAYOUTS``) of at most ``most`` plies (0: any)."""
    ended, began = threading.Event(), time.monotonic()

    def look() -> None:
        while not ended.is_set() and not stop.is_set() and time.monotonic() < began + seconds:
            ended.wait(LOOK)
        ended.set()

    threading.Thread(target=look, daemon=True).start()
    try:
        backend: Any = "interpreter" if is_quick else "native"
        plan = Plan.of(board.game, seed=0)
        plan = replace(plan, most=most) if most else plan
        at_once = 1 if is_quick else AT_ONCE
        return simulate(plan, plays or PLAYOUTS, stop=ended, backend=backend, at_once=at_once)
    finally:
        ended.set()


def _begun(board: Board, stop: threading.Event) -> Simulation | None:
    """The beginning of one game, where none ended in the time of the first figures: as far as it comes in that time."""
    found, until, most = None, time.monotonic() + FIRST, OPENING
    while (left := until - time.monotonic()) > 0:
        run = _played(board, stop, left, is_quick=True, plays=1, most=most)
        if not run.tally.plays:
            break
        found, most = run, 4 * most
        if not run.tally.unfinished:
            break
    return found


def _summary(run: Simulation | None) -> Json | None:
    if run is None or not run.tally.plays:
        return None
    summary = run.summary
    data = summary.to_json()
    kept = ("plays", "unfinished", "seats", "lengths", "branching", "kinds", "never_used")
    choices = ratio([(one.choices, one.counted) for one in run.batches])
    decisions = ratio([(one.decisions, one.plays) for one in run.batches])
    means = {"choices": choices and choices.to_json(), "decisions": decisions and decisions.to_json()}
    return {name: data[name] for name in kept} | means | {"is_begun": summary.plays == summary.unfinished == 1}


# ---------------------------------------------------------------------------------------------------------- coverage


def _covered(probed: InstrumentedGame, path: str, is_wanted: Callable[[], bool]) -> Iterator[Json]:
    """The use of the lines of a file in a few playouts."""
    until = time.monotonic() + COVERING
    played, _ = run_plays(probed, COVERED, 0, COVERED_PLIES, lambda: is_wanted() and time.monotonic() < until)
    if is_wanted():
        found = gathered([probed], "random", "", False)
        lines = next((lines for file, lines in found.files if Path(file).name == Path(path).name), ())
        yield {"coverage": {"games": max(1, played), "lines": [_line(line) for line in lines if line.mark != "none"]}}


def _line(line: Line) -> Json:
    return {
        "number": line.number,
        "mark": line.mark,
        "times": line.times,
        "other": line.other,
        "first": line.first,
        "kind": line.kind,
    }


# ---------------------------------------------------------------------------------------------------------- judgments


def _run(
    path: str, parsed: Mapping[str, Parsed], text: str, is_wanted: Callable[[], bool]
) -> list[tuple[ExampleResult, Json]]:
    bench = Bench(Path(path), parsed)
    found = []
    for example in examples_in(Source(path.removesuffix(".gdl") + ".examples.yaml", text)):
        if not is_wanted():
            break
        result = run_example(bench, example, {})
        moves = [[None, move] for move in example.moves]
        can_show = example.position is None and example.seed is None and not example.values
        line = {"line": result.span.line, "moves": moves, "options": [[k, str(v)] for k, v in example.options.items()]}
        found.append((result, line | {"can_show": can_show}))
    return found


def _verdict(verdict: Verdict, path: str) -> Json:
    """A verdict, with the game that violates or shows the claim as plies, and its line in the text."""
    evidence = verdict.evidence or verdict.witness
    moves = [] if evidence is None else [*evidence.moves, *([evidence.failing] if evidence.failing else [])]
    plies = None if evidence is None else [[m.player, m.text] for m in moves]
    place = verdict.place
    line = place.line if has_place(place) and Path(place.source.path).name == Path(path).name else None
    return {
        "claim": verdict.claim, "status": str(verdict.status), "detail": verdict.detail, "default": verdict.default,
        "plies": plies, "line": line,
    }  # fmt: skip
