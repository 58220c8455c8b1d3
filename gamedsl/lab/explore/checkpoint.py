"""An exploration on disk that can be resumed: the arrays of the compiled explorer, with a digest of the rules.

A checkpoint file is untrusted input. This module checks its form: names, types and shapes of arrays, and invariants
that hold whatever the rules are. ``checkpoint_states`` checks it against the rules.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from gamedsl.engine import play_error
from gamedsl.lab.base import Ints, Numbers
from gamedsl.lab.explore.array_file import Form, read_checkpoint, refused, write_checkpoint
from gamedsl.language.source import GameDSLError, lazy_dataclass

FORMAT = 3
FORMS = {
    "head": Form("<i8", 1),
    "rules": Form("|u1", 1),
    "words": Form("<i8", 2),
    "parent": Form("<i4", 1),
    "faults": Form("<i8", 2),
    "levels": Form("<i8", 1),
}
MOST_STATES = (1 << 31) - 2


@lazy_dataclass(frozen=True)
class Checkpoint:
    """An exploration in progress.

    ``words``: the states found, in order. The first ``expanded`` of them have been expanded, with ``edge_count``
    edges. ``layered``: every edge leads from one level to the next. ``rules``: digest of the game and of the
    symmetries used.
    """

    rules: str
    words: Ints
    parent: Numbers
    faults: Ints
    levels: list[int]
    expanded: int
    edge_count: int
    layered: bool

    def __len__(self) -> int:
        return len(self.words)

    def write(self, path: Path) -> None:
        """Writes the file atomically: the path holds either the old file or the complete new one.

        Raises ``FileError`` (E0530) if that fails.
        """
        head = np.array([FORMAT, self.expanded, self.edge_count, self.layered], dtype=np.int64)
        arrays: dict[str, Any] = {
            "head": head,
            "rules": np.frombuffer(self.rules.encode(), dtype=np.uint8),
            "words": self.words,
            "parent": self.parent,
            "faults": self.faults,
            "levels": np.array(self.levels, dtype=np.int64),
        }
        write_checkpoint(path, arrays)

    @staticmethod
    def read(path: Path, rules: str) -> Checkpoint | None:
        """Reads a file; returns None if there is none.

        Raises ``GameDSLError`` (E0523 for a file that cannot be an exploration, E0521 for one of other rules) and
        ``FileError`` (E0530) for an unreadable one.
        """
        arrays = read_checkpoint(path, FORMS)
        if arrays is None:
            return None
        head = arrays["head"].tolist()
        if len(head) != 4 or head[0] != FORMAT or head[3] not in (0, 1):
            raise refused(path, "another version of gamedsl wrote it, or it is damaged")
        if arrays["rules"].tobytes() != rules.encode():
            raise play_error(
                "E0521", f"{path} belongs to other rules, options or symmetries, or another version of gamedsl"
            )
        found = Checkpoint(
            rules, arrays["words"], arrays["parent"], arrays["faults"], arrays["levels"].tolist(), head[1], head[2],
            bool(head[3]),
        )  # fmt: skip
        wrong = found.misfit()
        if wrong:
            raise refused(path, wrong)
        return found

    def misfit(self) -> str:
        """Describes an inconsistency in the arrays that is impossible under any rules; empty if there is none."""
        n = len(self.words)
        if not 0 < n <= MOST_STATES or len(self.parent) != n:
            return "it does not have one parent per state"
        if not 0 <= self.expanded <= n or self.edge_count < 0:
            return f"it claims that {self.expanded} of {n} states are expanded, with {self.edge_count} edges"
        before = self.parent[1:]
        if self.parent[0] != -1 or not (
            (before[:-1] <= before[1:]).all() and (before >= 0).all() and (before < np.arange(1, n)).all()
        ):
            return "its states are not in the order of discovery"
        if n > 1 and before[-1] > self.expanded:
            return "a state has a parent that is not expanded"
        return self._level_misfit() or self._fault_misfit()

    def _level_misfit(self) -> str:
        levels, n = self.levels, len(self.words)
        if not levels or levels[0] != 0 or levels[-1] >= n or any(a >= b for a, b in pairwise(levels)):
            return "its levels do not ascend from 0"
        depth = self.depth(np.arange(1, n, dtype=np.int64))
        if not (depth == self.depth(self.parent[1:]) + 1).all():
            return "a state is not one level below its parent"
        return ""

    def _fault_misfit(self) -> str:
        if self.faults.shape[1] != 3:
            return "its list of rules errors does not have three columns"
        states, actions = self.faults[:, 0], self.faults[:, 1]
        if not ((states >= 0) & (states < self.expanded) & (actions >= -1)).all():
            return "it has a rules error in a state that is not expanded"
        again = (states[1:] == states[:-1]) & (actions[1:] <= actions[:-1])
        if (states[1:] < states[:-1]).any() or again.any():
            return "its rules errors are not in order"
        return ""

    def depth(self, states: Numbers) -> Ints:
        """Returns the level of each of these states."""
        return np.searchsorted(np.array(self.levels, dtype=np.int64), states, side="right") - 1


@lazy_dataclass(frozen=True)
class Resumed:
    """The result of resuming.

    ``states``: how many were loaded. ``expanded``: how many of those had been expanded. ``checked``: how many of
    these were expanded again and matched the file; ``sample``: says which (empty: the first, the last and some others).
    """

    path: Path
    states: int
    expanded: int
    checked: int
    sample: str = ""

    @property
    def trusted(self) -> int:
        """The number of expanded states for which there is only the file's word."""
        return self.expanded - self.checked

    def to_json(self) -> dict[str, Any]:
        return {"file": str(self.path), "states": self.states, "expanded": self.expanded, "checked": self.checked}

    def refused(self, why: str) -> GameDSLError:
        """Returns the error for a file that is found to be wrong later."""
        return refused(self.path, why)

    @property
    def summary(self) -> str:
        """The result in words."""
        found = f"resumed from {self.path}: {self.states:,} states, {self.expanded:,} of them expanded"
        if not self.trusted:
            return f"{found}; all of these were expanded again, and the file is right"
        sample = f"{self.checked:,} of these (the first, the last and a random sample) were expanded again"
        return f"{found}; {self.sample or sample}"

    @property
    def condition(self) -> str:
        """The assumption behind the verdicts; empty if nothing is taken on trust."""
        return f"if {self.path} is right about {self.trusted:,} states" if self.trusted else ""
