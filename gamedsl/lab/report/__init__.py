"""HTML reports about a ruleset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "STATES",
    "as_dot",
    "as_page",
    "as_svg",
    "make_report",
    "state_graph",
]

if TYPE_CHECKING:
    from gamedsl.lab.report.contents import make_report
    from gamedsl.lab.report.report_page import as_page
    from gamedsl.lab.report.state_graphs import STATES, as_dot, as_svg, state_graph
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "contents": "make_report",
            "report_page": "as_page",
            "state_graphs": "STATES as_dot as_svg state_graph",
        },
    )
