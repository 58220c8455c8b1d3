"""Characters that no ruleset text may contain: they would alter what else is on the screen."""

from __future__ import annotations

import re

# Marks, embeddings, overrides and isolates that turn the direction of what follows.
BIDI = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069"
# Also control characters, ends of lines and halves of surrogate pairs. (Inside brackets of a regular expression.)
UNFIT = f"\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ud800-\\udfff{BIDI}"
_UNFIT = re.compile(f"[{UNFIT}]")
_UNFIT_IN_LINES = re.compile(f"(?![\\t\\n\\r])[{UNFIT}]")


def first_unfit(text: str, *, lines: bool = False) -> str | None:
    """The first character that a text may not hold; ``lines``: tabs and ends of lines are fine."""
    found = (_UNFIT_IN_LINES if lines else _UNFIT).search(text)
    return found.group() if found else None
