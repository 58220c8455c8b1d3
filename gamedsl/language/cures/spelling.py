"""Cures of the spelling of single lines: characters, indentation, quotes, signs, line breaks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gamedsl.language.cures.mistake import Place, shown
from gamedsl.language.source import Edit, Fix

_STRAIGHT = {"\u201c": '"', "\u201d": '"', "\u201e": '"', "\u201f": '"', "\u2212": "-", "\u2013": "-", "\u00a0": " "}
_COMPARISONS = frozenset({"=", "!=", "<", "<=", ">", ">=", "in", "within", "meets", "disjoint"})
_SIGNS = re.compile(r"write `([^` ]{1,3})`(?: to compare| for unequal)?\.?$|write `(and|or|not|mod|div)`", re.I)


def fit_character(place: Place) -> Iterator[Fix]:
    """Replaces a character that editors insert automatically; removes any other."""
    fit = _STRAIGHT.get(place.text)
    if fit is not None:
        yield place.replacing(fit, safe=True)
    elif "\n" not in place.text:
        text, start, end = place.source.text, place.span.start, place.span.end
        while start and text[start - 1] == " " and text[end : end + 1] in ("", "\n", " "):
            start -= 1
        yield place.fix("Remove the character", start, end, "", not place.text.isalpha())


def known_sign(place: Place) -> Iterator[Fix]:
    """Replaces a sign of another language with the one that the help names."""
    found = _SIGNS.search(place.found.help)
    if found:
        new = found.group(1) or found.group(2)
        text = place.source.text
        spaced = new.isalpha() and text[place.span.start - 1 : place.span.start] not in (" ", "\n", "(", "")
        behind = new.isalpha() and text[place.span.end : place.span.end + 1] not in (" ", "\n", ")")
        yield place.replacing(f"{' ' * spaced}{new}{' ' * behind}", f"Write `{new}`", safe=True)
    elif place.text == ";":
        yield place.fix("Remove the `;`", place.span.start, place.span.end, "")


def align(place: Place) -> Iterator[Fix]:
    """Moves a line and its block to the indentation of an earlier line: the nearest, and of two equally near the
    deeper.
    """
    number = place.line_number
    if number is None:
        return
    view = place.view
    indent = _spaces(place, number)
    levels = {_spaces(place, i) for i in range(number)}
    if place.found.code == "E0125":
        levels = {_spaces(place, number - 1)}
    wanted = min(levels or {0}, key=lambda level: (abs(level - indent), -level))
    below = number + 1
    while below < len(view.lines) and _spaces(place, below) > indent:
        below += 1
    edits = []
    for line in view.lines[number:below]:
        start = view.row_start(line.start)
        edits.append(Edit(place.stretch(start, start + max(indent - wanted, 0)), " " * max(0, wanted - indent)))
    yield Fix(f"Indent by {wanted}", tuple(edits))


def _spaces(place: Place, number: int) -> int:
    line = place.view.lines[number]
    return line.start - place.view.row_start(line.start)


def untab(place: Place) -> Iterator[Fix]:
    """Replaces the tabs of all indentations of the file with spaces."""
    edits = [
        Edit(
            place.stretch(found.start(), found.end()), " " * (2 * found.group().count("\t") + found.group().count(" "))
        )
        for found in re.finditer(r"^[ \t]*\t[ \t]*(?=\S)", place.source.text, re.M)
    ]
    if edits:
        yield Fix("Indent with spaces", tuple(edits), safe=True)


def close_quote(place: Place) -> Iterator[Fix]:
    """Closes a string at the end of its line, before a comment."""
    body = re.sub(r"\s*(#.*)?$", "", place.text)
    at = place.span.start + len(body)
    yield place.fix('Close it with `"`', at, at, '"')


def close_bracket(place: Place) -> Iterator[Fix]:
    """Closes a bracket after its first operand, or at the end of the line."""
    number = place.view.word_number(place.span.start)
    line, words = place.line, place.view.words
    if line is None or not place.advised:
        return
    closing = place.advised[0]
    ends = []
    for at in range(number + 1, len(words)):
        word = words[at]
        if word.start >= line.end:
            break
        if word.text in _COMPARISONS or word.text in ("and", "or"):
            ends.append(words[at - 1].end)
    ends.append(line.end)
    for at in dict.fromkeys(ends[:1] + ends[-1:]):
        text = place.source.text[place.span.start : at] + closing
        yield place.fix(f"Close it: {shown(text)}", at, at, closing)


def escape(place: Place) -> Iterator[Fix]:
    r"""Doubles every backslash that does not begin an escape."""
    new = re.sub(r"\\(?![\"\\])", r"\\\\", place.text)
    if new != place.text:
        yield place.replacing(new, r"Write `\\` for a backslash")


def plain_string(place: Place) -> Iterator[Fix]:
    """Replaces characters that are not allowed in strings with spaces."""
    new = "".join(c if c.isprintable() else " " for c in place.text)
    if new != place.text:
        yield place.replacing(new, "Write a space")


def split_number(place: Place) -> Iterator[Fix]:
    """Corrects a name that begins with digits, or a number that is not whole."""
    found = re.fullmatch(r"(\d+)([A-Za-z_]\w*)", place.text)
    if found:
        yield place.replacing(f"{found[2]}_{found[1]}")
        yield place.replacing(f"{found[1]} {found[2]}")
    elif re.fullmatch(r"\d+\.\d+", place.text):
        yield place.replacing(place.text.partition(".")[0])


def join_comparisons(place: Place) -> Iterator[Fix]:
    """Repeats the middle of ``a < b < c``: ``a < b and b < c``."""
    words, at = place.view.words, place.view.word_number(place.span.start)
    first = at - 1
    depth = 0
    while first > 0:
        depth += (words[first].text in ")]}") - (words[first].text in "([{")
        if depth < 0 or (depth == 0 and words[first].text in _COMPARISONS):
            break
        first -= 1
    middle = place.source.text[words[first + 1].start : words[at - 1].end]
    at_text = place.span.start
    yield place.fix(f"Repeat {shown(middle)}", at_text, at_text, f"and {middle} ", safe=True)


def break_line(place: Place) -> Iterator[Fix]:
    """Puts the statements after ``then`` on the next line."""
    line, view = place.line, place.view
    if line is None:
        return
    before = view.words[view.word_number(place.span.start) - 1]
    indent = " " * (place.view.row_end(line.start) and line.indent + 2)
    after = re.match(r"[ \t]*", place.source.text[place.span.end :])
    end = place.span.end + (after.end() if after else 0)
    yield place.fix("Put it on the next line", before.end, end, "\n" + indent, safe=True)


def reorder_entries(place: Place) -> Iterator[Fix]:
    """Puts the names of a ``piece`` line before its other entries."""
    line = place.line
    if line is None:
        return
    head, _, rest = place.source.text[line.start : line.end].partition(" ")
    entries = [one.strip() for one in rest.split(",")]
    entries.sort(key=lambda one: bool(re.match(r"\d|stacking|seen|each", one)))
    yield place.fix("Put the names first", line.start, line.end, f"{head} {', '.join(entries)}", safe=True)


def fit_citation(place: Place) -> Iterator[Fix]:
    """Removes the space after ``@``, or moves a citation to the end of its line."""
    text, at = place.source.text, place.span.start
    spaced = re.match(r"@[ \t]+([\w.-]+)[ \t]*(?=$|#|\n)", text[at:])
    if spaced:
        yield place.fix(f"Write `@{spaced[1]}`", at, at + spaced.end(1), f"@{spaced[1]}", safe=True)
        return
    end = place.view.row_end(at)
    words = [w for w in place.view.words if at < w.start < end]
    if words and place.text != "@":
        yield Fix(
            "Put it at the end of the line",
            (
                Edit(place.stretch(at, words[0].start), ""),
                Edit(place.stretch(words[-1].end, words[-1].end), f" {place.text}"),
            ),
            safe=True,
        )
