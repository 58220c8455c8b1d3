"""Keys and words that a schema allows at a place, as candidates."""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.editor.completions import Candidate
from gamedsl.editor.data_cursor import Cursor
from gamedsl.editor.schema_reading import (
    Schema,
    description,
    form_of,
    keys_of,
    needed_of,
    schemas_at,
    schemas_on,
    words_of,
)


def key_candidates(root: Schema, cursor: Cursor, quoted: bool = False) -> Iterator[Candidate]:
    """The keys that are not in the mapping yet, those first that it needs. ``quoted``: in quotation marks, as in JSON."""
    found = schemas_at(root, cursor)
    needed = needed_of(found)
    present = cursor.inside if isinstance(cursor.inside, dict) else {}
    keys = sorted(keys_of(root, found).items(), key=lambda pair: pair[0] not in needed)
    for key, about in keys:
        if key in present:
            continue
        name = cursor.quoted(key) if quoted else key
        yield Candidate(key, "field", "needed" if key in needed else "", f"{name}: ", about)


def word_candidates(root: Schema, cursor: Cursor, quoted: bool = False) -> Iterator[Candidate]:
    """The words that a value may be; the keys of a mapping that may begin here, as in a list of mappings."""
    found = schemas_at(root, cursor)
    for word in words_of(found):
        is_string = quoted and word not in ("true", "false")
        yield Candidate(word, "element", text=cursor.quoted(word) if is_string else word)
    if form_of(found) == "object" and not cursor.is_quoted and not quoted:
        needed = needed_of(found)
        for key, about in keys_of(root, found).items():
            yield Candidate(key, "field", "needed" if key in needed else "", f"{key}: ", about)


def describe_place(root: Schema, cursor: Cursor) -> str:
    """What the key at a place is for, or the key whose value is there."""
    path = (*cursor.path, cursor.text) if cursor.is_key else cursor.path
    for end in range(len(path), 0, -1):
        if isinstance(path[end - 1], str):
            above = schemas_on(root, path[: end - 1], cursor.document, cursor.inside if cursor.is_key else None)
            inner = [one["properties"][path[end - 1]] for one in above if path[end - 1] in one.get("properties", {})]
            return next((said for one in inner if (said := description(root, one))), "")
    return ""
