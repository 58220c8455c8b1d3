"""Characters that no ruleset text may contain, because they would disturb the rest of the screen."""

from __future__ import annotations

import re

# Marks, embeddings, overrides and isolates that change the direction of text.
BIDI = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069"
# The same with control characters, line ends and surrogates; for use inside a character class of a regular expression.
UNFIT = f"\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ud800-\\udfff{BIDI}"
_UNFIT = re.compile(f"[{UNFIT}]")
_UNFIT_IN_LINES = re.compile(f"(?![\\t\\n\\r])[{UNFIT}]")


def first_unfit(text: str, *, lines: bool = False) -> str | None:
    """Returns the first forbidden character. ``lines``: allows tabs and line ends."""
    found = (_UNFIT_IN_LINES if lines else _UNFIT).search(text)
    return found.group() if found else None
