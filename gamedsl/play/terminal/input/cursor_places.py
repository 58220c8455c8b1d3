"""The cursor on a displayed board: its place, its moves by the arrow keys, and the places touched so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from gamedsl.engine.picture import Picture, Place
from gamedsl.play.terminal.input.move_selection import Option, Selection
from gamedsl.play.terminal.render.rendered_board import Box, RenderedBoard

if TYPE_CHECKING:
    from gamedsl.engine import Move

Way: TypeAlias = Literal["left", "right", "up", "down"]
WAYS: Mapping[Way, tuple[int, int]] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
ASIDE = 2.0  # the factor by which a step aside counts more than one ahead


class PageCursor(Protocol):
    """A cursor moved by keys and the mouse. ``rendered``: the page as last drawn; ``answer``: the line that the person
    means, once it is known; ``takes_space``: the space bar acts as Enter."""

    rendered: RenderedBoard
    takes_space: bool

    @property
    def is_shown(self) -> bool: ...

    @property
    def instruction(self) -> str: ...

    @property
    def answer(self) -> str | None: ...

    def marked(self, picture: Picture) -> Picture: ...

    def move(self, way: Way, fine: bool = False) -> None: ...

    def touch(self) -> bool: ...

    def touch_at(self, x: int, y: int) -> bool: ...

    def back(self) -> None: ...


class BoardCursor:
    """``options`` returns the legal moves with the places they name; it is called when the cursor is first used.
    ``rendered``: the board as last drawn; ``before``: the cursor of the previous turn; ``guide``: what to do now, in a
    sentence."""

    takes_space = False

    def __init__(
        self,
        options: Callable[[Callable[[Place], bool]], list[Option]],
        before: BoardCursor | None = None,
        guide: Callable[[Selection | None], str] = lambda _: "",
    ) -> None:
        self._options = options
        self._guide = guide
        self._before: Place | None = None if before is None else before.cursor or before._before
        self._selection: Selection | None = None
        self.rendered = RenderedBoard([])
        self.cursor: Place | None = None

    @property
    def selection(self) -> Selection:
        """The places touched so far."""
        if self._selection is None:
            shown = self.rendered.all_places
            self._selection = Selection.among(self._options(lambda place: place in shown))
        return self._selection

    @property
    def is_shown(self) -> bool:
        return self.cursor is not None

    @property
    def answer(self) -> str | None:
        """The move that was chosen; "" if the remaining moves can only be distinguished by number."""
        if self._selection is not None and self._selection.decided is not None:
            return self._selection.decided.text
        return "" if self.ambiguous else None

    @property
    def ambiguous(self) -> tuple[Move, ...]:
        """The moves that can only be distinguished by number."""
        return () if self._selection is None else self._selection.ambiguous

    @property
    def instruction(self) -> str:
        """What to do now, in a sentence."""
        return self._guide(self._selection)

    def marked(self, picture: Picture) -> Picture:
        """The picture with the cursor, the touched places, and the places that can be touched next."""
        if self._selection is None:
            return picture
        hints: dict[Place, Literal["lit", "chosen", "cursor"]] = dict.fromkeys(self._selection.targets, "lit")
        hints |= dict.fromkeys(self._selection.touched, "chosen")
        if self.cursor is not None:
            hints[self.cursor] = "cursor"
        spots = dict(picture.spots)
        for place, hint in hints.items():
            spots[place] = replace(picture.spot(*place), hint=hint)
        return replace(picture, spots=spots)

    def move(self, way: Way, fine: bool = False) -> None:
        """Moves the cursor to the nearest place in this direction. The first step only shows the cursor."""
        boxes = self._boxes()
        if not boxes:
            return
        if self.cursor not in boxes:
            self.cursor = self._start(boxes)
            return
        self.cursor = nearest(boxes, boxes[self.cursor], WAYS[way]) or self.cursor

    def touch(self) -> bool:
        """Touches the place under the cursor. Returns False if there is none, or if no move names it."""
        if self.cursor is None:
            return False
        found = self.selection.touch(self.cursor)
        if found is None:
            return False
        self._selection = found
        return True

    def touch_at(self, x: int, y: int) -> bool:
        """Touches the place drawn at a character of the page."""
        place = self.rendered.place_at(x, y)
        if place is None or place not in self._boxes():
            return False
        self.cursor = place
        return self.touch()

    def back(self) -> None:
        """Takes back the last touch; if there is none, hides the cursor."""
        if self.selection.touched:
            self._selection = self.selection.back()
        else:
            self.cursor = None

    def reset(self) -> None:
        """Clears the selection; the cursor stays."""
        if self._selection is not None:
            self._selection = Selection.among(self._selection.options)

    def _boxes(self) -> dict[Place, Box]:
        """The places that moves can name, with their boxes on the page."""
        domains = {place[0] for o in self.selection.options for g in o.groups for place in g}
        return {place: box for place, box in self.rendered.all_places.items() if place[0] in domains}

    def _start(self, boxes: Mapping[Place, Box]) -> Place:
        """The initial place of the cursor: its place in the previous turn, else the middle of the places at which a
        move can begin."""
        if self._before is not None and self._before in boxes:
            return self._before
        first = [p for o in self.selection.options for p in o.groups[0] if p in boxes] or list(boxes)
        x = sum(boxes[p].middle[0] for p in first) / len(first)
        y = sum(boxes[p].middle[1] for p in first) / len(first)
        return min(first, key=lambda p: (abs(boxes[p].middle[0] - x) + abs(boxes[p].middle[1] - y), p))


def nearest(boxes: Mapping[Place, Box], start: Box, way: tuple[int, int]) -> Place | None:
    """The nearest place in a direction; sideways distance counts more."""
    (x, y), (dx, dy) = start.middle, way
    best: tuple[float, Place] | None = None
    for place, box in boxes.items():
        ahead = (box.middle[0] - x) * dx + (box.middle[1] - y) * dy
        aside = abs((box.middle[0] - x) * dy) + abs((box.middle[1] - y) * dx)
        if ahead > 0 and aside <= 2 * ahead + 1:
            best = min(best, (ahead + ASIDE * aside, place)) if best else (ahead + ASIDE * aside, place)
    return None if best is None else best[1]
