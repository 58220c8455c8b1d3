"""The facts that a page needs about the marks that players choose: the usual signs, and the characters allowed as
marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.engine.picture import lookalikes, refused_characters
from gamedsl.language.core import chosen_signs, fixed_signs

if TYPE_CHECKING:
    from gamedsl.language.core import nodes as n

Json: TypeAlias = dict[str, Any]


def marks_data(program: n.Program) -> Json | None:
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
    return (
        {"parts": parts, "classes": list(lookalikes()), "refused": [list(r) for r in refused_characters()]}
        if parts
        else None
    )
