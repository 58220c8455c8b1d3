"""What an author wants to know after every save: a snapshot of a ruleset, and the changes since the last one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = ["COVERED", "COVERED_PLIES", "Snapshot", "changes", "files_of", "judge_quickly", "take_snapshot"]

if TYPE_CHECKING:
    from gamedsl.lab.watch.differences import changes
    from gamedsl.lab.watch.snapshot import COVERED, COVERED_PLIES, Snapshot, files_of, judge_quickly, take_snapshot
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "differences": "changes",
            "snapshot": "COVERED COVERED_PLIES Snapshot files_of judge_quickly take_snapshot",
        },
    )
