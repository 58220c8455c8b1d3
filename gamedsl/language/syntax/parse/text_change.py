"""Which lines of a text stand in another one too: what is known of them can be taken over."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from gamedsl.language.source import Source


class Change(NamedTuple):
    """The lines of a text that another one has differently. Lines are counted from 0. ``first`` and ``rest``: the old lines before which,
    and from which on, nothing changes; ``lines``: how many lines further on the rest is. ``changed``: the old lines that do, in order.
    """

    first: int
    rest: int
    lines: int
    changed: list[int]

    def old_line(self, number: int) -> int | None:
        """Returns the old number of a line of the new text; None for a line that is new."""
        if number < self.first:
            return number
        old = number - self.lines
        return old if old >= self.rest or not self.lines else None


def change_between(old: Source, new: Source) -> Change:
    """Returns how the lines of two texts differ: line by line if there are equally many, else in one stretch."""
    before, after = old.text, new.text
    lines = len(new.line_starts) - len(old.line_starts)
    if not lines:
        pairs = zip(before.split("\n"), after.split("\n"), strict=True)
        changed = [number for number, (one, other) in enumerate(pairs) if one != other]
        return Change(0, 0, 0, changed)
    same = _same_start(before, after)
    most = min(len(before), len(after)) - same
    same_end = _same_start(before[len(before) - most :][::-1], after[len(after) - most :][::-1])
    first = bisect_right(old.line_starts, same) - 1
    rest = bisect_right(old.line_starts, len(before) - same_end)
    return Change(first, rest, lines, list(range(first, rest)))


def _same_start(one: str, other: str) -> int:
    """Returns how many characters two texts begin with in common."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
