"""One owner's part of one level of an exploration: which of the states that arrive are new, and where they lead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from threading import Lock
from typing import Any, ClassVar, NamedTuple

import numpy as np

from gamedsl.compiler import compile_program
from gamedsl.engine import Game
from gamedsl.lab.base import Ints, Numbers
from gamedsl.lab.explore.kernels.hash_table import fill
from gamedsl.lab.explore.kernels.owner_kernel import OWNERS, claim_rows, send
from gamedsl.lab.explore.kernels.records import OwnedStates
from gamedsl.lab.explore.native_store import NativeStore
from gamedsl.lab.explore.resizing import START, longer, roomy
from gamedsl.lab.explore.state_table import slots_for
from gamedsl.lab.explore.workspace import Work
from gamedsl.lab.shards import ForgottenError, StickyQuestion
from gamedsl.lab.symmetry import Symmetry, symmetry_steps
from gamedsl.language.source import lazy_dataclass

AT_ONCE = 4096  # states expanded at once


class Reached(NamedTuple):
    """What an owner found. All bytes are arrays in little-endian order.

    ``keys``: int64, of the new states in ascending order (see ``OwnedLevel``); ``rows``: their words. ``old``: how many
    arrived that were known from levels before. ``edges``: how many lead on from the new states. ``sent``: the words of
    the states that these lead to, by owner: owner q gets those from ``ends[q - 1]`` to ``ends[q]``; ``sources``,
    ``actions``: int32, which of the new states leads to each, and by which action. ``faults``: rules errors: new state,
    action, place of the rule.
    """

    keys: bytes
    rows: bytes
    old: int
    edges: int
    sent: bytes
    ends: list[int]
    sources: bytes
    actions: bytes
    faults: list[tuple[int, int, int]]

    @property
    def size(self) -> int:
        """The number of new states."""
        return len(self.keys) // 8

    def misfit(self) -> str:
        """Describes what no owner would answer; empty if there is nothing."""
        sources, actions = (np.frombuffer(data, dtype="<i4") for data in (self.sources, self.actions))
        words = len(self.rows) // self.size if self.size else 0
        if len(self.keys) % 8 or words % 8 or len(self.rows) != words * self.size or len(sources) != len(actions):
            return "its arrays do not fit together"
        if len(self.ends) != OWNERS or self.ends[-1] != len(sources) or len(self.sent) != words * len(sources):
            return "its successors do not fit together"
        if self.ends[0] < 0 or any(a > b for a, b in pairwise(self.ends)):
            return "its owners are not in order"
        if not ((sources >= 0) & (sources < self.size) & (actions >= 0)).all():
            return "a successor has no source"
        if not all(0 <= i < self.size and k >= -1 for i, k, _ in self.faults):
            return "a rules error belongs to no state"
        if (np.diff(np.frombuffer(self.keys, dtype="<i8")) <= 0).any():
            return "its states are not in order"
        return "" if min(self.old, self.edges - len(sources)) >= 0 else "a number is negative"


@lazy_dataclass(frozen=True)
class Reminder:
    """What the worker of an owner should know: the rules, and the words of the states of earlier levels."""

    game: Game
    turns: tuple[Symmetry, ...]
    known: bytes = b""


@lazy_dataclass(frozen=True)
class OwnedLevel(StickyQuestion[Reached]):
    """What becomes of the states that arrive at an owner in a level.

    ``exploration``: the digest of rules, first state and symmetries. ``known``: how many states the owner has from
    earlier levels. ``rows``: the words of those that arrive, with int64 ``keys``, all different: the state with the
    smallest key of equal ones counts, and new states are ordered by key. ``recall``: returns what its worker should
    know (None, in other processes: ask again with a reminder).
    """

    exploration: str
    level: int
    owner: int
    known: int
    rows: bytes
    keys: bytes
    reminder: Reminder | None = None
    recall: Callable[[], Reminder] | None = None

    @property
    def about(self) -> Mapping[str, Any]:
        """The rest follows from this."""
        return {
            "question": "states of an owner", "exploration": self.exploration, "owners": OWNERS, "level": self.level,
            "owner": self.owner,
        }  # fmt: skip

    @property
    def affinity(self) -> int:
        return self.owner

    def with_reminder(self) -> OwnedLevel:
        assert self.recall is not None
        return replace(self, reminder=self.recall())

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"recall": None}

    def size(self, answer: list[Reached]) -> int:
        for found in answer:
            wrong = found.misfit()
            if wrong:
                raise ValueError(wrong)
        return len(answer)

    def answer(self, first: int, count: int, stopped: Callable[[], bool]) -> list[Reached]:
        with _Memory.lock:
            memory = _Memory.kept
            if memory is None or memory.exploration != self.exploration or memory.size_of(self.owner) != self.known:
                memory = self._reminded()
            return [memory.reached(self)]

    def _reminded(self) -> _Memory:
        """Returns this process's memory with what the owner should know. Raises ``ForgottenError``."""
        reminder = self.reminder or (self.recall() if self.recall is not None else None)
        if reminder is None:
            raise ForgottenError
        memory = _Memory.kept
        if memory is None or memory.exploration != self.exploration:
            memory = _Memory.kept = _Memory(self.exploration, reminder.game, reminder.turns)
        memory.owned[self.owner] = _Owned.of(_rows(reminder.known, memory.store.layout.words))
        return memory


@lazy_dataclass()
class _Owned:
    """The states of an owner: the first ``size`` rows of ``words``."""

    words: Ints
    table: Numbers
    size: int

    @staticmethod
    def of(rows: Ints) -> _Owned:
        """Returns an owner of these states, different from each other."""
        return _Owned(roomy(rows, len(rows)), np.empty(0, dtype=np.uint32), len(rows))

    def make_room(self, more: int) -> None:
        while self.size + more > len(self.words):
            self.words = longer(self.words)
        slots = slots_for(self.size + more, max(START, len(self.table)))
        if slots > len(self.table):
            self.table = np.zeros(slots, dtype=np.uint32)
            fill(self.table.reshape(1, -1), self.words, 0, self.size)


class _Memory:
    """What this process knows of an exploration: its compiled rules, and the states of some owners."""

    lock: ClassVar[Lock] = Lock()
    kept: ClassVar[_Memory | None] = None  # of the exploration that was asked about last

    def __init__(self, exploration: str, game: Game, turns: tuple[Symmetry, ...]) -> None:
        self.exploration = exploration
        self.store = NativeStore(game, compile_program(game.program, game))
        self.work = Work.of(self.store, symmetry_steps(game.program, list(turns)), AT_ONCE, 8 * AT_ONCE)
        self.owned: dict[int, _Owned] = {}

    def size_of(self, owner: int) -> int:
        """The number of states that an owner has; -1 if this process knows nothing of it."""
        return self.owned[owner].size if owner in self.owned else -1

    def reached(self, asked: OwnedLevel) -> Reached:
        owned, store = self.owned[asked.owner], self.store
        rows, keys = _rows(asked.rows, store.layout.words), np.frombuffer(asked.keys, dtype="<i8")
        owned.make_room(len(rows))
        fresh = np.empty(len(rows), dtype=np.int64)
        made, old = claim_rows(
            OwnedStates(owned.words, owned.table), owned.size, rows, np.argsort(keys, kind="stable"), fresh
        )
        owned.size += made
        store.words = owned.words[owned.size - made : owned.size]
        edges, sent, faults = self._expand(made)
        order = np.argsort(sent[1][:, 0].astype(np.uint8), kind="stable")
        ends = np.cumsum(np.bincount(sent[1][:, 0], minlength=OWNERS))
        return Reached(
            keys[fresh[:made]].tobytes(), store.words.tobytes(), old, edges, sent[0][order].tobytes(), ends.tolist(),
            sent[1][order, 1].astype("<i4").tobytes(), sent[1][order, 2].astype("<i4").tobytes(), faults,
        )  # fmt: skip

    def _expand(self, size: int) -> tuple[int, tuple[Ints, Numbers], list[tuple[int, int, int]]]:
        """Expands the states of the store: the number of edges, the states that they lead to with owner, source and
        action of each, and the rules errors."""
        rows: Ints = np.empty((START, self.store.layout.words), dtype=np.int64)
        edges: Numbers = np.empty((START, 3), dtype=np.int32)
        faults = list[tuple[int, int, int]]()
        begin = n = total = 0
        while begin < size:
            end, bad = self.work.generate(begin, size)
            some = int(self.work.counts[: end - begin].sum())
            while n + some > len(rows):
                rows, edges = longer(rows), longer(edges)
            n = send(self.work.made, begin, end, bad, n, rows, edges)
            faults += self._faults(begin, end) if bad else ()
            total, begin = total + some, end
        return total, (rows[:n], edges[:n]), faults

    def _faults(self, begin: int, end: int) -> list[tuple[int, int, int]]:
        """Returns the rules errors of these states, in order."""
        work, found = self.work, list[tuple[int, int, int]]()
        own = 0
        for i in range(begin, end):
            count = int(work.counts[i - begin])
            stuck = int(work.stuck[i - begin])
            wrong = work.wrong[own : own + count]
            found += [(i, -1, stuck)] if stuck else []
            found += [(i, int(k), int(wrong[k])) for k in np.flatnonzero(wrong)]
            own += count
        return found


def _rows(data: bytes, words: int) -> Ints:
    return np.frombuffer(data, dtype="<i8").reshape(-1, words)
