"""A finished drawing as a board: its spaces (faces), borders and crossings."""

from __future__ import annotations

from collections import OrderedDict
from fractions import Fraction
from functools import cached_property

from gamedsl.language.boards.drawing.geometry import on_segment
from gamedsl.language.boards.drawing.overlay import Border, Space, Subdivision, subdivide
from gamedsl.language.boards.drawing.pair_checks import contact
from gamedsl.language.boards.drawing.snap_path import snapped_paths
from gamedsl.language.boards.plan import Drawing, Plan, is_complete
from gamedsl.language.source import lazy_dataclass

KEPT = 64


@lazy_dataclass(frozen=True)
class Arrangement:
    """The arrangement of a drawing. Until all strokes of the plan are drawn, it has no spaces, borders or crossings."""

    plan: Plan
    drawing: Drawing

    @cached_property
    def _parts(self) -> Subdivision:
        return subdivide(snapped_paths(self.plan, self.drawing)) if self.complete else Subdivision((), ())

    @cached_property
    def complete(self) -> bool:
        return is_complete(self.plan, self.drawing)

    @property
    def spaces(self) -> tuple[Space, ...]:
        """The spaces; ``s1`` is the first. Each has an inner point, an outline, and possibly holes."""
        return self._parts.spaces

    @property
    def borders(self) -> tuple[Border, ...]:
        """The borders; each has its two spaces (numbers from 0), its path and its stroke's name."""
        return self._parts.borders

    def crossings(self, name: str) -> int:
        """Returns the number of times that a stroke crosses straight strokes; other strokes do not count."""
        return self._crossings.get(name, 0)

    @cached_property
    def _crossings(self) -> dict[str, int]:
        paths = snapped_paths(self.plan, self.drawing) if self.complete else {}
        straight = [s.name for s in self.plan.strokes if s.shape == "straight line" and s.name in paths]
        return {
            name: sum(len(contact(path, paths[other]).crossings) for other in straight if other != name)
            for name, path in paths.items()
        }

    def neighbors(self, space: int) -> tuple[int, ...]:
        """Returns the spaces that have a border in common with a space, ascending."""
        pairs = (b.spaces for b in self.borders if space in b.spaces)
        return tuple(sorted({s for pair in pairs for s in pair} - {space}))

    def space_at(self, x: Fraction, y: Fraction) -> int | None:
        """Returns the space that contains a point; None if the point is outside or on a border."""
        for i, space in enumerate(self.spaces):
            if any(on_segment((x, y), s) for s in space.edges()):
                return None
            if space.contains((x, y)):
                return i
        return None


_arranged: OrderedDict[int, tuple[Plan, Drawing, Arrangement]] = OrderedDict()


def arrange(plan: Plan, drawing: Drawing) -> Arrangement:
    """Returns the arrangement of a drawing whose strokes have passed ``check_stroke``; cached."""
    # by identity first, because hashing hundreds of fractions for every query of a rule would dominate the cost
    kept = _arranged.get(id(drawing))
    if kept is not None and kept[0] is plan and kept[1] is drawing:
        return kept[2]
    found = next((a for p, d, a in _arranged.values() if p == plan and d == drawing), None)
    found = found or Arrangement(plan, drawing)
    _arranged[id(drawing)] = (plan, drawing, found)
    if len(_arranged) > KEPT:
        _arranged.popitem(last=False)
    return found
