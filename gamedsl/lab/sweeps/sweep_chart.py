"""A chart of a sweep: one bar with its interval for every combination. It prints well, and follows a dark page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from gamedsl.lab.sweeps.option_sweep import Measured

ROW, LEFT, WIDTH, RIGHT, TOP = 20, 170, 360, 60, 34
STYLE = (
    "text{font:12px sans-serif;fill:#1c1c1c}rect{fill:#3b6ea5}line{stroke:#1c1c1c}"
    "@media(prefers-color-scheme:dark){text{fill:#e8e8e8}rect{fill:#7fb2e5}line{stroke:#e8e8e8}}"
)


def as_svg(rows: Sequence[Measured], metric: str, title: str) -> str:
    """Returns the chart of a metric. Combinations without figures have no bar."""
    known = [row for row in rows if metric in row.figures]
    most = max([row.figures[metric][2] for row in known] + [1e-9])
    height = TOP + ROW * len(rows) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + RIGHT} {height}" role="img">',
        f"<title>{escape(title)}</title><style>{STYLE}</style>",
        f'<text x="8" y="20" font-weight="bold">{escape(title)}</text>',
    ]
    for number, row in enumerate(rows):
        parts += _row(row, metric, TOP + ROW * number, most)
    return "\n".join([*parts, "</svg>", ""])


def _row(row: Measured, metric: str, y: int, most: float) -> list[str]:
    name = ", ".join(f"{option}={value}" for option, value in row.values.items())
    parts = [f'<text x="{LEFT - 8}" y="{y + 14}" text-anchor="end">{escape(name)}</text>']
    if metric not in row.figures:
        return [*parts, f'<text x="{LEFT}" y="{y + 14}">-</text>']
    value, low, high = (max(0.0, x) / most * WIDTH for x in row.figures[metric])
    parts.append(f'<rect x="{LEFT}" y="{y + 3}" width="{value:.1f}" height="{ROW - 6}"/>')
    parts.append(f'<line x1="{LEFT + low:.1f}" x2="{LEFT + high:.1f}" y1="{y + 10}" y2="{y + 10}"/>')
    shown = f"{row.figures[metric][0]:.3g}"
    return [*parts, f'<text x="{LEFT + max(value, high) + 6:.1f}" y="{y + 14}">{shown}</text>']
