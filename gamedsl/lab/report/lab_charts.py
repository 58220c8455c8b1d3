"""Charts of the design lab's figures: they print well, and follow a dark page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gamedsl.lab.report.charts import COLOURS, INK, WIDTH, box, svg, text
from gamedsl.lab.report.known_games import OnScale

STRIP, MARGIN = 300, 10
BAR, NAMES = 20, 90


def scale_strip(row: OnScale) -> str:
    """Draws the known games as ticks on an axis, and the game as a dot with its interval."""
    scaled = row.known.scaled
    places = [scaled(value) for _, value in row.others] + [scaled(row.value)]
    low, high = min(places), max(places)
    room = STRIP - 2 * MARGIN

    def at(value: float) -> float:
        return MARGIN + room * (min(max(scaled(value), low), high) - low) / ((high - low) or 1)

    parts = [f'<line x1="{MARGIN}" y1="13" x2="{STRIP - MARGIN}" y2="13" stroke="{INK}" stroke-width="0.5"/>']
    for name, value in row.others:
        hint = f"{name}: {row.known.shown(value)}"
        parts.append(box(at(value) - 1, 6, 2, 14, COLOURS[0], hint))
    if row.low is not None and row.high is not None:
        parts.append(box(at(row.low), 11.5, at(row.high) - at(row.low), 3, COLOURS[1]))
    parts.append(f'<circle cx="{at(row.value):.1f}" cy="13" r="5" fill="{COLOURS[1]}"/>')
    return svg(STRIP, 26, "".join(parts), f"{row.known.name} among known games")


def ladder_steps(rungs: Sequence[Mapping[str, Any]]) -> str:
    """Draws the strength of every player of a ladder over that of the lowest, with the interval of each step; "" for
    fewer than two players with a known strength.
    """
    known = [(str(rungs[0]["player"]), 0.0, 0.0, 0.0)] if rungs else []
    for rung in rungs[1:]:
        match = rung["below"]
        elo, below = match["elo"], next((height for name, height, _, _ in known if name == match["against"]), None)
        if below is None or elo is None or any(elo[k] is None for k in ("value", "low", "high")):
            break
        value, low, high = (below + float(elo[k]) for k in ("value", "low", "high"))
        known.append((str(rung["player"]), value, low, high))
    if len(known) < 2:
        return ""
    heights, ends = [row[1] for row in known], [(row[2], row[3]) for row in known[1:]]
    top, floor = max([*heights, *(e[1] for e in ends)]), min([*heights, *(e[0] for e in ends)])
    step, bottom = min(70.0, (WIDTH - 100) / len(heights)), 150

    def y(value: float) -> float:
        return bottom - (bottom - 16) * (value - floor) / ((top - floor) or 1)

    parts = [text(46, y(top) + 4, f"{top:+.0f}", "end"), text(46, y(0) + 4, "0", "end")]
    parts.append(
        f'<line x1="50" y1="{y(0):.1f}" x2="{50 + step * len(heights):.1f}" y2="{y(0):.1f}" stroke="{INK}" stroke-width="0.5"/>'
    )
    for k, height in enumerate(heights):
        x = 50 + step * (k + 0.5)
        parts.append(f'<circle cx="{x:.1f}" cy="{y(height):.1f}" r="4" fill="{COLOURS[0]}"/>')
        parts.append(text(x, bottom + 18, known[k][0].partition(":")[2] or str(k), "middle"))
        if k:
            low, high = ends[k - 1]
            parts.append(
                f'<line x1="{x:.1f}" y1="{y(low):.1f}" x2="{x:.1f}" y2="{y(high):.1f}" stroke="{COLOURS[0]}"/>'
            )
    return svg(WIDTH, bottom + 26, "".join(parts), "Elo over the lowest player, by iterations a move")


def effect_bars(rows: Sequence[tuple[str, float]]) -> str:
    """Draws a bar for the size of each effect; "" without effects."""
    if not rows:
        return ""
    most = max(size for _, size in rows)
    parts = []
    for number, (label, size) in enumerate(rows):
        y, width = number * BAR + 4, (WIDTH - NAMES - 70) * size / most
        parts += [
            text(NAMES - 8, y + 12, label, "end"),
            box(NAMES, y, width, BAR - 6, COLOURS[0], f"{label}: {size:.3g}"),
        ]
        parts.append(text(NAMES + width + 6, y + 12, f"{size:.3g}"))
    return svg(WIDTH, len(rows) * BAR + 8, "".join(parts), "how far the figures move without the line")
