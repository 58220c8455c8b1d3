"""What a JSON Schema says about a place: the keys and words that may be written there, and what they are for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, TypeAlias

from gamedsl.editor.data_cursor import Cursor, Path, at
from gamedsl.language.source import resource_path

Schema: TypeAlias = dict[str, Any]
_MOST_DEEP = 12  # references and alternatives, one inside the other


@cache
def schema(name: str) -> Schema:
    """A schema of the package, by the beginning of its file's name."""
    found: Schema = json.loads(resource_path("grammar", f"{name}.schema.json").read_text(encoding="utf-8"))
    return found


def schemas_at(root: Schema, cursor: Cursor) -> list[Schema]:
    """The parts of a schema that apply to the mapping, list or value at a place; one with neither reference nor alternatives each."""
    return schemas_on(root, cursor.path, cursor.document, cursor.inside if cursor.is_key else None)


def schemas_on(root: Schema, path: Path, document: Any, inside: Any = None) -> list[Schema]:
    """The parts of a schema at the end of a path through a document. ``inside``: what is known there beyond the document."""
    found = [root]
    for depth, step in enumerate((*path, None)):
        known = inside if step is None and isinstance(inside, dict) else at(document, path[:depth])
        found = [part for one in found for part in _parts(root, one, known)]
        if step is not None:
            found = [inner for one in found for inner in _inner(one, step)]
    return found


def _parts(root: Schema, one: Schema, known: Any, depth: int = 0) -> Iterator[Schema]:
    """A schema without its references, alternatives and conditions, and those that apply beside it. A condition is on the kind."""
    if depth > _MOST_DEEP:
        return
    yield one
    beside = [root["$defs"][one["$ref"].rpartition("/")[2]]] if "$ref" in one else []
    beside += [*one.get("anyOf", ()), *one.get("oneOf", ())]
    for part in one.get("allOf", ()):
        wanted = part.get("if", {}).get("properties", {}).get("kind", {}).get("const")
        if wanted is None:
            beside.append(part)
        elif isinstance(known, dict) and known.get("kind") == wanted:
            beside.append(part["then"])
    for part in beside:
        yield from _parts(root, part, known, depth + 1)


def _inner(one: Schema, step: str | int) -> Iterator[Schema]:
    if isinstance(step, int):
        if isinstance(one.get("items"), dict):
            yield one["items"]
    elif step in one.get("properties", {}):
        yield one["properties"][step]
    elif isinstance(one.get("additionalProperties"), dict):
        yield one["additionalProperties"]


def keys_of(root: Schema, found: Sequence[Schema]) -> dict[str, str]:
    """The keys that a mapping may have, each with what it is for."""
    keys: dict[str, str] = {}
    for one in found:
        for key, inner in one.get("properties", {}).items():
            keys[key] = keys.get(key) or description(root, inner)
    return keys


def needed_of(found: Sequence[Schema]) -> set[str]:
    """The keys that a mapping must have."""
    return {key for one in found if "properties" in one for key in one.get("required", ())}


def words_of(found: Sequence[Schema]) -> list[str]:
    """The words that may be written at a place, if the schema knows them."""
    words: dict[str, None] = {}
    for one in found:
        listed = [one["const"]] if "const" in one else one.get("enum", ())
        listed = listed or (["true", "false"] if one.get("type") == "boolean" else ())
        words |= dict.fromkeys(str(word) for word in listed)
    return list(words)


def description(root: Schema, one: Schema) -> str:
    """What a place is for, as the schema or the one that it refers to says."""
    for part in _parts(root, one, None):
        if part.get("description"):
            return str(part["description"])
    return ""


def form_of(found: Sequence[Schema]) -> str:
    """Whether a place takes a mapping ("object"), a list ("array") or a single value ("")."""
    kinds = {one.get("type") for one in found if isinstance(one.get("type"), str)}
    return "object" if "object" in kinds else "array" if "array" in kinds else ""
