"""Traversal of a syntax tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

_KNOWN: dict[type, tuple[str, ...] | None] = {}  # by class: see ``_parts``


def walk(node: object) -> Iterator[object]:
    """Yields a node and everything below it (tuples included), except spans and notes."""
    pending = [node]
    while pending:
        one = pending.pop()
        yield one
        if isinstance(one, tuple):
            pending.extend(reversed(one))
            continue
        for name in _parts(type(one)) or ():
            value = getattr(one, name)
            if isinstance(value, tuple) or _parts(type(value)) is not None:
                pending.append(value)


def _parts(kind: type) -> tuple[str, ...] | None:
    """Returns the fields of a class of nodes that can contain nodes, the last first; None for any other class."""
    if kind not in _KNOWN:
        names = [f.name for f in reversed(fields(kind))] if is_dataclass(kind) else None
        _KNOWN[kind] = None if names is None else tuple(n for n in names if n not in ("span", "notes"))
    return _KNOWN[kind]
