"""Going through a syntax tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass


def walk(node: object) -> Iterator[object]:
    """A node and everything below it."""
    yield node
    if isinstance(node, tuple):
        for item in node:
            yield from walk(item)
    elif is_dataclass(node) and not isinstance(node, type):
        for f in fields(node):
            if f.name not in ("span", "notes"):
                value = getattr(node, f.name)
                if isinstance(value, tuple) or is_dataclass(value):
                    yield from walk(value)
