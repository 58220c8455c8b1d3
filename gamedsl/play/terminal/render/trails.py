"""Lines drawn over the middles of squares -> their arms in every square that they pass."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import field

from gamedsl.engine.picture import Trail
from gamedsl.language.source import lazy_dataclass
from gamedsl.play.terminal.render.box_drawing import WEIGHTS, Arms

Square = tuple[int, int]
_SIDES = {(-1, 0): "n", (0, 1): "e", (1, 0): "s", (0, -1): "w"}
_BACK = {"n": "s", "e": "w", "s": "n", "w": "e"}


@lazy_dataclass()
class TrailMap:
    """``arms`` by square; ``slants`` by grid point (the square to its lower right): whether the line rises to the
    right."""

    arms: dict[Square, Arms] = field(default_factory=dict)
    slants: dict[Square, bool] = field(default_factory=dict)


def trail_map(trails: tuple[Trail, ...], squares: Mapping[int, Square]) -> TrailMap:
    """The map of all lines together. Pieces that are not horizontal, vertical or diagonal cannot be drawn and are
    omitted."""
    found = TrailMap()
    for trail in trails:
        stops = [squares[cell] for cell in trail.cells if cell in squares]
        for a, b in itertools.pairwise(stops):
            _leg(found, a, b, WEIGHTS[trail.style])
    return found


def _leg(found: TrailMap, a: Square, b: Square, weight: int) -> None:
    rows, columns = b[0] - a[0], b[1] - a[1]
    steps = max(abs(rows), abs(columns))
    if steps == 0 or (rows and columns and abs(rows) != abs(columns)):
        return
    way = (rows // steps, columns // steps)
    for i in range(steps):
        here = (a[0] + i * way[0], a[1] + i * way[1])
        there = (here[0] + way[0], here[1] + way[1])
        if way in _SIDES:
            _add(found, here, _SIDES[way], weight)
            _add(found, there, _BACK[_SIDES[way]], weight)
        else:
            found.slants[(max(here[0], there[0]), max(here[1], there[1]))] = way[0] != way[1]


def _add(found: TrailMap, square: Square, side: str, weight: int) -> None:
    found.arms[square] = found.arms.get(square, Arms())._replace(**{side: weight})
