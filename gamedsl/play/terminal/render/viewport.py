"""The size of a page, and which characters it may contain."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Literal

SIZES: tuple[Literal[0, 1, 2], ...] = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class Viewport:
    """What is drawn on: columns and rows at hand, ASCII only or not, and whether colours are shown. ``ends``: what does not
    fit in the rows is lost, so that only a part of the board is drawn. ``size``: how large, 0 is the largest."""

    columns: int = 80
    rows: int = 16
    ascii: bool = False
    colour: bool = False
    ends: bool = True
    size: Literal[0, 1, 2] = 0


def clean(text: str, ascii: bool) -> str:
    """A text fit for the page: control characters gone, and outside ASCII replaced by the nearest if asked."""
    text = "".join(c for c in text if unicodedata.category(c)[0] != "C")
    if not ascii or text.isascii():
        return text
    bare = unicodedata.normalize("NFKD", text)
    return "".join(c if c.isascii() else "?" for c in bare if not unicodedata.combining(c))
