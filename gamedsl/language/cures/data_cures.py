"""Cures of documents in YAML and JSON, and of files of examples."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gamedsl.language.cures.mistake import Place, shown
from gamedsl.language.source import Edit, Fix


def quote(place: Place) -> Iterator[Fix]:
    """Puts a plain word into double quotes."""
    word = re.match(r"[^\s,\]}:#]+", place.text)
    if word and '"' not in word.group():
        start = place.span.start
        yield place.fix(f'Write "{word.group()}"', start, start + word.end(), f'"{word.group()}"', safe=True)


def without_mark(place: Place) -> Iterator[Fix]:
    """Removes an anchor or a tag."""
    found = re.match(r"[&!]\S+[ \t]+", place.source.text[place.span.start :])
    if found:
        start = place.span.start
        yield place.fix(f"Remove `{found.group().strip()}`", start, start + found.end(), "")


def remove_row(place: Place) -> Iterator[Fix]:
    """Removes a row and the rows indented below it."""
    text = place.source.text
    start = text.rfind("\n", 0, place.span.start) + 1
    indent = place.span.start - start
    end = text.find("\n", place.span.start) + 1 or len(text)
    while end < len(text):
        following = text.find("\n", end) + 1 or len(text)
        row = text[end:following]
        if row.strip() and len(row) - len(row.lstrip()) <= indent:
            break
        end = following
    yield Fix(f"Remove {shown(text[place.span.start : text.find(chr(10), place.span.start)])}", (
        Edit(place.stretch(start, end), ""),
    ))  # fmt: skip


def remove_rest(place: Place) -> Iterator[Fix]:
    """Removes everything from the place to the end."""
    yield place.fix("Remove the other documents", place.span.start, len(place.source.text), "")


def underscored(place: Place) -> Iterator[Fix]:
    """Joins several words into a name."""
    word = re.sub(r"\W+", "_", place.text.strip("\"' ")).strip("_")
    word = f"_{word}" if word[:1].isdigit() else word
    if word.isidentifier() and word.isascii():
        yield place.replacing(word)


def one_line(place: Place) -> Iterator[Fix]:
    r"""Replaces ``\n`` and other escapes with spaces."""
    new = re.sub(r"\\[nrt]|\\u00[01]\d|\n", " ", place.text)
    if new != place.text:
        yield place.replacing(new, "Keep it on one line")


def bare_clause(place: Place) -> Iterator[Fix]:
    """Removes ``@`` and spaces from a clause's number."""
    new = re.sub(r"[@\s]", "", place.text)
    if new != place.text and re.search(r"\w", new):
        yield place.replacing(new)


def split_list(place: Place) -> Iterator[Fix]:
    """Makes a list of words that are joined by ``and`` or commas."""
    if "a list" in place.found.message and re.fullmatch(r"[\w ,]+", place.text):
        entries = [e for e in re.split(r",|\band\b|\s", place.text) if e.strip()]
        yield place.replacing(f"[{', '.join(entries)}]")


def whole_document(place: Place) -> Iterator[Fix]:
    """Makes a single declaration the only entry of a ruleset."""
    if place.text.startswith("kind:") or place.source.text.startswith("kind:"):
        rows = place.source.text.splitlines()
        body = "\n".join(("  - " if i == 0 else "    ") + row if row.strip() else row for i, row in enumerate(rows))
        yield place.fix("Make it part of a ruleset", 0, len(place.source.text), f"kind: ruleset\ndecls:\n{body}\n")


def number_word(place: Place) -> Iterator[Fix]:
    """Writes a spelled or quoted number in digits."""
    words = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    if place.text.strip("\"'").lower() in words:
        yield place.replacing(str(words.index(place.text.strip("\"'").lower())))
    elif re.fullmatch(r"[\"']-?\d+[\"']", place.text):
        yield place.replacing(place.text.strip("\"'"))


def plain_string(place: Place) -> Iterator[Fix]:
    """Removes unpaired surrogates."""
    new = re.sub(r"\s*\\u[dD][89a-fA-F][0-9a-fA-F]{2}", "", place.text)
    if new != place.text:
        yield place.replacing(new, "Remove the character")


def add_name(place: Place) -> Iterator[Fix]:
    """Names an example after its number."""
    found = re.search(r"/examples/(\d+)$", place.found.pointer)
    missing = re.search(r"`(\w+)`", place.found.message)
    if found and missing and missing.group(1) == "name":
        start = place.span.start
        indent = " " * (start - (place.source.text.rfind("\n", 0, start) + 1))
        yield place.fix("Add a name", start, start, f"name: example {int(found.group(1)) + 1}\n{indent}")


def add_kind(place: Place) -> Iterator[Fix]:
    """Adds the kind of an object: at most three kinds that fit its keys."""
    from gamedsl.language.syntax import kinds_with_keys  # start-up: needs the shapes of all nodes

    keys = re.findall(r"(?:^|\n)\s*([a-z_]+):", place.text) or re.findall(r"\"?([a-z_]+)\"?:", place.text)
    allowed = re.findall(r"\w+", place.found.help.rpartition(":")[2])
    fitting = [kind for kind in kinds_with_keys(frozenset(keys)) if kind in allowed]
    for kind in fitting[:3]:
        start = place.span.start
        braces = place.text.startswith("{")
        indent = " " * (start - (place.source.text.rfind("\n", 0, start) + 1))
        text = f"{{kind: {kind}, " if braces else f"kind: {kind}\n{indent}"
        yield place.fix(f"Add `kind: {kind}`", start, start + braces, text)
