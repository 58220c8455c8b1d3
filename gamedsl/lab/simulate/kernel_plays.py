"""Playouts of compiled rules by a kernel, which makes the same playouts as the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gamedsl.compiler import MASK
from gamedsl.lab.base import Ints
from gamedsl.lab.simulate import kernel
from gamedsl.lab.simulate.compiled_plays import counted_rows
from gamedsl.lab.simulate.kernel import Counts
from gamedsl.lab.simulate.reference_plays import Plan, play_one
from gamedsl.lab.simulate.tally import PROFILE, Tally, Widths
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from gamedsl.compiler import Native

PLAY_ENTRIES = kernel.ENTRIES  # the entry points of ``Native`` that are needed
MOST_AT_ONCE = 1 << 16  # playouts per call


class NativePlays:
    """The playouts of a plan, as the engine makes them one by one; all seats are random and nobody draws."""

    def __init__(self, plan: Plan, native: Native) -> None:
        self.plan = plan
        self.native = native
        drawn = native.address(kernel.DRAW) if plan.every > 1 else 0
        self.entries = np.array([*(native.address(name) for name in PLAY_ENTRIES), drawn], np.int64)

    def run(self, first: int, plays: int, stopped: Callable[[], bool]) -> Tally:
        """Runs playouts ``first`` to ``first + plays - 1``; fewer if stopped. Raises the engine's ``RulesError``."""
        tally = Tally()
        while tally.plays < plays and not stopped():
            tally.add(self._some(first + tally.plays, min(MOST_AT_ONCE, plays - tally.plays)))
        return tally

    def _some(self, first: int, plays: int) -> Tally:
        """Runs at least one playout and at most this many.

        A playout that fails in compiled rules is made by the engine, which reports the error, or completes it if
        only the memory for noted positions was too small.
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
        """Runs this many playouts and returns their counts, individually and in total.

        Nothing is counted after a failed playout.
        """
        players = self.native.num_players
        counts = _no_counts(self.native.program, players, plays)
        context = self.native.context()
        start = np.frombuffer(bytearray(self.native.pack(self.plan.start, context)), np.int64)
        kernel.run(
            kernel.Rules(self.entries, context.pointer, context.used_field),
            kernel.Plays(
                start, np.uint64(self.plan.seed & MASK), first, self.plan.most, self.plan.has_decisions, self.plan.every
            ),
            kernel.Scratch(np.zeros_like(start), np.zeros(self.native.move_size, np.int64), np.zeros(players)),
            counts,
        )
        return counts


def _no_counts(program: n.Program, players: int, plays: int) -> Counts:
    """Returns counts of zero."""
    most = max((len(b.end.names) for b in program.blocks if isinstance(b.end, n.Chance)), default=1)

    def zeros(*shape: int) -> Ints:
        return np.zeros(shape, np.int64)

    per_play = zeros(plays), zeros(plays), zeros(plays, players), zeros(plays, 2), np.zeros(plays)
    kinds = zeros(max(1, len(program.schemas))), zeros(len(program.blocks), 2), zeros(len(program.blocks), most)
    return Counts(*per_play, *kinds, zeros(PROFILE, 2), zeros(4))


def _tally(counts: Counts) -> Tally:
    done = counts.status == kernel.FINISHED
    unfinished = int(np.count_nonzero(~done))
    tally = Tally(plays=len(done), unfinished=unfinished, widths=_widths(counts))
    for utilities, count in counted_rows(counts.results[done]).items():
        tally.note_results(utilities, count)
    tally.lengths.update({plies: size for (plies,), size in counted_rows(counts.plies[done][:, None]).items()})
    for (schema,), count in _positive(counts.schemas):
        tally.kinds["move", schema] += count
    for (block, what), count in _positive(counts.others):
        tally.kinds[("pass", "choose")[what], block] += count
    for (block, number), count in _positive(counts.outcomes):
        tally.outcomes[block, number] += count
    return tally


def _widths(counts: Counts) -> Widths:
    decisions, choices = counts.profile.T.tolist()
    at = Counter({ply: number for ply, number in enumerate(decisions) if number})
    sums = Counter({ply: number for ply, number in enumerate(choices) if number})
    number, choices_in_all, widest, forced = counts.totals.tolist()
    return Widths(number, choices_in_all, widest, forced, at, sums)


def _positive(counts: Any) -> list[tuple[tuple[int, ...], int]]:
    """Returns the indices and values of the nonzero elements."""
    return [(tuple(int(i) for i in at), int(counts[tuple(at)])) for at in np.argwhere(counts)]
