"""The page that ``playouts.py --all --write`` makes: docs/reference/playouts.md."""

from __future__ import annotations

import math
from typing import Any

HEAD = """\
# How fast plays are

Written by `python benchmarks/playouts.py --all --write`; `--games NAME... --write` measures some rows anew.
Not tested, as times differ from machine to machine.
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


CONTESTANTS = ("ours", "lockstep", "limit", "limit lockstep", "OpenSpiel")
Order = tuple[bool, float, bool, float, str]


def best(rates: dict[str, float], *others: str) -> float | None:
    """Our best rate by the best rate of these."""
    mine = [rates[c] for c in ("ours", "lockstep") if c in rates]
    theirs = [rates[c] for c in others if c in rates]
    return max(mine) / max(theirs) if mine and theirs else None


def order(name: str, rates: dict[str, float]) -> Order:
    """The worst ratio to the limit first; those without a limit follow, by OpenSpiel, and then by name."""
    to_limit = best(rates, "limit", "limit lockstep")
    to_peer = best(rates, "OpenSpiel")
    none = math.inf
    return to_limit is None, to_limit or none, to_peer is None, to_peer or none, name


def order_of(line: str) -> Order:
    """The place of a line of the table."""
    name, *cells = (cell.strip() for cell in line.strip("|").split("|"))
    told = zip(CONTESTANTS, cells, strict=False)
    return order(name, {c: float(cell.strip("*").replace(",", "")) for c, cell in told if cell != "-"})


def name_of(line: str) -> str:
    """The game of a line of the table."""
    return line.strip("|").split("|")[0].strip()


def written(lines: list[str], near: dict[str, str], ratios: list[str]) -> str:
    """The page with these lines of the table; ``near``: how OpenSpiel's rules differ, by game."""
    titles = ["Game", "Ours", "Lockstep", "By hand", "By hand, lockstep", "OpenSpiel"]
    titles += [*ratios, "Moves a play", "Apart (σ)"]
    head = [f"| {' | '.join(titles)} |", "|---" + "|---:" * (len(titles) - 1) + "|"]
    notes = [f"- {name}: {near[name]}" for name in map(name_of, lines) if name in near]
    notes = ["", "Where OpenSpiel's rules differ:", "", *notes] if notes else []
    return HEAD + "\n".join([*head, *lines, *notes]) + "\n"


def page(report: dict[str, Any], ratios: list[str], old: str = "") -> str:
    """The whole page; ``old``: a page from which the games are kept that were not played now."""
    rows = report["rows"]
    now = {r["game"] for r in rows}
    table = [line for line in old.splitlines() if line.startswith("| ")][1:]
    kept = [line for line in table if name_of(line) not in now]
    told = [line[2:].split(": ", 1) for line in old.splitlines() if line.startswith("- ") and ": " in line]
    near = {name: text for name, text in told if name in map(name_of, kept)} | {
        r["game"]: r["near"] for r in rows if r["near"]
    }
    return written(sorted(kept + [row(r, ratios) for r in rows], key=order_of), near, ratios)
