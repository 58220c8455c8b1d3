"""The strokes of a drawing board and their arrangement -> the plain shapes that are drawn."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

from gamedsl.language.boards.drawing import Drawing, Plan, arrange
from gamedsl.language.source import lazy_dataclass

Spot: TypeAlias = tuple[float, float]


@lazy_dataclass(frozen=True)
class SketchStroke:
    """A line of the drawing."""

    name: str
    closed: bool
    points: tuple[Spot, ...]


@lazy_dataclass(frozen=True)
class SketchSpace:
    """A space: its index and number, a point inside, its outline, the indices of its neighbors."""

    index: int
    number: int
    point: Spot
    outline: tuple[Spot, ...]
    neighbors: tuple[int, ...]


@lazy_dataclass(frozen=True)
class SketchBorder:
    """A piece of a line between two spaces, which are given by their indices."""

    spaces: tuple[int, int]
    points: tuple[Spot, ...]

    @property
    def name(self) -> str:
        return "-".join(f"s{i + 1}" for i in self.spaces)


@lazy_dataclass(frozen=True)
class Sketch:
    strokes: tuple[SketchStroke, ...]
    spaces: tuple[SketchSpace, ...]
    borders: tuple[SketchBorder, ...]


def sketch_of(paper: Any) -> Sketch | None:
    """The shapes of a drawing, given with its plan; None for an empty sheet."""
    if paper is None or not paper[1]:
        return None
    return _sketch(*paper)


@lru_cache(maxsize=16)
def _sketch(plan: Plan, drawing: Drawing) -> Sketch:
    closed = {s.name for s in plan.strokes if s.shape == "closed curve"}
    strokes = tuple(SketchStroke(name, name in closed, _spots(points)) for name, points in drawing)
    arrangement = arrange(plan, drawing)
    spaces = tuple(
        SketchSpace(i, i + 1, _spots([space.inner])[0], _spots(space.outline), arrangement.neighbors(i))
        for i, space in enumerate(arrangement.spaces)
    )
    borders = tuple(SketchBorder(border.spaces, _spots(border.path)) for border in arrangement.borders)
    return Sketch(strokes, spaces, borders)


def _spots(points: Iterable[tuple[Fraction, Fraction]]) -> tuple[Spot, ...]:
    return tuple((float(x), float(y)) for x, y in points)
