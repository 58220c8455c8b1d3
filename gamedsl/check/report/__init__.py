"""HTML reports about a ruleset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.source import offered

__all__ = [
    "STATES",
    "as_dot",
    "as_page",
    "as_svg",
    "make_report",
    "state_graph",
]

if TYPE_CHECKING:
    from gamedsl.check.report.contents import make_report
    from gamedsl.check.report.page import as_page
    from gamedsl.check.report.state_graphs import STATES, as_dot, as_svg, state_graph
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "contents": "make_report",
            "page": "as_page",
            "state_graphs": "STATES as_dot as_svg state_graph",
        },
    )
