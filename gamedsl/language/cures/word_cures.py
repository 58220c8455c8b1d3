"""Cures that replace words: similar names, names that are taken, values out of range, code that the help quotes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from typing import TypeAlias

from gamedsl.language.cures.mistake import Place, shown
from gamedsl.language.source import Edit, Fix

Cure: TypeAlias = Callable[[Place], Iterator[Fix]]

_NUMBER = re.compile(r"-?\d[\d,]*")
_ADVICE = re.compile(r"(?:[Ww]rite(?: it as)?|Say whose:|Declare it:|Use) `([^`]+)`")
_PLACEHOLDER = re.compile(r"\.\.\.|\b[A-Z]{3,}\b")


def near(place: Place, safe: bool = False) -> Iterator[Fix]:
    """Replaces the wrong word with one of the similar names."""
    span = _wrong_word(place)
    if span is None:
        return
    wrong = place.source.text[span[0] : span[1]]
    names = [name for name in place.found.near if name != wrong]
    for name in names:
        yield place.fix(f"Change {shown(wrong)} to {shown(name)}", *span, name, safe and len(names) == 1)


def near_word(place: Place) -> Iterator[Fix]:
    """Replaces a word like ``near``, where the possible words are fixed, so that a single similar one is safe."""
    return near(place, safe=True)


def _wrong_word(place: Place) -> tuple[int, int] | None:
    """Returns the start and end of the word that the message quotes, inside the marked text or equal to it."""
    text, start = place.text, place.span.start
    for name in place.names:
        found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
        if found and name != text:
            return start + found.start(), start + found.end()
    bare = re.fullmatch(r"[`\"']?([\w.-]+)[`\"']?", text)
    return (start + bare.start(1), start + bare.end(1)) if bare else None


def renamed(place: Place) -> Iterator[Fix]:
    """Appends ``_``, and a number if needed, to a name that is taken or a keyword; a bound name is changed in the rest
    of its line too.
    """
    name = place.text
    if not re.fullmatch(r"\w+", name):
        return
    used = {w.text for w in place.view.words}
    fresh = next(one for one in (f"{name}_{n or ''}" for n in (0, *range(2, 1000))) if one not in used)
    edits = [Edit(place.span, fresh)]
    line = place.line
    if line is not None and line.first not in ("type", "state", "notation", "players") and place.found.code == "E0205":
        edits += [
            Edit(place.stretch(w.start, w.end), fresh)
            for w in line.words
            if w.text == name and w.start > place.span.start
        ]
    yield Fix(f"Rename {shown(name)} to {shown(fresh)}", tuple(edits))


def clamped(place: Place) -> Iterator[Fix]:
    """Replaces a number with the nearest one that the message or its help allows."""
    numbers = list(_NUMBER.finditer(place.text))
    limits = _limits(place)
    for found in numbers[-1:]:
        value = int(found.group().replace(",", ""))
        nearest = min(max(value, limits[0]), limits[1]) if limits else value
        if nearest != value:
            start = place.span.start
            yield place.fix(f"Write `{nearest}`", start + found.start(), start + found.end(), str(nearest))


def _limits(place: Place) -> tuple[int, int] | None:
    for text in (place.found.help, place.found.message):
        for pattern in (r"from (-?\d+) to (-?\d+)", r"(-?\d+) to (-?\d+)", r"in (-?\d+)\.\.(-?\d+)"):
            if found := re.search(pattern, text):
                return int(found.group(1)), int(found.group(2))
        if found := re.search(r"(?:up to|at most|fewer than|longest has|minimum of|holds up to) (\d+)", text):
            least = "minimum" in found.group()
            return (int(found.group(1)), 10**9) if least else (1, int(found.group(1)))
    return None


def advised(place: Place) -> Iterator[Fix]:
    """Replaces the marked text with the code that the help recommends."""
    for code in _ADVICE.findall(place.found.help):
        if not _PLACEHOLDER.search(code):
            yield place.replacing(code)
            return


def advised_line(place: Place) -> Iterator[Fix]:
    """Replaces the line that begins with the same two words as a line that the help quotes."""
    for code in place.advised:
        for line in place.view.lines:
            same = code.split()[:1] == [line.first] and code.split("(")[0].split()[1:2] == [
                w.text for w in line.words[1:2]
            ]
            if same and not _PLACEHOLDER.search(code):
                yield place.fix(f"Write {shown(code)}", line.start, line.end, code)
                return


def advised_words(place: Place) -> Iterator[Fix]:
    """Replaces the marked word with each of the words that the help quotes."""
    for word in place.advised:
        if word.isidentifier():
            yield place.replacing(word)


def advised_text(place: Place) -> Iterator[Fix]:
    """Replaces a string of the line with the one that the help quotes, as in ``written "..."``."""
    for code in place.advised:
        found = re.search(rf'{re.escape(code.partition(chr(34))[0])}"[^"]*"', place.text) if '"' in code else None
        if found and "..." not in code:
            start = place.span.start
            yield place.fix(f"Write {shown(code)}", start + found.start(), start + found.end(), code)


def listed(place: Place) -> Iterator[Fix]:
    """Replaces the wrong word with one of those that the help lists, the most similar first."""
    found = re.search(r": ([\w, ]+)[.)]", place.found.help)
    span = _wrong_word(place)
    if found is None or span is None:
        return
    wrong = place.source.text[span[0] : span[1]]
    names = [one for one in re.split(r",\s*|\s+or\s+", found[1]) if one.isidentifier() and one != "none"]
    for name in sorted(names, key=lambda one: -SequenceMatcher(None, one, wrong).ratio())[:3]:
        yield place.fix(f"Change {shown(wrong)} to {shown(name)}", *span, name)


def rewrite(pattern: str, text: str, title: str, safe: bool = False) -> Cure:
    """Returns a cure that replaces the first match of a pattern in the marked text."""
    return _rewriting(pattern, text, title, safe, whole_line=False)


def rewrite_line(pattern: str, text: str, title: str, safe: bool = False) -> Cure:
    """Returns a cure that replaces the first match of a pattern in the logical line."""
    return _rewriting(pattern, text, title, safe, whole_line=True)


def _rewriting(pattern: str, text: str, title: str, safe: bool, *, whole_line: bool) -> Cure:
    compiled = re.compile(pattern, re.S)

    def cure(place: Place) -> Iterator[Fix]:
        line = place.line
        start, end = place.span.start, place.span.end
        if whole_line and line is not None:
            start, end = line.start, line.end
        if found := compiled.search(place.source.text[start:end]):
            new = found.expand(text)
            yield place.fix(title.format(shown(new.strip())), start + found.start(), start + found.end(), new, safe)

    return cure


def first_player(place: Place) -> str:
    """Returns the name of the first player of the ruleset; empty if no names are declared."""
    for line in place.view.lines:
        if line.first == "players" and len(line.words) > 1 and line.words[1].kind == "name":
            return line.words[1].text
    return ""


def some_player(place: Place) -> str:
    """Returns ``me`` where a player is to move, otherwise the first player."""
    number = place.line_number
    while number is not None:
        first = place.view.lines[number].first
        if first in ("move", "turns"):
            return "me"
        number = place.view.parent(number)
    return first_player(place)


def named_player(place: Place) -> Iterator[Fix]:
    """Replaces ``me`` with the first player."""
    if name := first_player(place):
        yield place.replacing(name, f"Name the player: `{name}`")


def keyed(place: Place) -> Iterator[Fix]:
    """Adds the player in brackets."""
    who = some_player(place)
    if who and "player" in place.found.message:
        yield place.replacing(f"{place.text}[{who}]")


def told_apart(place: Place) -> Iterator[Fix]:
    """Puts the name of a move before its notation, so that it differs from another."""
    line = place.line
    text = next((w for w in line.words if w.kind == "string"), None) if line else None
    if text is not None and place.names:
        yield place.fix(
            f"Begin its text with {shown(place.names[0])}", text.start + 1, text.start + 1, f"{place.names[0]} "
        )
