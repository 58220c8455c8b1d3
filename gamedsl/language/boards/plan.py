"""The plan of a board that players draw, its strokes with their conditions, and the faults of a stroke.

board drawing up to 40 spaces
  figure: closed curve
    simple
  upper, lower: straight line across figure
    within 45 degrees of horizontal
"""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from typing import Literal, TypeAlias

from gamedsl.language.source import NOWHERE, Span, node

Point: TypeAlias = tuple[Fraction, Fraction]
Stroke: TypeAlias = tuple[str, tuple[Point, ...]]
Drawing: TypeAlias = tuple[Stroke, ...]
StrokeShape: TypeAlias = Literal["closed curve", "straight line", "open curve"]
ConditionKind: TypeAlias = Literal[
    "simple", "horizontal", "vertical", "apart", "crosses once", "crosses", "avoids crossings", "new ends"
]

BORDERS_PER_SPACE = 3  # a drawing of n spaces has at most this many times n borders
# Tolerances, as fractions of the greater of the figure's width and height. A drawing by hand is a hundred times
# coarser.
SNAP = Fraction(1, 10_000)  # an end this near to the outline is moved onto it
NEAR = Fraction(1, 1_000_000)  # points and lines this near to each other, without meeting exactly, are refused


@node()
class Condition:
    """One condition of a stroke; ``degrees`` for horizontal and vertical, ``names`` of other strokes."""

    kind: ConditionKind
    degrees: int | None = None
    names: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@node()
class StrokePlan:
    """One stroke: its shape, the closed curve that it divides from side to side (``across``), and its conditions."""

    name: str
    shape: StrokeShape
    across: str | None = None
    conditions: tuple[Condition, ...] = ()
    clauses: tuple[str, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def condition(self, kind: ConditionKind) -> Condition | None:
        """Returns the first condition of a kind; None if there is none."""
        return next((c for c in self.conditions if c.kind == kind), None)


@node()
class Plan:
    """All strokes in order of declaration; a drawing has at most ``limit`` spaces."""

    limit: int
    strokes: tuple[StrokePlan, ...]

    def stroke(self, name: str) -> StrokePlan | None:
        return next((s for s in self.strokes if s.name == name), None)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(s.name for s in self.strokes)


@node()
class Fault:
    """A mistake in a stroke. ``clauses`` and ``span`` are those of the condition (or of the stroke's own line);
    ``at`` is the place, if the fault has one."""

    code: str
    message: str
    clauses: tuple[str, ...]
    condition: Condition | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False)
    at: Point | None = None


def is_complete(plan: Plan, drawing: Drawing) -> bool:
    """Returns whether every stroke of the plan is drawn."""
    return set(plan.names) <= {name for name, _ in drawing}


def plan_problems(plan: Plan) -> list[tuple[Span, str]]:
    """Returns the inconsistencies of a plan, each with its place and a sentence; empty for a valid plan."""
    found: list[tuple[Span, str]] = []
    for i, stroke in enumerate(plan.strokes):
        earlier = {s.name: s for s in plan.strokes[:i]}
        figure = earlier.get(stroke.across) if stroke.across else None
        if stroke.across and (figure is None or figure.shape != "closed curve"):
            found.append(
                (
                    stroke.span,
                    f"`{stroke.name}` goes across `{stroke.across}`, which is not a closed curve declared before it",
                )
            )
        if stroke.across and stroke.shape == "closed curve":
            found.append(
                (stroke.span, f"`{stroke.name}` is closed; only lines and open curves can go across something")
            )
        for condition in stroke.conditions:
            found += [(condition.span, problem) for problem in _condition_problems(plan, stroke, condition)]
    return found


def _condition_problems(plan: Plan, stroke: StrokePlan, condition: Condition) -> list[str]:
    found = [f"there is no stroke `{n}`" for n in condition.names if n not in plan.names]
    if condition.kind in ("horizontal", "vertical"):
        if stroke.shape != "straight line":
            found.append(f"only a straight line can be {condition.kind}")
        if condition.degrees is None or not 0 <= condition.degrees <= 90:
            found.append("the degrees must be between 0 and 90")
    if condition.kind == "new ends" and stroke.shape == "closed curve":
        found.append("a closed curve has no ends")
    return found
