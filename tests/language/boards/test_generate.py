"""The generator draws by the rules, in variety, fast, and the same for the same seed."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

import pytest

from gamedsl.language.boards.drawing import (
    Condition,
    Drawing,
    Plan,
    StrokePlan,
    arrange,
    check_stroke,
    format_points,
    parse_points,
)
from gamedsl.language.boards.drawing.random_drawing import generate
from gamedsl.language.source.diagnostic import GameDSLError
from tests.language.boards.plans import FIGURE, NINE

LINES = NINE.names[:5]


def accepted(plan: Plan, drawn: Drawing) -> bool:
    """Whether every stroke passes the checks, in its order, after a journey through text."""
    before: Drawing = ()
    for name, points in drawn:
        if parse_points(format_points(points)) != points or check_stroke(plan, before, name, points):
            return False
        before = (*before, (name, points))
    return True


@cache
def whole(seed: int) -> Drawing:
    """A drawing made in two decisions, as it is played."""
    rng = Random(seed)
    first = generate(NINE, (), LINES, rng)
    return first + generate(NINE, first, ("bend",), rng)


def check(seed: int) -> int:
    drawn = whole(seed)
    assert accepted(NINE, drawn)
    found = arrange(NINE, drawn)
    k = found.crossings("bend")
    assert (len(found.spaces), len(found.borders)) == (10 + k, 13 + 2 * k)
    assert 12 <= len(found.spaces) <= 40
    return len(found.spaces)


def test_drawings_are_good_and_varied() -> None:
    sizes = [check(seed) for seed in range(12)]
    assert len(set(sizes)) >= 8
    assert min(sizes) <= 15
    assert max(sizes) >= 30


@pytest.mark.slow
@pytest.mark.parametrize("start", range(12, 300, 40))
def test_more_drawings_are_good(start: int) -> None:
    for seed in range(start, start + 40):
        check(seed)


def test_the_same_seed_draws_the_same() -> None:
    assert whole(7) == whole.__wrapped__(7)
    assert len({whole(seed) for seed in range(6)}) == 6


def test_coordinates_are_short() -> None:
    for _, points in whole(3):
        assert all((v * 1000).denominator == 1 and 0 <= v <= 100 for p in points for v in p)


def test_figures_are_irregular() -> None:
    outlines = [dict(generate(NINE, (), ("figure",), Random(seed)))["figure"] for seed in range(20)]
    assert len({len(points) for points in outlines}) >= 5


@pytest.mark.parametrize(
    "points",
    [
        "0,0 1000,0 1000,500 600,800 0,500",
        "0,0 1,0 1,1 0.4,0.7 0,1",
        "-900000,-900000 900000,-900000 0,900000",
        "5000,5000 5010,5000 5010,5010 5005,5003 5000,5010",
    ],
)
def test_on_an_outline_that_somebody_drew(points: str) -> None:
    outline: Drawing = (("figure", parse_points(points)),)
    drawn = outline + generate(NINE, outline, NINE.names[1:], Random(1))
    assert accepted(NINE, drawn)
    assert len(arrange(NINE, drawn).spaces) >= 12


def test_other_plans() -> None:
    plan = Plan(
        12,
        (
            FIGURE,
            StrokePlan("slash", "straight line", "figure"),
            StrokePlan("level", "straight line", "figure", (Condition("horizontal", 0),)),
            StrokePlan("island", "closed curve", None, (Condition("simple"), Condition("apart", None, ("figure",)))),
            StrokePlan("path", "open curve", None, (Condition("simple"), Condition("crosses"))),
        ),
    )
    for seed in range(10):
        drawn = generate(plan, (), plan.names, Random(seed))
        assert accepted(plan, drawn)
        assert len(arrange(plan, drawn).spaces) <= 12


def test_small_limits_are_kept() -> None:
    for limit in (11, 12, 15):
        plan = Plan(limit, NINE.strokes)
        for seed in range(5):
            assert len(arrange(plan, generate(plan, (), plan.names, Random(seed))).spaces) <= limit


def test_what_cannot_be_drawn_ends_with_an_error() -> None:
    both = (Condition("horizontal", 10), Condition("vertical", 10))
    plan = Plan(9, (FIGURE, StrokePlan("line", "straight line", "figure", both)))
    figure: Drawing = (("figure", tuple((Fraction(x), Fraction(y)) for x, y in ((0, 0), (90, 0), (90, 90)))),)
    with pytest.raises(GameDSLError) as problem:
        generate(plan, figure, ("line",), Random(0))
    assert problem.value.diagnostics[0].code == "E0730"
