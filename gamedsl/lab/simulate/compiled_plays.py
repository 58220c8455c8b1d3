"""Counts playouts on compiled rules: either all counts, or results only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import inf, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from gamedsl.compiler import BASELINE_PLAYS, LONG_ARENA, MASK, QUICK, CountedPlays, compile_program
from gamedsl.lab.simulate.recorded_plays import follow
from gamedsl.lab.simulate.reference_plays import Plan, play_one
from gamedsl.lab.simulate.tally import Tally, Widths
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from gamedsl.compiler import Counts as NativeCounts
    from gamedsl.compiler import Tally as NativeTally

LOOK = 0.1  # seconds between two checks whether to stop, while code is compiled
MOST_CELLS = 1 << 16  # in a table of all possible results


class FullPlays:
    """Playouts counted inside compiled code. Their random numbers are those of ``QuickPlays``."""

    def __init__(self, plan: Plan, baseline: bool = False) -> None:
        """``baseline``: all playouts are made by baseline code. Raises ``NativeError`` if the rules cannot be
        compiled.
        """
        self.plan = plan
        first = inf if baseline else BASELINE_PLAYS
        self.plays = CountedPlays(plan.game.program, plan.start, plan.seed, plan.most, first)

    def prepare(self, plays: float) -> None:
        if plays > self.plays.baseline:
            self.plays.prepare()

    def run(self, first: int, plays: int, stopped: Callable[[], bool]) -> Tally:
        """Runs playouts ``first`` to ``first + plays - 1``; fewer if stopped. Raises the engine's ``RulesError``."""
        tally = Tally()
        while tally.plays < plays and not stopped():
            if self.plays.wait(first + tally.plays, LOOK):
                tally.add(self._some(first + tally.plays, plays - tally.plays))
        return tally

    def _some(self, first: int, plays: int) -> Tally:
        """Runs at least one playout and at most this many.

        If the rules fail, or a length cannot be determined, halves the number until the playout is found.
        """
        plays = self.plays.at_once(first, plays)
        counts = self.plays.count(first, plays)
        if counts is not None and counts.lengths is not None:
            return _counted(counts)
        return self._some(first, plays // 2) if plays > 1 else self._failing(first)

    def _failing(self, number: int) -> Tally:
        """Counts a playout that fails in compiled rules: the engine reports the error.

        If only the memory for noted positions was too small, it is repeated with more memory; as a last resort the
        engine makes another playout in its place.
        """
        counts = self.plays.count(number, 1, LONG_ARENA)
        if counts is not None:
            return _counted(counts)
        follow(self.plan, number, self.plays.record(number))
        tally = Tally()
        play_one(self.plan, number, tally)
        return tally


def _counted(counts: NativeCounts) -> Tally:
    """Converts counts to a tally."""
    found = counts.branching
    at, sums = (Counter({ply: row[i] for ply, row in found.by_ply.items()}) for i in range(2))
    widths = Widths(found.decisions, found.choices, found.widest, found.forced, at, sums)
    tally = Tally(counts.plays, counts.unfinished, widths=widths)
    for (player, sign), count in counts.results.items():
        tally.results[player, sign, sign] = count
    if counts.utilities is not None:
        for utilities, count in counted_rows(counts.utilities).items():
            tally.note_results(utilities, count)
    tally.lengths.update(counts.lengths or {})
    for (what, number, outcome), count in counts.keys.items():
        if what == "chance":
            tally.outcomes[number, outcome] = count
        else:
            tally.kinds[what, number] = count
    return tally


class QuickPlays:
    """Counts results and lengths only, of the same playouts as ``FullPlays``."""

    def __init__(self, plan: Plan) -> None:
        """Raises ``NativeError`` if the rules cannot be compiled."""
        self.plan = plan
        self.first = FullPlays(plan)
        self._native = compile_program(plan.game.program)
        self.has_chance = any(isinstance(b.end, n.Chance) for b in plan.game.program.blocks)

    def prepare(self, plays: float) -> None:
        if plays > BASELINE_PLAYS:
            self._native.start(QUICK)

    def run(self, first: int, plays: int, stopped: Callable[[], bool]) -> Tally:
        """Runs playouts ``first`` to ``first + plays - 1``; fewer if stopped. Raises ``RulesError``."""
        baseline = min(plays, max(0, BASELINE_PLAYS - first))
        tally = self._results(self.first.run(first, baseline, stopped))
        while tally.plays == baseline < plays and not stopped():
            if self._native.wait(QUICK, LOOK):
                tally.add(self._others(first + baseline, plays - baseline))
        return tally

    def _others(self, first: int, plays: int) -> Tally:
        plan = self.plan
        return self._read(self._native.playouts(plays, plan.seed & MASK, first, start=plan.start, plies=plan.most))

    def _results(self, found: Tally) -> Tally:
        """Returns a tally without the counts that quick playouts do not have."""
        lengths = Counter() if self.has_chance else found.lengths
        return Tally(found.plays, found.unfinished, found.results, lengths)

    def _read(self, found: NativeTally) -> Tally:
        """Counts a utility of 1 as a win and of -1 as a loss; see ``language.rules.flow.endings.payoffs``."""
        tally = Tally(plays=found.plays, unfinished=found.unfinished)
        for player in range(self.plan.game.num_players):
            for how, counts in ((1, found.wins), (0, found.draws), (-1, found.losses)):
                if counts[player]:
                    tally.results[player, how, how] = counts[player]
        if not self.has_chance and not found.lengths[-1]:  # the last bin also counts longer playouts
            tally.lengths.update({plies: number for plies, number in enumerate(found.lengths) if number})
        return tally


def counted_rows(rows: Any) -> dict[tuple[int, ...], int]:
    """Counts each distinct row of an array of shape (n, width)."""
    if not len(rows):
        return {}
    low = rows.min(axis=0)
    spans = [int(span) + 1 for span in rows.max(axis=0) - low]
    if prod(spans) > MOST_CELLS:
        found, counts = np.unique(rows, axis=0, return_counts=True)
    else:
        cells = np.bincount(np.ravel_multi_index(tuple((rows - low).T), spans))
        used = np.flatnonzero(cells)
        found, counts = np.stack(np.unravel_index(used, spans), axis=1) + low, cells[used]
    return {tuple(row): count for row, count in zip(found.tolist(), counts.tolist(), strict=True)}
