"""Small self-contained SVG charts: stacked bars, histograms, curves."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

COLOURS = ("#3b6ea8", "#c8553d", "#5b8e5a", "#9a6fb0", "#b8860b", "#4f9da6")
GREY = "#b9bec5"
INK = "var(--ink, #222)"  # of text and axes: a dark page sets it
DARK = "#222"  # of text on a light bar
WIDTH, LEFT, FONT = 640, 130, 'font-family="system-ui, sans-serif" font-size="12"'


def svg(width: float, height: float, inside: str, title: str) -> str:
    """Returns a complete image; ``title`` is its text alternative."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" {FONT}><title>{escape(title)}</title>{inside}</svg>'
    )


def text(x: float, y: float, words: str, anchor: str = "start", fill: str = INK) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{fill}">{escape(words)}</text>'


def box(x: float, y: float, width: float, height: float, fill: str, hint: str = "") -> str:
    """Returns a filled rectangle; ``hint`` is its tooltip."""
    inside = f"<title>{escape(hint)}</title>" if hint else ""
    return f'<rect x="{x:g}" y="{y:g}" width="{max(width, 0):.2f}" height="{max(height, 0):.2f}" fill="{fill}">{inside}</rect>'


def colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def share_bars(rows: Sequence[tuple[str, Sequence[tuple[str, float, str]]]], title: str) -> str:
    """Draws one stacked bar per row. Each of its segments is (name, share, color); the shares sum to at most 1."""
    height, room = 26, WIDTH - LEFT - 20
    parts: list[str] = []
    for number, (label, shares) in enumerate(rows):
        y, x = number * height + 6, float(LEFT)
        parts.append(text(LEFT - 8, y + 13, label, "end"))
        for name, share, fill in shares:
            width = share * room
            parts.append(box(x, y, width, 18, fill, f"{name}: {share:.1%}"))
            if width > 46:
                parts.append(text(x + width / 2, y + 13, f"{share:.1%}", "middle", DARK if fill == GREY else "#fff"))
            x += width
    return svg(WIDTH, len(rows) * height + 10, "".join(parts), title)


def histogram(bins: Sequence[tuple[int, int, int]], title: str, what: str = "plies") -> str:
    """Draws a column for each bin (low, high, count); returns "" for no bins."""
    if not bins:
        return ""
    height, bottom = 160, 140
    most = max(count for _, _, count in bins) or 1
    step = (WIDTH - 60) / len(bins)
    parts = [f'<line x1="40" y1="{bottom}" x2="{WIDTH - 20}" y2="{bottom}" stroke="#888"/>']
    parts += [text(36, bottom, "0", "end"), text(36, 20, f"{most:,}", "end")]
    every = max(1, len(bins) // 10)
    for number, (low, high, count) in enumerate(bins):
        x, tall = 40 + number * step, (bottom - 14) * count / most
        span = f"{low}" if low == high else f"{low} to {high}"
        parts.append(box(x + 1, bottom - tall, step - 2, tall, COLOURS[0], f"{span} {what}: {count:,}"))
        if number % every == 0:
            parts.append(text(x + step / 2, bottom + 14, span.split()[0], "middle"))
    return svg(WIDTH, height, "".join(parts), title)


def curve(points: Sequence[tuple[float, float]], title: str) -> str:
    """Draws a line through points (x, y), with the y axis from 0 and both axes labeled at their ends; returns "" for
    fewer than two points.
    """
    if len(points) < 2:
        return ""
    height, bottom = 160, 136
    first, last = points[0][0], points[-1][0]
    top = max(y for _, y in points) or 1
    room = WIDTH - 70

    def at(x: float, y: float) -> str:
        return f"{50 + room * (x - first) / (last - first):.1f},{bottom - (bottom - 16) * y / top:.1f}"

    path = " ".join(at(x, y) for x, y in points)
    parts = [
        f'<line x1="50" y1="{bottom}" x2="{50 + room}" y2="{bottom}" stroke="#888"/>',
        f'<polyline points="{path}" fill="none" stroke="{COLOURS[1]}" stroke-width="2"/>',
        text(46, bottom, "0", "end"), text(46, 20, f"{top:.3g}", "end"),
        text(50, bottom + 16, f"{first:g}", "middle"), text(50 + room, bottom + 16, f"{last:g}", "end"),
    ]  # fmt: skip
    return svg(WIDTH, height, "".join(parts), title)
