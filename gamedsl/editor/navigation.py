"""Where a name is declared, where it is used, and the edits that rename it: across variants, used rulesets and examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from gamedsl.editor.desk import EXAMPLES, Desk
from gamedsl.editor.name_occurrences import Occurrence, definition, name_at, occurrences, same_names
from gamedsl.language.source import Source
from gamedsl.language.syntax import read_lines

_ALLOWED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Place(NamedTuple):
    """A stretch of a file."""

    path: str
    start: int
    end: int


def find_definition(desk: Desk, source: Source, offset: int) -> list[Place]:
    """Where the name at a place is declared; the file that a string names."""
    for start, end, path in desk.links(source):
        if start <= offset <= end:
            return [Place(path, 0, 0)]
    one = name_at(source, offset)
    if one is None:
        return []
    found = _declaring(desk, source, one)
    if found is None:
        return []
    place = definition(found[0], found[1])
    return [] if place is None else [Place(found[0].path, *place)]


def find_references(desk: Desk, source: Source, offset: int) -> list[Place]:
    """All places that mean the name at a place, the declaration first."""
    one = name_at(source, offset)
    if one is None:
        return []
    found = _declaring(desk, source, one)
    if found is None:
        return [Place(source.path, o.start, o.end) for o in same_names(source, one)]
    home, declared = found
    places = [Place(home.path, o.start, o.end) for o in same_names(home, declared)]
    if declared.scope < 0:
        for other in _related(desk, home):
            places += [Place(other.path, o.start, o.end) for o in _meaning_it(desk, home, other, declared.name)]
        places += _in_examples(desk, home, declared.name)
    return list(dict.fromkeys(places))


def find_rename(desk: Desk, source: Source, offset: int, new: str) -> list[Place] | str:
    """The places to change, or the reason why the name cannot be changed."""
    one = name_at(source, offset)
    found = None if one is None else _declaring(desk, source, one)
    if one is None or found is None:
        return "The language or another ruleset defines this name."
    if not _ALLOWED.fullmatch(new):
        return f"`{new}` is not a name: names are made of letters, digits and _."
    if any(o.name == new and o.scope in (one.scope, -1) for o in occurrences(found[0])):
        return f"`{new}` already has a meaning here."
    return find_references(desk, source, offset)


def _declaring(desk: Desk, source: Source, one: Occurrence) -> tuple[Source, Occurrence] | None:
    """The text that declares a name, with the name there: this one, the original of a variant, or a used ruleset."""
    if definition(source, one) is not None:
        return source, one
    seen = {source.path}
    text = source
    while (path := desk.original(text)) is not None and path not in seen:
        seen.add(path)
        original = desk.source(path)
        if original is None:
            return None
        declared = _global(original, one.name)
        if declared is not None:
            return original, declared
        text = original
    for path in _used_at(desk, source, one.start):
        used = desk.source(path)
        declared = None if used is None else _global(used, one.name)
        if used is not None and declared is not None:
            return used, declared
    return None


def _global(source: Source, name: str) -> Occurrence | None:
    return next((o for o in occurrences(source) if o.name == name and o.scope == -1 and o.is_binding), None)


def _used_at(desk: Desk, source: Source, offset: int) -> Iterator[str]:
    """The rulesets whose names a line may bind: those that it plays, by their alias."""
    lines = read_lines(source)
    line = next((one for one in lines if one.start <= offset <= one.end), None)
    if line is None or "with" not in [w.text for w in line.words]:
        return
    words = {w.text for w in line.words}
    for other in lines:
        if other.first == "use" and other.words[-1].text in words:
            text = next((w for w in other.words if w.kind == "string"), None)
            path = None if text is None else desk.resolve(source.path, text.text[1:-1])
            if path is not None:
                yield path


def _related(desk: Desk, home: Source) -> Iterator[Source]:
    """The rulesets beside a file that are variants of it or use it."""
    for path in desk.around(home.path):
        other = desk.source(path)
        if other is not None and home.path in {p for _, _, p in desk.links(other)}:
            yield other


def _meaning_it(desk: Desk, home: Source, other: Source, name: str) -> Iterator[Occurrence]:
    """The occurrences in another ruleset that mean a name of this one."""
    own = _global(other, name) is not None
    for o in occurrences(other):
        if o.name != name or o.scope != -1:
            continue
        if not own and desk.original(other) == home.path:
            yield o
        elif home.path in set(_used_at(desk, other, o.start)):
            line_start = other.text.rfind("\n", 0, o.start) + 1
            bound = other.text[o.end :].lstrip()[:1] == "=" and " with " in other.text[line_start : o.start]
            if bound:
                yield o


def _in_examples(desk: Desk, home: Source, name: str) -> Iterator[Place]:
    """The places in the examples of a ruleset: keys, and names inside values that are expressions or moves."""
    source = desk.source(home.path.removesuffix(".gdl") + EXAMPLES)
    if source is None:
        return
    for number in range(1, len(source.line_starts) + 1):
        row = source.line(number)
        if re.match(r"\s*(-\s*)?(name|title|comment|clauses|#)\b|\s*#", row):
            continue
        for found in re.finditer(rf"(?<![\w.@]){re.escape(name)}(?!\w)", row.partition(" #")[0]):
            start = source.line_starts[number - 1] + found.start()
            yield Place(source.path, start, start + len(name))
