"""The explorer: enumerates all reachable states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "NO_ACTION",
    "WHOLE",
    "Edges",
    "Execution",
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
    "read_checkpoint",
    "refused",
    "state_hash",
    "stop_kinds",
    "suits",
    "write_checkpoint",
]

if TYPE_CHECKING:
    from gamedsl.lab.explore.array_file import Form, read_checkpoint, refused, write_checkpoint
    from gamedsl.lab.explore.checkpoint import Resumed
    from gamedsl.lab.explore.explore_limits import Execution, Limits, Progress, Watch
    from gamedsl.lab.explore.explorer import explore
    from gamedsl.lab.explore.graph_edges import Made
    from gamedsl.lab.explore.hashed import Hashed, explore_hashed
    from gamedsl.lab.explore.kernels.canonical import canonicalize
    from gamedsl.lab.explore.kernels.hash_table import place, state_hash
    from gamedsl.lab.explore.kernels.records import Rules
    from gamedsl.lab.explore.native_store import NativeStore, stop_kinds
    from gamedsl.lab.explore.paths import Edges, Mask, costs, cycle, must_come, peel, reaches
    from gamedsl.lab.explore.resizing import longer
    from gamedsl.lab.explore.state_graph import NO_ACTION, WHOLE, Fault, Graph
    from gamedsl.lab.explore.support import suits
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "array_file": "Form read_checkpoint refused write_checkpoint",
            "checkpoint": "Resumed",
            "graph_edges": "Made",
            "explorer": "explore",
            "state_graph": "Fault Graph NO_ACTION WHOLE",
            "hashed": "Hashed explore_hashed",
            "kernels.canonical": "canonicalize",
            "kernels.hash_table": "place state_hash",
            "kernels.records": "Rules",
            "explore_limits": "Execution Limits Progress Watch",
            "native_store": "NativeStore stop_kinds",
            "paths": "Edges Mask costs cycle must_come peel reaches",
            "resizing": "longer",
            "support": "suits",
        },
    )
