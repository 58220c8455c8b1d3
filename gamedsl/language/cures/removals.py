"""Cures that remove something: a word, an entry of a list, brackets, a line with its block."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gamedsl.language.cures.mistake import Place, shown
from gamedsl.language.cures.word_cures import Cure
from gamedsl.language.source import Edit, Fix

_HOLDERS = frozenset({"state", "info", "look"})  # declarations that are empty without a line below them


def remove_text(place: Place) -> Iterator[Fix]:
    """Removes the marked text, with the space before it."""
    yield from _without(place, place.span.start, place.span.end)


def _without(place: Place, start: int, end: int) -> Iterator[Fix]:
    text = place.source.text
    row = place.view.row_start(start)
    before = start
    while before > row and text[before - 1] in " \t":
        before -= 1
    if end > start and (end == len(text) or text[end] in " \n,)]}"):
        start = before if before > row else start
    yield place.fix(f"Remove {shown(text[start:end].strip())}", start, end, "")


def remove_entry(place: Place) -> Iterator[Fix]:
    """Removes the marked entry from its list, with a comma or ``|``; the only entry of a list is kept."""
    words, view = place.words(), place.view
    if not words:
        return
    first, last = view.word_number(words[0].start), view.word_number(words[-1].start)
    before = view.words[first - 1] if first else None
    after = view.words[last + 1] if last + 1 < len(view.words) else None
    title = f"Remove {shown(place.text)}"
    if before is not None and before.text in (",", "|", "with"):
        if before.text != "with" or after is None or after.text != ",":
            yield place.fix(title, view.words[first - 2].end, words[-1].end, "")
            return
    if after is not None and after.text in (",", "|"):
        yield place.fix(title, words[0].start, view.words[last + 2].start, "")


def remove_entries_from(count: int) -> Cure:
    """Returns a cure that keeps only the first ``count`` entries of the marked list."""

    def cure(place: Place) -> Iterator[Fix]:
        depth = 0
        commas = []
        for word in place.words():
            depth += (word.text in "([{") - (word.text in ")]}")
            if word.text == "," and depth <= 1:
                commas.append(word)
        words = place.words()
        inner = words[-1].text in ("]", ")") and any(w.text in ("[", "(") for w in words)
        if len(commas) >= count:
            end = words[-1].start if inner else words[-1].end
            yield place.fix(f"Keep {count} of them", commas[count - 1].start, end, "")

    return cure


def remove_brackets(place: Place) -> Iterator[Fix]:
    """Removes the brackets after a name, with their contents."""
    words = place.words()
    opening = next((w for w in words if w.text in ("[", "(")), None)
    if opening is not None:
        start, end = opening.start, words[-1].end
        yield place.fix(f"Remove {shown(place.source.text[start:end])}", start, end, "")


def remove_lines(place: Place) -> Iterator[Fix]:
    """Removes the line and everything indented below it, and a parent line that would be empty."""
    number = place.line_number
    if number is None:
        return
    view = place.view
    end = view.block_end(number)
    title = f"Remove {shown(view.source.text[view.lines[number].start : view.lines[number].end])}"
    parent = view.parent(number)
    while (
        parent is not None
        and parent + 1 == number
        and view.block_end(parent) == end
        and view.lines[parent].first in _HOLDERS
    ):
        number, parent = parent, view.parent(parent)
    span = view.whole_lines(number, end)
    yield Fix(title, (Edit(span, ""),))


def remove_lines_surely(place: Place) -> Iterator[Fix]:
    """Removes lines like ``remove_lines``; safe because the rules are the same without them."""
    for fix in remove_lines(place):
        yield Fix(fix.title, fix.edits, True)


def remove_matching(pattern: str, safe: bool = False) -> Cure:
    """Returns a cure that removes the match of a pattern in the logical line."""
    compiled = re.compile(pattern)

    def cure(place: Place) -> Iterator[Fix]:
        line = place.line
        if line is None:
            return
        if found := compiled.search(place.source.text[line.start : line.end]):
            start, end = line.start + found.start(), line.start + found.end()
            yield place.fix(f"Remove {shown(found.group().strip())}", start, end, "", safe)

    return cure


def remove_cite(place: Place) -> Iterator[Fix]:
    """Removes a citation, with the spaces before it."""
    text, start = place.source.text, place.span.start
    while start and text[start - 1] == " ":
        start -= 1
    after = text[place.span.end : place.span.end + 1]
    space = " " if after not in ("", "\n") and text[place.span.end :].lstrip(" ")[:1] != "\n" else ""
    yield place.fix(f"Remove {shown(place.text)}", start, place.span.end, space if after != " " else "")
