"""A pen on the sheet: the arrow keys move it, Enter or the space bar sets a point, and the picture is updated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor

from gamedsl.engine.picture import SHEET, PenMark, Picture, reach
from gamedsl.language.boards import Path, Point, StrokePlan, distance2, nearest_of
from gamedsl.language.boards.drawing import format_points
from gamedsl.play.terminal.input.cursor_places import WAYS, Way
from gamedsl.play.terminal.render.rendered_board import RenderedBoard


class Pen:
    """A stroke being drawn. ``points``: those set so far; ``at``: the position of the pen, once it has moved."""

    takes_space = True

    def __init__(self, stroke: StrokePlan, drawn: Mapping[str, Path]) -> None:
        self.stroke = stroke
        self.drawn = drawn
        self.rendered = RenderedBoard([])
        self.points: list[Point] = []
        self.at: Point = (Fraction(SHEET // 2), Fraction(SHEET // 2))
        self.is_shown = False
        self.is_done = False

    instruction = ""  # the page of a drawing says what is due

    @property
    def answer(self) -> str | None:
        """The points of the finished stroke."""
        return format_points(tuple(self.points)) if self.is_done else None

    def marked(self, picture: Picture) -> Picture:
        """The picture with the pen and the points so far."""
        x, y = float(self.at[0]), float(self.at[1])
        points = tuple((float(a), float(b)) for a, b in self.points)
        return replace(picture, pen=PenMark(points, (x, y) if self.is_shown else None))

    def move(self, way: Way, fine: bool = False) -> None:
        """Moves by about a character, or by one unit of length."""
        if not self.is_shown:
            self.is_shown = True
            return
        dx, dy = WAYS[way]
        page = self.rendered.page
        wide, high = (1, 1) if page is None or fine else (max(1, round(1 / page.scale)), max(1, round(2 / page.scale)))
        self.at = self._on_page(self.at[0] + dx * wide, self.at[1] + dy * high)

    def _on_page(self, x: Fraction, y: Fraction) -> Point:
        """The nearest point of the part of the sheet that is shown."""
        page = self.rendered.page
        if page is None:
            return _between(x, 0, SHEET), _between(y, 0, SHEET)
        return _between(x, page.x, page.right), _between(y, page.y, page.bottom)

    def touch(self) -> bool:
        """Sets a point. The stroke ends with the same point again, the first point of a closed curve, the second point
        of a straight line, or a point on the outline that the stroke crosses."""
        if self.points and self.at in (self.points[-1], self.points[0]):
            least = 3 if self.stroke.shape == "closed curve" else 2
            self.is_done = len(self.points) >= least
            return self.is_done
        self.points.append(self.at)
        if len(self.points) > 1 and (self.stroke.shape == "straight line" or self._reaches()):
            self.is_done = True
        return True

    def _reaches(self) -> bool:
        limit = reach(self.stroke, self.drawn)
        if limit is None or self.stroke.across is None:
            return False
        return distance2(self.at, nearest_of(self.at, self.drawn[self.stroke.across])) <= limit * limit

    def touch_at(self, x: int, y: int) -> bool:
        """Sets a point at a character of the page."""
        page, left, top = self.rendered.page, self.rendered.left, self.rendered.top
        if page is None or not (0 <= x - left < page.columns and 0 <= y - top < page.rows):
            return False
        self.is_shown = True
        across, down = page.middle(x - left, y - top)
        self.at = self._on_page(Fraction(round(across)), Fraction(round(down)))
        return self.touch()

    def back(self) -> None:
        """Takes back the last point; if there is none, hides the pen."""
        if self.points:
            self.at = self.points.pop()
        else:
            self.is_shown = False


def _between(value: Fraction, low: float, high: float) -> Fraction:
    return min(max(value, Fraction(ceil(low))), Fraction(floor(high)))
