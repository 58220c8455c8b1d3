"""An exploration on disk, to go on with later: the arrays of the compiled explorer, with the digest of the rules."""

from __future__ import annotations

import os
import secrets
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gamedsl.check.explore_graph import Ints, Numbers
from gamedsl.engine.errors import play_error

FORMAT = 2


@dataclass(frozen=True)
class Checkpoint:
    """``words``: the states found, in order; of these ``expanded`` have been gone on from, by so many ``ways``. ``layered``:
    all of these lead from one level to the next. ``rules``: the digest of the game, and what symmetries are used."""

    rules: str
    words: Ints
    parent: Numbers
    faults: Ints
    levels: list[int]
    expanded: int
    ways: int
    layered: bool

    def write(self, path: Path) -> None:
        """Writes the file in one step: whatever happens, the path holds either the old file or the new one whole.

        Raises ``GameDSLError`` (E0530) when that can't be done.
        """
        beside = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}.new")
        head = np.array([FORMAT, self.expanded, self.ways, self.layered], dtype=np.int64)
        try:
            with open(beside, "xb") as file:
                np.savez(
                    file,
                    head=head,
                    rules=np.frombuffer(self.rules.encode(), dtype=np.uint8),
                    words=self.words,
                    parent=self.parent,
                    faults=self.faults,
                    levels=np.array(self.levels, dtype=np.int64),
                )
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, path)
        except (OSError, ValueError) as error:
            raise play_error(
                "E0530", f"{path} can't be written: {getattr(error, 'strerror', None) or error}"
            ) from error
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)

    @staticmethod
    def read(path: Path, rules: str) -> Checkpoint:
        """The exploration in a file. Raises ``GameDSLError``: E0520 for a damaged file, E0521 for one of other rules."""
        try:
            with np.load(path, allow_pickle=False) as file:
                kept = {name: file[name] for name in file.files}
            saved = bytes(kept["rules"]).decode()
            version, expanded, ways, layered = (int(x) for x in kept["head"])
            levels = [int(x) for x in kept["levels"]]
            found = Checkpoint(
                saved, kept["words"], kept["parent"], kept["faults"], levels, expanded, ways, bool(layered)
            )
            fine = version == FORMAT and found._fits()
        except (OSError, ValueError, KeyError, EOFError, UnicodeDecodeError, zipfile.BadZipFile) as error:
            raise play_error("E0520", f"{path} is no exploration that can be gone on with: {error}") from error
        if not fine:
            raise play_error(
                "E0520", f"{path} is no exploration that can be gone on with: its parts don't fit together"
            )
        if saved != rules:
            raise play_error("E0521", f"{path} belongs to other rules, options or symmetries")
        return found

    def _fits(self) -> bool:
        n = len(self.words)
        before = self.parent[1:]
        inside = len(self.parent) == n > 0 and (self.parent < np.arange(n)).all() and (before >= 0).all()
        ordered = self.levels[0] == 0 and self.levels == sorted(set(self.levels)) and self.levels[-1] < max(n, 1)
        return bool(inside and 0 <= self.expanded <= n and self.ways >= 0 and ordered)
