"""Traversal of a syntax tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass


class _Parts(dict[type, tuple[str, ...] | None]):
    """By class: the fields that can contain nodes, the last first; None for a class that is not one of nodes."""

    def __init__(self, without: frozenset[str]) -> None:
        self.without = without

    def __missing__(self, kind: type) -> tuple[str, ...] | None:
        names = [f.name for f in reversed(fields(kind))] if is_dataclass(kind) else None
        self[kind] = None if names is None else tuple(n for n in names if n not in self.without)
        return self[kind]


def walker(*without: str) -> Callable[[object], Iterator[object]]:
    """Returns a function that yields a node and everything below it (tuples included), except the fields with these names."""
    parts = _Parts(frozenset(without))

    def walk(node: object) -> Iterator[object]:
        pending = [node]
        while pending:
            one = pending.pop()
            yield one
            if isinstance(one, tuple):
                pending.extend(reversed(one))
                continue
            for name in parts[one.__class__] or ():
                value = getattr(one, name)
                if isinstance(value, tuple) or parts[value.__class__] is not None:
                    pending.append(value)

    return walk


walk = walker("span", "notes")
