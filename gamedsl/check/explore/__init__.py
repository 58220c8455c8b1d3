"""The explorer: enumerates all reachable states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.source import offered

__all__ = [
    "NO_ACTION",
    "WHOLE",
    "BadArrays",
    "Edges",
    "Fault",
    "Form",
    "Graph",
    "Hashed",
    "Limits",
    "Made",
    "Mask",
    "NativeStore",
    "Progress",
    "Resumed",
    "Rules",
    "Watch",
    "canonicalize",
    "costs",
    "cycle",
    "explore",
    "explore_hashed",
    "longer",
    "must_come",
    "peel",
    "place",
    "reaches",
    "read_arrays",
    "read_checkpoint",
    "refused",
    "state_hash",
    "stop_kinds",
    "suits",
    "write_checkpoint",
]

if TYPE_CHECKING:
    from gamedsl.check.explore.array_file import (
        BadArrays,
        Form,
        read_arrays,
        read_checkpoint,
        refused,
        write_checkpoint,
    )
    from gamedsl.check.explore.checkpoint import Resumed
    from gamedsl.check.explore.edges import Made
    from gamedsl.check.explore.explorer import explore
    from gamedsl.check.explore.graph import NO_ACTION, WHOLE, Fault, Graph
    from gamedsl.check.explore.hashed import Hashed, explore_hashed
    from gamedsl.check.explore.kernels.canonical import canonicalize
    from gamedsl.check.explore.kernels.hash_table import place, state_hash
    from gamedsl.check.explore.kernels.records import Rules
    from gamedsl.check.explore.limits import Limits, Progress, Watch
    from gamedsl.check.explore.native_store import NativeStore, stop_kinds
    from gamedsl.check.explore.paths import Edges, Mask, costs, cycle, must_come, peel, reaches
    from gamedsl.check.explore.resizing import longer
    from gamedsl.check.explore.support import suits
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "array_file": "BadArrays Form read_arrays read_checkpoint refused write_checkpoint",
            "checkpoint": "Resumed",
            "edges": "Made",
            "explorer": "explore",
            "graph": "Fault Graph NO_ACTION WHOLE",
            "hashed": "Hashed explore_hashed",
            "kernels.canonical": "canonicalize",
            "kernels.hash_table": "place state_hash",
            "kernels.records": "Rules",
            "limits": "Limits Progress Watch",
            "native_store": "NativeStore stop_kinds",
            "paths": "Edges Mask costs cycle must_come peel reaches",
            "resizing": "longer",
            "support": "suits",
        },
    )
