"""Random drawings, by the same conditions and checks as those that people make.

Candidates are sampled with floating-point geometry, with more room between strokes than the checks require, so that the
result is easy to read; then every stroke must pass ``check_stroke``. A stroke that fails is tried again.
"""

from __future__ import annotations

from random import Random

from gamedsl.language.boards.drawing.messages import drawing_error
from gamedsl.language.boards.drawing.overlay import count_spaces
from gamedsl.language.boards.drawing.random_curve import random_curve
from gamedsl.language.boards.drawing.random_strokes import Sheet, chord, outline
from gamedsl.language.boards.drawing.snap_path import snapped_paths
from gamedsl.language.boards.drawing.stroke_checks import check_stroke
from gamedsl.language.boards.plan import Drawing, Plan, Stroke

ROUNDS = 25  # fresh starts
TRIES = 40  # for one stroke
FEWEST, MOST = 12, 40  # the intended number of spaces of a finished drawing, if its plan allows it


def generate(plan: Plan, drawing: Drawing, names: tuple[str, ...], rng: Random) -> Drawing:
    """Returns random strokes ``names``, in that order, to continue a drawing. Deterministic in ``rng``.

    Raises ``GameDSLError`` (E0730) when no good strokes are found within a bounded number of attempts.
    """
    for _ in range(ROUNDS):
        found = _attempt(plan, drawing, names, rng)
        if found is not None:
            return found
    raise drawing_error("E0730", tries=ROUNDS * TRIES)


def _attempt(plan: Plan, drawing: Drawing, names: tuple[str, ...], rng: Random) -> Drawing | None:
    drawn = drawing
    for name in names:
        stroke = _stroke(plan, drawn, name, rng)
        if stroke is None:
            return None
        drawn = (*drawn, stroke)
    return drawn[len(drawing) :]


def _stroke(plan: Plan, drawn: Drawing, name: str, rng: Random) -> Stroke | None:
    """Returns a stroke that passes the checks; None after ``TRIES`` attempts."""
    stroke = plan.stroke(name)
    if stroke is None:
        return None
    sheet = Sheet(plan, stroke, snapped_paths(plan, drawn))
    if stroke.shape == "open curve":
        return _open_curve(sheet, drawn, rng)
    for _ in range(TRIES):
        points = outline(sheet, rng) if stroke.shape == "closed curve" else chord(sheet, rng)
        if points and not check_stroke(plan, drawn, name, points):
            return name, points
    return None


def _open_curve(sheet: Sheet, drawn: Drawing, rng: Random) -> Stroke | None:
    """Chooses a number of spaces, and returns the curve that comes closest to it; None if none passes the checks."""
    plan, name = sheet.plan, sheet.stroke.name
    before = count_spaces(sheet.drawn)
    least, most = _range(plan, drawn, name, before)
    wanted = rng.randint(least, most)
    best: tuple[int, Stroke] | None = None
    for i in range(TRIES):
        points, crossed = random_curve(sheet, max(0, wanted - before - 1), rng)
        count = before + 1 + crossed
        off = abs(count - wanted) + (MOST if not least <= count <= most else 0)
        if points and (best is None or off < best[0]) and not check_stroke(plan, drawn, name, points):
            best = off, (name, points)
        if best is not None and best[0] <= i:
            break
    return None if best is None else best[1]


def _range(plan: Plan, drawn: Drawing, name: str, before: int) -> tuple[int, int]:
    """Returns the least and greatest intended number of spaces after a stroke; fewer if other strokes follow."""
    most = max(min(MOST, plan.limit), before + 1)
    if {n for n, _ in drawn} | {name} >= set(plan.names):
        return min(max(FEWEST, before + 1), most), most
    return min(before + 1, most), max(before + 1, most // 2)
