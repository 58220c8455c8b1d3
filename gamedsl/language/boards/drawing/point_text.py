"""Points as text: ``0,0 90,0 90,90.5`` <-> exact decimals."""

from __future__ import annotations

import re
from fractions import Fraction

from gamedsl.language.boards.drawing.messages import drawing_error
from gamedsl.language.boards.plan import Point

PLACES = 9  # decimals after the point
MOST = 1_000_000  # the largest coordinate, either way
MOST_POINTS = 200
_FRACTION = re.compile(r"([+-]?[0-9]{1,9})/([0-9]{1,9})", re.ASCII)
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)", re.ASCII)
_LONGEST = 40


def parse_points(text: str) -> tuple[Point, ...]:
    """Returns points from a string: ``x,y`` pairs separated by spaces (``1/3`` is rounded to the nearest decimal).
    Raises ``GameDSLError`` (E0701 to E0703).
    """
    pieces = text.split(maxsplit=MOST_POINTS + 1)
    if len(pieces) > MOST_POINTS + 1:
        raise drawing_error("E0703", shape="stroke", wanted=f"at most {MOST_POINTS}", count=f"{len(text.split())}")
    return tuple(_point(piece) for piece in pieces)


def format_points(points: tuple[Point, ...]) -> str:
    """Returns the shortest string that ``parse_points`` reads as these points."""
    return " ".join(f"{format_number(x)},{format_number(y)}" for x, y in points)


def format_number(value: Fraction) -> str:
    """Returns a number as a decimal without trailing zeros, rounded to ``PLACES`` decimals."""
    scaled = round(value * 10**PLACES)
    sign, digits = ("-" if scaled < 0 else ""), str(abs(scaled)).rjust(PLACES + 1, "0")
    return f"{sign}{digits[:-PLACES]}.{digits[-PLACES:]}".rstrip("0").rstrip(".")


def is_decimal(value: Fraction) -> bool:
    """Returns whether a number can be written exactly as a coordinate."""
    return abs(value) <= MOST and 10**PLACES % value.denominator == 0


def _point(piece: str) -> Point:
    numbers = piece.split(",")
    if len(numbers) != 2:
        raise drawing_error("E0701", text=piece[:_LONGEST])
    return _number(numbers[0], piece), _number(numbers[1], piece)


def _number(text: str, piece: str) -> Fraction:
    parts = _FRACTION.fullmatch(text)
    if parts and int(parts[2]):
        return _number(format_number(Fraction(int(parts[1]), int(parts[2]))), piece)
    if not _NUMBER.fullmatch(text):
        raise drawing_error("E0701", text=piece[:_LONGEST])
    whole, _, decimals = text.partition(".")
    if len(whole) > _LONGEST or len(decimals.rstrip("0")) > PLACES or abs(value := Fraction(text)) > MOST:
        raise drawing_error("E0702", text=text[:_LONGEST], places=PLACES, most=MOST)
    return value
