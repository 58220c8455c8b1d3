"""Checks a checkpoint against the rules: that every state is representable, and that the edges are right.

The first check covers every state before compiled code sees any. The second costs as much as exploring, so large
files are checked at the first states, the last states and an unpredictable sample.
"""

from __future__ import annotations

from random import Random, SystemRandom

import numpy as np

from gamedsl.compiler import BLOCK, CHOICE, Field, Frame, Rows
from gamedsl.lab.base import Ints, Numbers
from gamedsl.lab.explore.checkpoint import Checkpoint
from gamedsl.lab.explore.kernels.hash_table import look_up
from gamedsl.lab.explore.native_store import NativeStore
from gamedsl.lab.explore.state_graph import NO_ACTION
from gamedsl.lab.explore.state_table import numbered
from gamedsl.lab.explore.workspace import Work
from gamedsl.lab.symmetry import SymmetrySteps
from gamedsl.language.core import argument_combinations, is_stop
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

AT_ONCE = 1 << 16  # states whose values are checked together
MOST_CHECKED = 1 << 17  # states expanded again, at most
RUN = 64  # neighboring states expanded again together


# ------------------------------------------------------------------------------------------------------- values


def strange_state(frame: Frame, words: Ints) -> str:
    """Describes a value in these rows that is out of its variable's range; empty if there is none."""
    fields = Rows.every_field(frame)
    if words.shape[1] != Rows.of(frame).words:
        return "its states are those of other rules"
    limits = _choice_limits(frame.program, frame.movers)
    stops = np.array([is_stop(b) for b in frame.program.blocks])
    for at in range(0, len(words), AT_ONCE):
        some = words[at : at + AT_ONCE]
        found = _strange(some, fields, stops, limits, frame)
        if found:
            return f"{found} in one of the states from {at} on"
    return ""


def _strange(some: Ints, fields: tuple[Field, ...], stops: Numbers, limits: Numbers, frame: Frame) -> str:
    used = [0] * some.shape[1]
    for f in fields:
        used[f.word] |= f.mask
    for word, mask in enumerate(used):
        if mask != (1 << 64) - 1 and (some[:, word].view(np.uint64) & np.uint64(~mask & (1 << 64) - 1)).any():
            return "unused bits are set"
    blocks = _values(some, fields[0])
    assert fields[0].variable == BLOCK
    if (blocks > fields[0].most).any() or not stops[blocks].all():
        return "it names a place that the game does not have"
    for f in fields:
        if f.variable != CHOICE and f.most < (1 << f.width) - 1 and (_values(some, f) > np.uint64(f.most)).any():
            return f"`{frame.program.variables[f.variable].name}` has a value outside its range"
    choices = [f for f in fields if f.variable == CHOICE]
    for mover, f in enumerate(choices):
        if (_values(some, f) > limits[blocks, mover]).any():
            return "it contains a choice that no player has"
    return ""


def _values(some: Ints, field: Field) -> Numbers:
    found = some[:, field.word].view(np.uint64) >> np.uint64(field.shift)
    return found & np.uint64((1 << field.width) - 1)


def _choice_limits(program: n.Program, movers: int) -> Numbers:
    """Returns, by block and player, the largest number that represents a choice."""
    found = np.zeros((len(program.blocks), movers), dtype=np.uint64)
    for block in program.blocks:
        if isinstance(block.end, n.DecideTogether):
            players = program.parts[block.end.part].players.size
            found[block.index, :players] = sum(
                argument_combinations(program.schemas[a.schema]) for a in block.end.alternatives
            )
    return found


# --------------------------------------------------------------------------------------------------------- successors


@lazy_dataclass()
class Recheck:
    """Expands states of a checkpoint again. ``store`` already holds its states."""

    kept: Checkpoint
    store: NativeStore
    steps: SymmetrySteps

    def run(self, most: int = MOST_CHECKED, chance: Random | None = None) -> tuple[int, str]:
        """Returns how many of the expanded states match the file, and what is wrong (empty: nothing)."""
        size = len(self.kept)
        self.table = numbered(self.store, 0, size)
        numbers: Numbers = np.empty(size, dtype=np.int32)
        look_up(self.table, self.store.words, 0, self.store.words, size, numbers)
        if not (numbers == np.arange(size)).all():
            return 0, "it contains a state twice"
        self.work = Work.of(self.store, self.steps)
        self.edge_count = checked = 0
        for begin, end in self._chosen(most, chance or SystemRandom()):
            wrong = self._run(begin, end)
            if wrong:
                return 0, wrong
            checked += min(end, self.kept.expanded) - begin
        if checked == self.kept.expanded and self.edge_count != self.kept.edge_count:
            return 0, f"it claims {self.kept.edge_count} edges instead of {self.edge_count}"
        return checked, ""

    def _chosen(self, most: int, chance: Random) -> list[tuple[int, int]]:
        """Chooses the states to expand again, as runs: all if they are few, else the first, the last and a random
        sample.
        """
        end = min(len(self.kept), self.kept.expanded + 1)  # one state may be partly expanded
        if end <= most:
            return [(0, end)]
        runs, quarter = -(-end // RUN), most // 4 // RUN
        sampled = chance.sample(range(quarter, runs - quarter), 2 * quarter)
        chosen = sorted({*range(quarter), *sampled, *range(runs - quarter, runs)})
        return [(RUN * k, min(end, RUN * (k + 1))) for k in chosen]

    def _run(self, begin: int, end: int) -> str:
        while begin < end:
            upto, bad = self.work.generate(begin, end)
            wrong = self._find_misleading(begin, upto, bad)
            if wrong:
                return wrong
            begin = upto
        return ""

    def _find_misleading(self, begin: int, end: int, bad: bool) -> str:
        """Describes what is wrong with the regenerated edges of the states from ``begin`` to ``end``."""
        work, kept = self.work, self.kept
        counts = work.counts[: end - begin]
        total = int(counts.sum())
        target: Numbers = np.empty(total, dtype=np.int32)
        look_up(self.table, self.store.words, 0, work.rows, total, target)
        source = np.repeat(np.arange(begin, end), counts)
        fine = work.wrong[:total] == 0 if bad else np.ones(total, dtype=bool)
        lost = fine & (target < 0) & (source < kept.expanded)
        if lost.any():
            return f"a successor of state {source[lost][0]} is missing"
        if self._faults(begin, end, bad, fine, source) != self._noted(begin, end):
            return f"its rules errors in the states from {begin} on are not those that occur"
        led = fine & (target >= 0)
        source, target = source[led], target[led]
        if (source < kept.parent[target]).any():
            return f"the successors of the states from {begin} on are not in the order of discovery"
        low, high = 1 + np.searchsorted(kept.parent[1:], (begin, end))
        first = np.unique(target[kept.parent[target] == source])
        if len(first) != high - low:
            return f"a state is not a successor of its parent, which is one of those from {begin} on"
        whole = source < kept.expanded
        if kept.layered and (kept.depth(target[whole]) != kept.depth(source[whole]) + 1).any():
            return f"some edges of the states from {begin} on do not lead to the next level"
        self.edge_count += int(counts[: max(0, min(end, kept.expanded) - begin)].sum())
        return ""

    def _faults(self, begin: int, end: int, bad: bool, fine: Numbers, source: Numbers) -> set[tuple[int, int]]:
        """Returns the rules errors that occur, as (state, action)."""
        if not bad:
            return set()
        kept, work = self.kept, self.work
        firsts = np.concatenate(([0], np.cumsum(work.counts[: end - begin])))
        stuck = [(begin + int(i), NO_ACTION) for i in np.flatnonzero(work.stuck[: end - begin])]
        wrong = [(int(source[k]), int(k - firsts[source[k] - begin])) for k in np.flatnonzero(~fine)]
        return {(i, k) for i, k in (*stuck, *wrong) if i < kept.expanded}

    def _noted(self, begin: int, end: int) -> set[tuple[int, int]]:
        faults = self.kept.faults
        low, high = np.searchsorted(faults[:, 0], (begin, end))
        return {(int(i), int(k)) for i, k in faults[low:high, :2]}
