"""The size of a page, and the characters that it may contain."""

from __future__ import annotations

import unicodedata
from typing import Literal

from gamedsl.language.source import lazy_dataclass

SIZES: tuple[Literal[0, 1, 2], ...] = (0, 1, 2)


@lazy_dataclass(frozen=True, slots=True)
class Viewport:
    """The page to draw on: its columns and rows, whether it is ASCII only, and whether it shows colors. ``ends``:
    lines beyond the rows are lost, so only a part of a larger board is drawn. ``size``: the size of the drawing; 0 is
    the largest."""

    columns: int = 80
    rows: int = 16
    ascii: bool = False
    colour: bool = False
    ends: bool = True
    size: Literal[0, 1, 2] = 0


def clean(text: str, ascii: bool) -> str:
    """The text without control characters; if ``ascii``, characters outside ASCII are replaced by the nearest ones."""
    text = "".join(c for c in text if unicodedata.category(c)[0] != "C")
    if not ascii or text.isascii():
        return text
    bare = unicodedata.normalize("NFKD", text)
    return "".join(c if c.isascii() else "?" for c in bare if not unicodedata.combining(c))
