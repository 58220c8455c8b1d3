"""The page that ``playouts.py --all --write`` makes: docs/reference/playouts.md."""

from __future__ import annotations

import math
from typing import Any

HEAD = """\
# How fast plays are

Written by `python benchmarks/playouts.py --all --write` in one run; not tested, as times differ from machine to machine.
[The benchmarks](../../benchmarks/README.md) say what is measured.

Random plays to the end per second of CPU time, one thread.

- Ours: the compiled rules. Lockstep: many plays at once.
- By hand: a C++ program for that one game.
- OpenSpiel: its C++ rollouts; a star where its rules are not quite the same.
- Apart: the largest difference in results and lengths between those that play the same game, in standard errors.

The worst ratio to the hand-written program comes first. Games without such a program follow, by the ratio to OpenSpiel, then by name.

"""


def figure(x: float | None) -> str:
    """Three digits that count."""
    if x is None or math.isnan(x):
        return "-"
    if x >= 100:
        return f"{round(x, 2 - int(math.log10(x))):,.0f}"
    return f"{x:.3g}"


def row(found: dict[str, Any], ratios: list[str]) -> str:
    """A line of the table."""
    counts = found["counts"]
    rates = [
        figure(counts[name]["rate"]) if name in counts else "-"
        for name in ("ours", "lockstep", "limit", "limit lockstep")
    ]
    peer = figure(counts["OpenSpiel"]["rate"]) + "*" * bool(found["near"]) if "OpenSpiel" in counts else "-"
    told = [figure(found["ratios"][name]) for name in ratios]
    cells = [found["game"], *rates, peer, *told, figure(found["plies"]), f"{found['sigmas']:.1f}"]
    return f"| {' | '.join(cells)} |"


def page(report: dict[str, Any], ratios: list[str]) -> str:
    """The whole page."""
    titles = [
        "Game",
        "Ours",
        "Lockstep",
        "By hand",
        "By hand, lockstep",
        "OpenSpiel",
        *ratios,
        "Moves a play",
        "Apart (σ)",
    ]
    rows = report["rows"]
    lines = [f"| {' | '.join(titles)} |", "|---" + "|---:" * (len(titles) - 1) + "|", *(row(r, ratios) for r in rows)]
    near = [f"- {r['game']}: {r['near']}" for r in rows if r["near"]]
    notes = ["", "Where OpenSpiel's rules differ:", "", *near] if near else []
    return HEAD + "\n".join([*lines, *notes]) + "\n"
