"""Where a name is declared, where it is used, and the edits that rename it: across variants, used rulesets and examples."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from gamedsl.editor.desk import EXAMPLES, Desk
from gamedsl.editor.name_occurrences import (
    Occurrence,
    definition,
    is_element,
    is_local,
    name_at,
    occurrences,
    part_at,
    same_names,
)
from gamedsl.editor.name_roles import ATTRIBUTE, ELSEWHERE, LANGUAGE, RULESET
from gamedsl.language.boards import ADJACENCY
from gamedsl.language.rules import builtin_words
from gamedsl.language.source import Source, resource_path
from gamedsl.language.syntax import HARD_WORDS, Line, read_lines

_IS_VARIANT = re.compile(r"(?m)^variant\b")
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
    return _found(desk, source, offset, _around)


def find_here(desk: Desk, source: Source, offset: int) -> list[Place]:
    """The places in the same text that mean the name at a place."""
    found = _found(desk, source, offset, lambda _, home, __: [] if home is source else [source])
    return [place for place in found if place.path == source.path]


_Others = Callable[[Desk, Source, str], list[Source]]


def _found(desk: Desk, source: Source, offset: int, others: _Others) -> list[Place]:
    """The places that mean a name, in the text that declares it and in others; ``others`` returns these by the text and the name."""
    one = name_at(source, offset)
    if one is None:
        return []
    found = _declaring(desk, source, one)
    if found is None:
        return [Place(source.path, o.start, o.end) for o in same_names(source, one)]
    home, declared = found
    if is_local(home, declared):
        return [Place(home.path, o.start, o.end) for o in same_names(home, declared)]
    places = list(_everywhere(desk, home, declared, others))
    if is_element(home, declared):
        # two types with the same elements are one, and a ruleset gives its elements to one that it plays
        for text in (home, *others(desk, home, declared.name), *_used(desk, home)):
            for there in _all_declared(text, declared.name):
                if is_element(text, there):
                    places += _everywhere(desk, text, there, others)
    return list(dict.fromkeys(places))


def _everywhere(desk: Desk, home: Source, declared: Occurrence, others: _Others) -> Iterator[Place]:
    """The places that mean what a text declares for itself or for a part."""
    name = _Name(home.path, declared.name, declared.scope == ATTRIBUTE, _part_of(home, declared))
    yield from (Place(home.path, o.start, o.end) for o in same_names(home, declared))
    for other in (home, *others(desk, home, name.text)):
        yield from (Place(other.path, o.start, o.end) for o in _meaning_it(desk, name, other))
    if others is _around and not name.part:
        for text in (home, *_variants(desk, home)):
            yield from _in_examples(desk, text, declared.name)


def why_not_renamed(desk: Desk, source: Source, offset: int) -> str:
    """The reason why the name at a place cannot be changed, whatever the new name; empty if it can."""
    found = _changeable(desk, source, offset)
    return found if isinstance(found, str) else ""


def _changeable(desk: Desk, source: Source, offset: int) -> tuple[Source, Occurrence] | str:
    """The text that declares the name at a place, with the name there, or the reason why it cannot be changed."""
    one = name_at(source, offset)
    found = None if one is None else _declaring(desk, source, one)
    if found is None:
        return "The language or another ruleset defines this name."
    home, declared = found
    if _is_shipped(home.path) and not _is_shipped(source.path):
        return f"`{Path(home.path).name}`, which comes with gamedsl, declares this name."
    if is_element(home, declared) and declared.name in {*ADJACENCY.names, *builtin_words()}:
        return f"`{declared.name}` is a word of the language, too, and the rules may use it as that."
    return found


def find_rename(desk: Desk, source: Source, offset: int, new: str) -> list[Place] | str:
    """The places to change, or the reason why the name cannot be changed."""
    found = _changeable(desk, source, offset)
    if isinstance(found, str):
        return found
    if not _ALLOWED.fullmatch(new):
        return f"`{new}` is not a name: names are made of letters, digits and _."
    if new in HARD_WORDS or new in builtin_words():
        return f"`{new}` is a word of the language."
    places, declared = find_references(desk, source, offset), found[1]
    is_attribute = declared.scope == ATTRIBUTE
    for path in dict.fromkeys(place.path for place in places):
        text = desk.source(path)
        if text is not None and path.endswith(".gdl") and _is_taken(text, new, is_attribute, declared):
            return f"`{new}` already has a meaning here."
    return places


def _is_taken(text: Source, new: str, is_attribute: bool, declared: Occurrence) -> bool:
    """Whether a text uses a name already, so that another name cannot become it."""
    same = [o for o in occurrences(text) if o.name == new and o.scope != ELSEWHERE]
    if is_attribute or declared.scope < 0:
        return any((o.scope == ATTRIBUTE) == is_attribute for o in same)
    return any(o.scope in (declared.scope, RULESET, LANGUAGE) for o in same)


class _Name(NamedTuple):
    """A name that is known outside its declaration: the file that declares it, whether it is an attribute, and of which part it is."""

    path: str
    text: str
    is_attribute: bool
    part: str


def _part_of(source: Source, one: Occurrence) -> str:
    """The part to which a name belongs; empty if it is the whole ruleset's."""
    part = part_at(source, one.start)
    return part[0] if part is not None and one.scope == part[1] else ""


def _is_shipped(path: str) -> bool:
    return Path(path).is_relative_to(resource_path("rulesets").resolve())


def _declaring(desk: Desk, source: Source, one: Occurrence) -> tuple[Source, Occurrence] | None:
    """The text that declares a name, with the name there: this one, the first of its originals that has it, or a ruleset that it plays."""
    if one.scope == LANGUAGE:
        return None
    if is_local(source, one):
        return source, one
    if one.scope == ELSEWHERE and _first_word(source, one) == "play":
        return _of_played(desk, source, one)
    part = part_at(source, one.start)
    texts = [text for text in (source, *_originals(desk, source)) if one.scope != ELSEWHERE or text is not source]
    for is_attribute in (one.scope == ATTRIBUTE, True):  # after `tell` stands one or the other
        for name in dict.fromkeys(("" if part is None else part[0], "")):
            found = [(text, there) for text in texts if (there := _declared(text, one.name, is_attribute, name))]
            if found:
                return found[-1]
    return None


def _of_played(desk: Desk, source: Source, one: Occurrence) -> tuple[Source, Occurrence] | None:
    """The player or option of a part, or of another ruleset, to which a line that plays it gives a value."""
    alias = _played(source, one.start)
    for text in (source, *_originals(desk, source)):
        found = _declared(text, one.name, False, alias)
        if found is not None:
            return text, found
        for path in _used_as(desk, text, alias):
            used = desk.source(path)
            for there in () if used is None else (used, *_originals(desk, used)):
                found = _declared(there, one.name, False, "")
                if found is not None:
                    return there, found
    return None


def _originals(desk: Desk, source: Source) -> list[Source]:
    """The ruleset of which a text is a variant, the one of which that is, and so on."""
    found: list[Source] = []
    seen = {source.path}
    text: Source | None = source
    while text is not None and (path := desk.original(text)) is not None and path not in seen:
        seen.add(path)
        text = desk.source(path)
        found += [] if text is None else [text]
    return found


def _variants(desk: Desk, home: Source) -> list[Source]:
    """The rulesets beside a file that are variants of it, or of one of these."""
    texts = [text for text in _beside(desk, home) if _IS_VARIANT.search(text.text)]
    return [text for text in texts if home.path in {o.path for o in _originals(desk, text)}]


def _around(desk: Desk, home: Source, name: str) -> list[Source]:
    """The rulesets beside a file that depend on it and contain a name."""
    return [t for t in _beside(desk, home) if name in t.text and home.path in desk.linked(t.path, t)]


def _beside(desk: Desk, home: Source) -> Iterator[Source]:
    for path in desk.around(home.path):
        text = desk.source(path)
        if text is not None:
            yield text


def _declared(source: Source, name: str, is_attribute: bool, part: str) -> Occurrence | None:
    """Where a text, or a part of it, declares a name."""
    for one in occurrences(source):
        if (
            one.name == name
            and one.is_binding
            and (one.scope == ATTRIBUTE) == is_attribute
            and not is_local(source, one)
        ):
            around = part_at(source, one.start)
            if (_part_of(source, one) == part) or (is_attribute and part == ("" if around is None else around[0])):
                return one
    return None


def _all_declared(source: Source, name: str) -> list[Occurrence]:
    """Where a text declares a name for itself or for a part, once for each."""
    found = [o for o in occurrences(source) if o.name == name and o.is_binding and not is_local(source, o)]
    return list({o.scope: o for o in found}.values())


def _used(desk: Desk, home: Source) -> list[Source]:
    """The rulesets on which a text depends."""
    paths = sorted(path for path in desk.linked(home.path, home) if path.endswith(".gdl"))
    return [text for path in paths if (text := desk.source(path)) is not None]


def _first_word(source: Source, one: Occurrence) -> str:
    line = _line_at(source, one.start)
    return "" if line is None else line.first


def _line_at(source: Source, offset: int) -> Line | None:
    return next((line for line in read_lines(source) if line.start <= offset <= line.end), None)


def _played(source: Source, offset: int) -> str:
    """The name of the part or ruleset that a line plays."""
    line = _line_at(source, offset)
    return "" if line is None or line.first != "play" or len(line.words) < 2 else line.words[1].text


def _used_as(desk: Desk, source: Source, alias: str) -> Iterator[str]:
    """The ruleset that a text uses under a name."""
    for line in read_lines(source):
        if line.first == "use" and line.words[-1].text == alias:
            text = next((w for w in line.words if w.kind == "string"), None)
            path = None if text is None else desk.resolve(source.path, text.text[1:-1])
            if path is not None:
                yield path


def _meaning_it(desk: Desk, name: _Name, other: Source) -> Iterator[Occurrence]:
    """The occurrences in another ruleset that mean a name."""
    originals = {text.path for text in _originals(desk, other)}
    for o in occurrences(other):
        if o.name == name.text and not is_local(other, o):
            found = _declaring(desk, other, o) if o.scope == ELSEWHERE or name.path in originals else None
            if found is not None and found[0].path == name.path and _part_of(*found) == name.part:
                if (found[1].scope == ATTRIBUTE) == name.is_attribute:
                    yield o


def _in_examples(desk: Desk, home: Source, name: str) -> Iterator[Place]:
    """The places in the examples of a ruleset: keys, and names inside values that are expressions or moves."""
    source = desk.source(home.path.removesuffix(".gdl") + EXAMPLES)
    if source is None:
        return
    for number in range(1, len(source.line_starts) + 1):
        row = source.line(number)
        if re.match(r"\s*(-\s*)?(name|title|comment|clauses|says|clause|#)\b|\s*#", row):
            continue
        for found in re.finditer(rf"(?<![\w.@]){re.escape(name)}(?!\w)", row.partition(" #")[0]):
            start = source.line_starts[number - 1] + found.start()
            yield Place(source.path, start, start + len(name))
