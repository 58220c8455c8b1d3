"""How many columns of a terminal a text takes."""

from __future__ import annotations

from wcwidth import wcswidth, wcwidth


def text_width(text: str) -> int:
    """The columns of a text; what cannot be printed takes none."""
    width = wcswidth(text)
    return width if width >= 0 else sum(max(0, wcwidth(character)) for character in text)
