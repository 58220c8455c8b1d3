"""Traversal of a syntax tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache


def walk(node: object) -> Iterator[object]:
    """Yields a node and everything below it (tuples included), except spans and notes."""
    yield node
    if isinstance(node, tuple):
        for item in node:
            yield from walk(item)
    elif is_dataclass(node) and not isinstance(node, type):
        for name in _parts(type(node)):
            value = getattr(node, name)
            if isinstance(value, tuple) or is_dataclass(value):
                yield from walk(value)


@cache
def _parts(kind: type) -> tuple[str, ...]:
    """Returns the fields of a class of nodes that can contain nodes."""
    return tuple(f.name for f in fields(kind) if f.name not in ("span", "notes"))
