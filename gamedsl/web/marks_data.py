"""What a page needs to know of the marks that players choose: the usual signs, and what can be a mark."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.core import chosen_signs, fixed_signs
from gamedsl.picture import can_be_mark, lookalikes

if TYPE_CHECKING:
    from gamedsl.core.nodes import Program

Json: TypeAlias = dict[str, Any]
LAST = 0xFFFF  # the last code point that can be a mark
_VISIBLE = "LNPS"


def marks_data(program: Program) -> Json | None:
    """``parts``: per part whose players choose, the usual sign of each (empty: it is fixed), the signs that nobody chooses, and
    whether it is played on paper; ``classes``: the characters that look alike; ``refused``: ranges of visible characters that
    cannot be marks. None where nobody chooses."""
    parts = [
        {
            "part": part.index,
            "signs": list(chosen_signs(part)),
            "fixed": sorted(fixed_signs(part)),
            "paper": part.drawing is not None,
        }
        for part in program.parts
        if any(chosen_signs(part))
    ]
    return {"parts": parts, "classes": list(lookalikes()), "refused": [list(r) for r in _refused()]} if parts else None


@cache
def _refused() -> tuple[tuple[int, int], ...]:
    """The ranges of characters that are refused, also of those that this Python does not know; others that are not visible may
    stand between them."""
    ranges: list[tuple[int, int]] = []
    is_open = False
    for code in range(LAST + 1):
        category = unicodedata.category(chr(code))
        if category[0] in _VISIBLE and can_be_mark(chr(code)):
            is_open = False
        elif category[0] in _VISIBLE or category == "Cn":
            ranges.append((ranges.pop()[0] if is_open else code, code))
            is_open = True
    return tuple(ranges)
