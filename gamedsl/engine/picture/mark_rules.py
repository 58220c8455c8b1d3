"""What can be the mark of a player: one visible sign that nobody mistakes for another on the board.

``lookalikes.txt`` has a line for each class of characters that look the same: those of Unicode's ``confusables.txt``
(UTS 39, \N{COPYRIGHT SIGN} Unicode, Inc.) that are single and one column wide, and simple shapes that differ only in
size.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from gamedsl.engine.picture.text_columns import text_width
from gamedsl.language.core import chosen_signs, fixed_signs

if TYPE_CHECKING:
    from gamedsl.language.core import nodes as n

MOST_CHARACTERS = 8  # of a refused mark are shown
DRAWN = ".,:;'\"`-_|/\\()[]{}<>!?"  # characters that a terminal draws boards with and puts around places
LAST = 0xFFFF  # the last code point that can be a mark
_VISIBLE = "LNPS"  # letters, numbers, punctuation, symbols
_RIGHT_TO_LEFT = ("R", "AL", "AN")
_LINE_ART = range(0x2500, 0x25A0)  # boxes and blocks
_BRAILLE = range(0x2800, 0x2900)


def chooses_marks(program: n.Program) -> bool:
    """Whether the players of a ruleset, or of a part of it, choose their marks."""
    return any(any(chosen_signs(part)) for part in program.parts)


def fault_of_marks(program: n.Program, marks: Sequence[str], ascii: bool = False) -> str | None:
    """A sentence that says why seats cannot have these marks (one for each seat; empty: the sign of the look); None if
    they can."""
    taken = [mark for mark in marks if mark]
    if taken and not chooses_marks(program):
        return f"the players of {program.title or program.name} do not choose their marks"
    for mark in taken:
        fault = _fault_of_sign(mark, ascii)
        if fault is not None:
            return fault
    for i, mark in enumerate(taken):
        if (other := next((one for one in taken[:i] if is_alike(one, mark)), None)) is not None:
            return f"`{other}` and `{mark}` look alike"
    parts = [part for part in program.parts if any(chosen_signs(part))]
    return next((fault for part in parts for fault in _clashes(part, marks)), None)


def without_variants(text: str) -> str:
    """A mark in its stored form: without spaces around it, and composed, so that a letter and its accent are one
    character."""
    return unicodedata.normalize("NFC", text.strip(" \t"))


def is_alike(one: str, other: str) -> bool:
    """Whether people can mistake one sign for the other: they look the same, or differ only in case or accents."""
    return bool(_forms(one) & _forms(other))


def lookalikes() -> tuple[str, ...]:
    """The classes of characters that look the same."""
    return tuple(Path(__file__).with_name("lookalikes.txt").read_text(encoding="utf-8").split())


@cache
def _classes() -> dict[str, str]:
    return {char: row[0] for row in lookalikes() for char in row}


def _forms(text: str) -> frozenset[str]:
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)) or text
    return frozenset("".join(_classes().get(c, c) for c in form) for form in (bare, bare.upper(), bare.lower()))


@cache
def _drawn_forms() -> frozenset[str]:
    """The forms of everything that boards are drawn with."""
    return frozenset().union(*map(_forms, DRAWN))


@cache
def refused_characters() -> tuple[tuple[int, int], ...]:
    """The ranges of visible characters that are refused, and of characters that this Python does not know. A range may
    include invisible characters between them."""
    ranges: list[tuple[int, int]] = []
    is_open = False
    for code in range(LAST + 1):
        category = unicodedata.category(chr(code))
        if category[0] in _VISIBLE and _fault_of_sign(chr(code), False) is None:
            is_open = False
        elif category[0] in _VISIBLE or category == "Cn":
            ranges.append((ranges.pop()[0] if is_open else code, code))
            is_open = True
    return tuple(ranges)


def _fault_of_sign(mark: str, ascii: bool) -> str | None:
    shown = "".join(c if c.isprintable() else f"U+{ord(c):04X}" for c in mark[:MOST_CHARACTERS])
    if len(mark) != 1:
        return f"a mark is one character, and `{shown}` is {len(mark)}"
    code = ord(mark)
    if unicodedata.category(mark)[0] not in _VISIBLE or text_width(mark) != 1:
        return f"`{shown}` cannot be a mark: a mark is a visible character, one column wide"
    if code > LAST:
        return f"`{shown}` cannot be a mark: not every screen can show it"
    if unicodedata.bidirectional(mark) in _RIGHT_TO_LEFT:
        return f"`{shown}` cannot be a mark: it is written from right to left, and would turn lines around"
    looks_drawn = mark in DRAWN or (not mark.isalnum() and not _forms(mark).isdisjoint(_drawn_forms()))
    if looks_drawn or code in _LINE_ART or code in _BRAILLE:
        return f"`{shown}` cannot be a mark: it looks like something that boards are drawn with"
    if ascii and not mark.isascii():
        return f"`{shown}` cannot be a mark here: only ASCII characters are shown"
    return None


def _clashes(part: n.Part, marks: Sequence[str]) -> Iterator[str]:
    """A sentence for each mark that looks like something else on a part's board: a fixed sign, or the sign of a player
    who has not chosen one. In a part of a match, any player may have any role."""
    signs = chosen_signs(part)
    for seat, mark in enumerate(marks):
        if not mark:
            continue
        others = [sign for role, sign in enumerate(signs) if _may_be_shown(part, role, seat, marks)]
        for sign in (*(sign for sign in others if sign), *sorted(fixed_signs(part))):
            if is_alike(mark, sign):
                yield f"`{mark}` looks like `{sign}`, which is on the board too"
        # the crossings of a drawing's lines, and the numbers of its spaces
        if part.drawing is not None and (mark == "+" or unicodedata.category(mark)[0] == "N"):
            yield f"`{mark}` cannot be a mark: it looks like something that the drawing shows"


def _may_be_shown(part: n.Part, role: int, seat: int, marks: Sequence[str]) -> bool:
    """Whether the sign of a role may be on the board together with the mark of a seat."""
    if part.index == 0:
        return role != seat and not marks[role]
    return any(not mark for other, mark in enumerate(marks) if other != seat)
