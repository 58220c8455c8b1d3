"""Exploration with states owned by hash: level by level, by any number of processes or machines.

Every state has one of 64 owners, named by its hash. In each level an owner gets the states that others found for it,
keeps those that are new, and expands them; what these lead to goes to the owners of the next level. The process that
asks passes them on, and numbers the new states as a search in one process does. So the graph is the same, whoever
works. An owner's states stay in the worker that answers for it; a worker that is new is reminded of them.
"""

from __future__ import annotations

from dataclasses import field
from hashlib import sha256
from typing import NamedTuple, Protocol

import numpy as np

from gamedsl.compiler import Native
from gamedsl.engine import Game
from gamedsl.lab.base import Ints, Numbers
from gamedsl.lab.explore.array_file import refused
from gamedsl.lab.explore.checkpoint import Resumed
from gamedsl.lab.explore.checkpoint_states import strange_state
from gamedsl.lab.explore.explore_limits import Limits
from gamedsl.lab.explore.kernels.owner_kernel import OWNERS, owners_of
from gamedsl.lab.explore.layers import Measure
from gamedsl.lab.explore.native_store import NativeStore
from gamedsl.lab.explore.owned_level import OwnedLevel, Reached, Reminder
from gamedsl.lab.explore.state_arrays import Visited
from gamedsl.lab.explore.state_graph import WHOLE
from gamedsl.lab.explore.state_table import numbered
from gamedsl.lab.shards import ShardRunner
from gamedsl.lab.symmetry import Symmetry
from gamedsl.language.source import lazy_dataclass

FEWEST = 1 << 14  # open states from which others are asked to help
WIDEST = 64  # words of a state: a level of wider ones, with all successors, would not fit into memory
ACTION_BITS = 31  # of a key; the bits above are the number of the state before
# which of the states in a file are expanded again
ONE_ANSWER, NOTHING = (
    "a part of these, the answer of one owner, was expanded again",
    "none of these were expanded again",
)


class LevelSearch(Protocol):
    """What owners need of a search (see ``breadth_first``), and change."""

    game: Game
    native: Native
    limits: Limits
    turns: list[Symmetry]
    store: NativeStore
    found: Visited
    levels: list[int]
    layered: bool
    guesses: int
    resumed: Resumed | None

    @property
    def rules_digest(self) -> str: ...

    def look_around(self, depth: int) -> str: ...


class Arrived(NamedTuple):
    """States on the way to an owner: their words, and int64 keys."""

    rows: bytes
    keys: bytes


class AnsweredLevel(NamedTuple):
    """What the owners of a level answer, and the numbers of their new states, by owner."""

    answers: dict[int, Reached]
    numbers: dict[int, Ints]


@lazy_dataclass()
class OwnedSearch:
    """Takes a search over when a level is large, and gives it back when it is done or has to stop.

    ``fewest``: the open states from which this is worth while.
    """

    runner: ShardRunner
    fewest: int = FEWEST
    is_over: bool = False
    owners: Numbers = field(default_factory=lambda: np.empty(0, dtype=np.uint8))  # of the states found
    from_file: int = 0  # states whose successors were in the file

    def takes(self, search: LevelSearch) -> bool:
        """Whether it continues a search that has expanded whole levels."""
        most = search.limits.depth
        depth = len(search.levels) - 1
        open_states = int(search.found.totals[0]) - search.found.expanded
        is_narrow = search.store.layout.words <= WIDEST
        return is_narrow and not self.is_over and open_states >= self.fewest and (most is None or depth + 1 < most)

    def run(self, search: LevelSearch) -> str:
        """Explores further levels. Returns what stopped it, or ``WHOLE``: the search goes on from there."""
        self.is_over, self.search = True, search
        self.exploration = sha256(f"{search.rules_digest} {self.fewest} {search.levels}".encode()).hexdigest()
        self.layered = search.layered
        stopped = self._levels()
        search.guesses = 0
        if not self.layered:
            search.layered, search.found.measure, search.found.base = False, Measure.none(), 0
            search.found.table = numbered(search.store, 0, int(search.found.totals[0]), search.found.parts)
        if self.from_file and (path := self.runner.store.path) is not None:
            sample = ONE_ANSWER if self.runner.is_checked else NOTHING
            search.resumed = Resumed(path, int(search.found.totals[0]), self.from_file, 0, sample)
        return stopped

    def _levels(self) -> str:
        search, found = self.search, self.search.found
        begin, depth, most = search.levels[-1], len(search.levels) - 1, search.limits.depth
        level = self._ask(self._open_states(), depth, begin)
        while level is not None:
            depth, begin = depth + 1, int(found.totals[0])
            if most is not None and depth >= most:
                return WHOLE  # states of this level are not expanded: the search itself finds them
            following = self._ask(_passed_on(level), depth, begin)
            if following is None:
                break
            new = sum(a.size for a in following.answers.values())
            if begin + new > found.most:
                return WHOLE  # it finds how far it may go, too
            self._settle(level)
            if not new:
                return WHOLE
            level = following
            self._add(level.answers)
        stopped = self._look(depth)
        return "stopped" if stopped == WHOLE else stopped

    def _open_states(self) -> dict[int, Arrived]:
        """Returns the states that are not expanded, by owner. Their keys are their numbers."""
        search = self.search
        begin, end = search.levels[-1], int(search.found.totals[0])
        self._own(end)
        keys = np.arange(begin, end, dtype=np.int64)
        chosen = {q: keys[self.owners[begin:end] == q] for q in range(OWNERS)}
        words = search.store.words
        return {q: Arrived(words[k].tobytes(), k.tobytes()) for q, k in chosen.items() if len(k)}

    def _own(self, end: int) -> None:
        """Finds the owners of the states up to a number."""
        begin = len(self.owners)
        more = np.empty(end - begin, dtype=np.uint8)
        owners_of(self.search.store.words[begin:end], end - begin, more)
        self.owners = np.concatenate([self.owners, more])

    def _ask(self, arrived: dict[int, Arrived], depth: int, begin: int) -> AnsweredLevel | None:
        """Returns what the owners answer, with numbers from ``begin`` on; None if stopped before all have answered."""
        store = self.runner.store
        known = np.bincount(self.owners[:begin], minlength=OWNERS).tolist()
        questions = [
            OwnedLevel(
                self.exploration,
                depth,
                q,
                known[q],
                *arrived[q],
                recall=lambda q=q: self._reminder(q, begin),  # type: ignore[misc]
            )
            for q in sorted(arrived)
        ]
        found = dict[int, Reached]()
        filed = {question.owner for question in questions if any(store.known(question))}
        answers = self.runner.each(questions, lambda: self._look(depth) != WHOLE)
        for answer, question in zip(
            answers, questions, strict=False
        ):  # answers first: their end is a check of the file
            if question.owner in filed:
                self._refuse_strange(answer)
                self.from_file += answer.size
            found[question.owner] = answer
        return AnsweredLevel(found, _numbers(found, begin)) if len(found) == len(questions) else None

    def _look(self, depth: int) -> str:
        return self.search.look_around(depth)

    def _reminder(self, owner: int, begin: int) -> Reminder:
        """Returns what the worker of an owner should know before a level."""
        mine = self.search.store.words[:begin][self.owners[:begin] == owner]
        return Reminder(self.search.game, tuple(self.search.turns), mine.tobytes())

    def _refuse_strange(self, answer: Reached) -> None:
        """Raises ``GameDSLError`` (E0523) for states from a file that no game has."""
        frame, words = self.search.native.frame, self.search.store.layout.words
        path = self.runner.store.path
        assert path is not None
        for data in (answer.rows, answer.sent):
            if len(data) % (8 * words):
                raise refused(path, "its states are those of other rules")
            strange = strange_state(frame, np.frombuffer(data, dtype="<i8").reshape(-1, words))
            if strange:
                raise refused(path, strange)

    def _add(self, answers: dict[int, Reached]) -> None:
        """Numbers the new states of a level, in the order in which a search in one process finds them."""
        search, found = self.search, self.search.found
        self.layered &= not any(a.old for a in answers.values())
        begin, keys = int(found.totals[0]), _keys(answers)
        while begin + len(keys) >= len(search.store.words):
            found.more_states()
        order = np.argsort(keys, kind="stable")
        rows = np.frombuffer(b"".join(a.rows for a in answers.values()), dtype="<i8")
        end = begin + len(keys)
        search.store.words[begin:end] = rows.reshape(len(keys), -1)[order]
        found.parent[begin:end] = keys[order] >> ACTION_BITS
        search.levels.append(begin)
        found.totals[0] = end
        self._own(end)

    def _settle(self, level: AnsweredLevel) -> None:
        """Takes the states of a level as expanded, once all that they lead to has a place."""
        found = self.search.found
        found.expanded = int(found.totals[0])
        found.totals[1] += sum(a.edges for a in level.answers.values())
        faults = [(int(level.numbers[q][i]), k, place) for q, a in level.answers.items() for i, k, place in a.faults]
        while found.totals[2] + len(faults) > len(found.faults):
            found.more_faults()
        for row in sorted(faults):
            found.faults[found.totals[2]] = row
            found.totals[2] += 1


def _keys(answers: dict[int, Reached]) -> Ints:
    """Returns the keys of the new states, owner by owner."""
    return np.frombuffer(b"".join(a.keys for a in answers.values()), dtype="<i8")


def _numbers(answers: dict[int, Reached], begin: int) -> dict[int, Ints]:
    """Returns the numbers of each owner's new states, if the first of all has number ``begin``."""
    every = np.sort(_keys(answers))
    return {q: begin + np.searchsorted(every, np.frombuffer(a.keys, dtype="<i8")) for q, a in answers.items()}


def _passed_on(level: AnsweredLevel) -> dict[int, Arrived]:
    """Returns the states of the next level, by owner."""
    return {q: found for q in range(OWNERS) if (found := _passed_to(q, level)).rows}


def _passed_to(owner: int, level: AnsweredLevel) -> Arrived:
    rows, keys = list[bytes](), list[bytes]()
    for q, a in level.answers.items():
        begin, end = (a.ends[owner - 1] if owner else 0), a.ends[owner]
        if begin < end:
            size = len(a.sent) // a.ends[-1]
            source = np.frombuffer(a.sources, dtype="<i4")[begin:end]
            action = np.frombuffer(a.actions, dtype="<i4")[begin:end]
            rows.append(a.sent[begin * size : end * size])
            keys.append((level.numbers[q][source] << ACTION_BITS | action).tobytes())
    return Arrived(b"".join(rows), b"".join(keys))
