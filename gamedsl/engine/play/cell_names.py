"""Cells typed with names of another style: ``r1c1`` where the board has ``a1``, and the other way around."""

from __future__ import annotations

import re
from collections.abc import Callable
from string import ascii_lowercase
from typing import TypeAlias

from gamedsl.language.boards import Board

_Place: TypeAlias = Callable[[re.Match[str]], tuple[int, int]]
_BY_NUMBERS = re.compile(r"r([0-9]{1,2})c([0-9]{1,2})", re.I)
_BY_LETTERS = re.compile(r"(?<![A-Za-z0-9])([a-z])([0-9]{1,2})(?![A-Za-z0-9])", re.I)


def in_own_names(board: Board, text: str) -> str | None:
    """The text with its cells named as on this board; None if it names no cells in the other style."""
    if board.coordinates is None:
        return None
    names = board.domains[board.place].names
    own = dict(zip(board.coordinates.cells, names, strict=False))
    if names[:1] and _BY_NUMBERS.fullmatch(names[0]):
        return _renamed(_BY_LETTERS, text, own, lambda m: (int(m[2]), ascii_lowercase.index(m[1].lower()) + 1))
    return _renamed(_BY_NUMBERS, text, own, lambda m: (int(m[1]), int(m[2])))


def _renamed(form: re.Pattern[str], text: str, own: dict[tuple[int, int], str], place: _Place) -> str | None:
    found = [own.get(place(m)) for m in form.finditer(text)]
    if not found or None in found:
        return None
    names = iter(found)
    return form.sub(lambda _: next(names) or "", text)
