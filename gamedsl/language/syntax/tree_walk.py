"""Traversal of a syntax tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache


def walk(node: object) -> Iterator[object]:
    """Yields a node and everything below it (tuples included), except spans and notes."""
    pending = [node]
    while pending:
        one = pending.pop()
        yield one
        if isinstance(one, tuple):
            pending.extend(reversed(one))
            continue
        for name in _parts(type(one)):
            value = getattr(one, name)
            if isinstance(value, tuple) or _is_node(type(value)):
                pending.append(value)


@cache
def _is_node(kind: type) -> bool:
    return is_dataclass(kind)


@cache
def _parts(kind: type) -> tuple[str, ...]:
    """Returns the fields of a class of nodes that can contain nodes, the last first; none for any other class."""
    if not _is_node(kind):
        return ()
    return tuple(f.name for f in reversed(fields(kind)) if f.name not in ("span", "notes"))
