"""Counts random plays on compiled rules: all in compiled code, results only, or play by play as the engine does."""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from gamedsl.check.base import Ints
from gamedsl.check.simulate import kernel
from gamedsl.check.simulate.kernel import Counts
from gamedsl.check.simulate.recorded_plays import follow
from gamedsl.check.simulate.reference_plays import Plan, play_one
from gamedsl.check.simulate.tally import PROFILE, Tally, Widths
from gamedsl.core.nodes import Chance
from gamedsl.native import CTX_USED, LONG_ARENA, MASK, CountedPlays

if TYPE_CHECKING:
    from gamedsl.native import Counts as NativeCounts
    from gamedsl.native import Native
    from gamedsl.native import Tally as NativeTally

MOST_AT_ONCE = 1 << 16  # plays per call
MOST_CELLS = 1 << 16  # in a table of all possible results


class NativePlays:
    """The plays that the engine makes of the plan, one by one; only chance chooses and nobody draws."""

    def __init__(self, plan: Plan, native: Native) -> None:
        self.plan = plan
        self.native = native
        self.entries = np.array([native.address(name) for name in kernel.ENTRIES], np.int64)

    def run(self, first: int, plays: int, stopped: Callable[[], bool]) -> Tally:
        """Runs plays ``first`` to ``first + plays - 1``; fewer if stopped. Raises the engine's ``RulesError``."""
        tally = Tally()
        while tally.plays < plays and not stopped():
            tally.add(self._some(first + tally.plays, min(MOST_AT_ONCE, plays - tally.plays)))
        return tally

    def _some(self, first: int, plays: int) -> Tally:
        """Runs at least one play and at most this many. A play that fails in compiled rules goes to the engine,
        which reports the error; if only the memory for noted positions was too small, the engine plays it.
        """
        counts = self.counted(first, plays)
        fails = np.flatnonzero(counts.status == kernel.FAILED)
        if not fails.size:
            return _tally(counts)
        if fails[0]:
            return _tally(self.counted(first, int(fails[0])))
        tally = Tally()
        play_one(self.plan, first, tally)
        return tally

    def counted(self, first: int, plays: int) -> Counts:
        """Runs this many plays and returns their counts, one by one and in total. Nothing is counted after a failed
        play.
        """
        players = self.native.num_players
        counts = _no_counts(self.plan, players, plays)
        context = self.native.context()
        start = np.frombuffer(bytearray(self.native.pack(self.plan.start, context)), np.int64)
        fields = np.ctypeslib.as_array((ctypes.c_int64 * (CTX_USED + 1)).from_address(context.pointer))
        kernel.run(
            kernel.Rules(self.entries, context.pointer, fields[CTX_USED:]),
            kernel.Plays(start, np.uint64(self.plan.seed & MASK), first, self.plan.most, self.plan.has_decisions),
            kernel.Scratch(np.zeros_like(start), np.zeros(self.native.move_size, np.int64), np.zeros(players)),
            counts,
        )
        return counts


class FullPlays:
    """Random plays counted inside compiled code. Their random numbers are those of ``QuickPlays``."""

    def __init__(self, plan: Plan) -> None:
        """Raises ``NativeError`` if the rules can't be compiled."""
        self.plan = plan
        self.plays = CountedPlays(plan.game.program, plan.start, plan.seed, plan.most)

    def run(self, first: int, plays: int, stopped: Callable[[], bool]) -> Tally:
        """Runs plays ``first`` to ``first + plays - 1``; fewer if stopped. Raises the engine's ``RulesError``."""
        tally = Tally()
        while tally.plays < plays and not stopped():
            tally.add(self._some(first + tally.plays, plays - tally.plays))
        return tally

    def _some(self, first: int, plays: int) -> Tally:
        """Runs at least one play and at most this many. Where the rules fail, or a length can't be told, it is found in
        which play."""
        counts = self.plays.count(first, plays)
        if counts is not None and counts.lengths is not None:
            return _counted(counts)
        return self._some(first, plays // 2) if plays > 1 else self._failing(first)

    def _failing(self, number: int) -> Tally:
        """A play that fails in compiled rules: the engine reports the error. If only the memory for noted positions was
        too small, there is more for this play; at last the engine makes another in its place."""
        counts = self.plays.count(number, 1, LONG_ARENA)
        if counts is not None:
            return _counted(counts)
        follow(self.plan, number, self.plays.record(number))
        tally = Tally()
        play_one(self.plan, number, tally)
        return tally


def _counted(counts: NativeCounts) -> Tally:
    """A tally of these counts."""
    found = counts.branching
    at, sums = (Counter({ply: row[i] for ply, row in found.by_ply.items()}) for i in range(2))
    widths = Widths(found.decisions, found.choices, found.widest, found.forced, at, sums)
    tally = Tally(counts.plays, counts.unfinished, widths=widths)
    for (player, sign), n in counts.results.items():
        tally.results[player, sign, sign] = n
    if counts.utilities is not None:
        for utilities, n in _counted_rows(counts.utilities).items():
            tally.note_results(utilities, n)
    tally.lengths.update(counts.lengths or {})
    for (what, number, outcome), n in counts.keys.items():
        if what == "chance":
            tally.outcomes[number, outcome] = n
        else:
            tally.kinds[what, number] = n
    return tally


class QuickPlays:
    """Results and lengths only, of the same plays as ``FullPlays``."""

    def __init__(self, plan: Plan, native: Native) -> None:
        self.plan = plan
        self.native = native
        self.has_chance = any(isinstance(b.end, Chance) for b in plan.game.program.blocks)

    def run(self, first: int, plays: int, stopped: Callable[[], bool]) -> Tally:
        """Runs plays ``first`` to ``first + plays - 1``; none if stopped before."""
        if stopped():
            return Tally()
        plan, seed = self.plan, self.plan.seed & MASK
        return self._read(self.native.playouts(plays, seed, first, start=plan.start, plies=plan.most))

    def _read(self, found: NativeTally) -> Tally:
        """Counts a utility of 1 as a win and of -1 as a loss; see ``rules.flow.endings.payoffs``."""
        tally = Tally(plays=found.plays, unfinished=found.unfinished)
        for player in range(self.native.num_players):
            for how, counts in ((1, found.wins), (0, found.draws), (-1, found.losses)):
                if counts[player]:
                    tally.results[player, how, how] = counts[player]
        if not self.has_chance and not found.lengths[-1]:  # the last bin also counts longer plays
            tally.lengths.update({plies: n for plies, n in enumerate(found.lengths) if n})
        return tally


def _no_counts(plan: Plan, players: int, plays: int) -> Counts:
    """Returns counts of zero."""
    program = plan.game.program
    most = max((len(b.end.names) for b in program.blocks if isinstance(b.end, Chance)), default=1)

    def zeros(*shape: int) -> Ints:
        return np.zeros(shape, np.int64)

    per_play = zeros(plays), zeros(plays), zeros(plays, players)
    kinds = zeros(max(1, len(program.schemas))), zeros(len(program.blocks), 2), zeros(len(program.blocks), most)
    return Counts(*per_play, *kinds, zeros(PROFILE, 2), zeros(4))


def _tally(counts: Counts) -> Tally:
    done = counts.status == kernel.FINISHED
    unfinished = int(np.count_nonzero(~done))
    tally = Tally(plays=len(done), unfinished=unfinished, widths=_widths(counts))
    for utilities, count in _counted_rows(counts.results[done]).items():
        tally.note_results(utilities, count)
    tally.lengths.update({plies: n for (plies,), n in _counted_rows(counts.plies[done][:, None]).items()})
    for (schema,), count in _positive(counts.schemas):
        tally.kinds["move", schema] += count
    for (block, what), count in _positive(counts.others):
        tally.kinds[("pass", "choose")[what], block] += count
    for (block, number), count in _positive(counts.outcomes):
        tally.outcomes[block, number] += count
    return tally


def _widths(counts: Counts) -> Widths:
    decisions, choices = counts.profile.T.tolist()
    at = Counter({ply: n for ply, n in enumerate(decisions) if n})
    sums = Counter({ply: n for ply, n in enumerate(choices) if n})
    n, choices_in_all, widest, forced = counts.totals.tolist()
    return Widths(n, choices_in_all, widest, forced, at, sums)


def _counted_rows(rows: Any) -> dict[tuple[int, ...], int]:
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


def _positive(counts: Any) -> list[tuple[tuple[int, ...], int]]:
    """Returns the indices of positive elements, with their values."""
    return [(tuple(int(i) for i in at), int(counts[tuple(at)])) for at in np.argwhere(counts)]
