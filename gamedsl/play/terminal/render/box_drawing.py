"""The characters for joints of lines of different weights, in box drawing or in ASCII."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

NONE, LIGHT, HEAVY, DOUBLE, DASHED = 0, 1, 2, 3, 4
WEIGHTS = {"light": LIGHT, "heavy": HEAVY, "double": DOUBLE, "dashed": DASHED}
_WORDS = {"LIGHT": LIGHT, "SINGLE": LIGHT, "HEAVY": HEAVY, "DOUBLE": DOUBLE}
_SIDES = {"UP": "n", "DOWN": "s", "LEFT": "w", "RIGHT": "e", "VERTICAL": "ns", "HORIZONTAL": "ew"}
_ASCII_LEVEL = {NONE: " ", LIGHT: "-", HEAVY: "#", DOUBLE: "=", DASHED: "."}
_ASCII_UPRIGHT = {NONE: " ", LIGHT: "|", HEAVY: "#", DOUBLE: "H", DASHED: ":"}


class Arms(NamedTuple):
    """The weights of the four lines that meet at a place."""

    n: int = NONE
    e: int = NONE
    s: int = NONE
    w: int = NONE


@cache
def _table() -> dict[Arms, str]:
    """The box-drawing characters by their arms, read off their names."""
    table: dict[Arms, str] = {}
    for code in range(0x2500, 0x2580):
        words = unicodedata.name(chr(code)).removeprefix("BOX DRAWINGS ").split()
        if not {"DASH", "ARC", "DIAGONAL"} & set(words):
            table.setdefault(_arms_of(words), chr(code))
    return table


def _arms_of(words: list[str]) -> Arms:
    """``DOWN LIGHT AND RIGHT UP HEAVY`` -> n heavy, e heavy, s light."""
    arms: dict[str, int] = {}
    weight = LIGHT
    for group in " ".join(words).split(" AND "):
        named = [_WORDS[w] for w in group.split() if w in _WORDS]
        weight = named[0] if named else weight
        for word in group.split():
            for side in _SIDES.get(word, ""):
                arms[side] = weight
    return Arms(**arms)


def _easier(arms: Arms) -> Iterator[Arms]:
    """The arms, then ever rougher approximations, for mixtures that have no character."""
    solid = Arms(*(LIGHT if a == DASHED else a for a in arms))
    yield solid
    if HEAVY in solid:
        yield Arms(*(HEAVY if a == DOUBLE else a for a in solid))
    strong = Arms(*(a if a == DOUBLE else NONE for a in solid))
    if sum(a == DOUBLE for a in strong) > 1:
        yield strong
    yield Arms(*(LIGHT if a == DOUBLE else a for a in solid))


def joint(arms: Arms, ascii: bool) -> str:
    """The character for a place where lines meet; a space where none does."""
    if not any(arms):
        return " "
    if ascii:
        return _ascii_joint(arms)
    return next(found for a in _easier(arms) if (found := _table().get(a)) is not None)


def _ascii_joint(arms: Arms) -> str:
    level, upright = max(arms.e, arms.w), max(arms.n, arms.s)
    for weight in (HEAVY, DOUBLE):
        if level == weight and arms.e == arms.w:
            return _ASCII_LEVEL[weight]
        if upright == weight and arms.n == arms.s:
            return _ASCII_UPRIGHT[weight]
    if not upright:
        return _ASCII_LEVEL[level]
    if not level:
        return _ASCII_UPRIGHT[upright]
    return "+"


def bar(weight: int, upright: bool, ascii: bool) -> str:
    """The character of a line between two joints."""
    if ascii:
        return (_ASCII_UPRIGHT if upright else _ASCII_LEVEL)[weight]
    if weight == DASHED:
        return "╎" if upright else "╌"
    return joint(Arms(n=weight, s=weight) if upright else Arms(e=weight, w=weight), False)
