"""Points as text."""

from __future__ import annotations

from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamedsl.language.boards.drawing import format_points, parse_points
from gamedsl.language.source.diagnostic import GameDSLError


def test_points_are_exact() -> None:
    assert parse_points(" 0,0  -12.5,+30\n.1,7. ") == ((F(0), F(0)), (F(-25, 2), F(30)), (F(1, 10), F(7)))
    assert parse_points("") == ()
    assert parse_points("-0,1000000") == ((F(0), F(10**6)),)
    assert parse_points("0.123456789000,1")[0][0] == F(123456789, 10**9)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("0,0 1", "E0701"),
        ("0,0 1,2,3", "E0701"),
        ("0;0", "E0701"),
        ("a,b", "E0701"),
        ("1e3,0", "E0701"),
        (",", "E0701"),
        ("nan,0", "E0701"),
        ("١,٢", "E0701"),
        ("1_0,0", "E0701"),
        ("--1,0", "E0701"),
        ("0.1234567891,0", "E0702"),
        ("1000001,0", "E0702"),
        ("9" * 5000 + ",0", "E0702"),
        ("0." + "0" * 5000 + "1,0", "E0702"),
        ("0,0 " * 500, "E0703"),
    ],
)
def test_what_is_no_list_of_points(text: str, code: str) -> None:
    with pytest.raises(GameDSLError) as problem:
        parse_points(text)
    (diagnostic,) = problem.value.diagnostics
    assert diagnostic.code == code
    assert len(diagnostic.message) < 120


DECIMALS = st.integers(-(10**15), 10**15).map(lambda n: F(n, 10**9))


@given(st.lists(st.tuples(DECIMALS, DECIMALS), max_size=20).map(tuple))
def test_text_and_points_say_the_same(points: tuple[tuple[F, F], ...]) -> None:
    assert parse_points(format_points(points)) == points


def test_numbers_are_written_short() -> None:
    assert format_points(((F(3), F(-1, 2)), (F(0), F(1200)))) == "3,-0.5 0,1200"
