"""Two changes of one text, made apart, as one: line by line, as version control does it."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import pairwise


def merged(base: str, mine: str, theirs: str) -> str | None:
    """The text with both changes; None if both change the same place, or places that touch."""
    old = base.splitlines(keepends=True)
    changes = sorted(set(_changes(old, mine)) | set(_changes(old, theirs)))
    for one, other in pairwise(changes):
        if other[0] <= one[1]:
            return None
    out: list[str] = []
    at = 0
    for start, end, new in changes:
        out += [*old[at:start], *new]
        at = end
    return "".join([*out, *old[at:]])


def _changes(old: list[str], text: str) -> list[tuple[int, int, tuple[str, ...]]]:
    new = text.splitlines(keepends=True)
    found = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(a, b, tuple(new[c:d])) for kind, a, b, c, d in found if kind != "equal"]
