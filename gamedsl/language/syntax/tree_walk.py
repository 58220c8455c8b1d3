"""Traversal of a syntax tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache

from gamedsl.language.syntax.ast import Expression

# Types of fields that are no nodes. (A check of a ruleset visits all nodes several times.)
_PLAIN = re.compile(r"(?:(?:str|int|bool|None|Literal\[[^\[\]]*\])(?: \| |$))+")


class _Parts(dict[type, Callable[[object], tuple[object, ...]] | None]):
    """By class: what returns the values of the fields that can contain nodes, the last first; None for a class that is not one of
    nodes."""

    def __init__(self, without: frozenset[str], leaf: type | None = None) -> None:
        self.without, self.leaf = without, leaf

    def __missing__(self, kind: type) -> Callable[[object], tuple[object, ...]] | None:
        self[kind] = _getter(tuple(self._names(kind))) if is_dataclass(kind) else None
        return self[kind]

    def _names(self, kind: type) -> Iterator[str]:
        if self.leaf is not None and issubclass(kind, self.leaf):
            return
        for field in reversed(fields(kind)):
            if field.name not in self.without and not _PLAIN.fullmatch(str(field.type)):
                yield field.name


@cache
def _getter(names: tuple[str, ...]) -> Callable[[object], tuple[object, ...]]:
    """Returns a function written for these fields of a node."""
    return eval(f"lambda node: ({''.join(f'node.{name},' for name in names)})")  # type: ignore[no-any-return]  # our own names


def walker(*without: str, leaf: type | None = None) -> Callable[[object], Iterator[object]]:
    """Returns a function that yields a node and everything below it (tuples included), except the fields with these names.
    ``leaf``: a class of nodes with nothing below them that is looked for.
    """
    parts = _Parts(frozenset(without), leaf)

    def walk(node: object) -> Iterator[object]:
        pending = [node]
        while pending:
            one = pending.pop()
            yield one
            if one.__class__ is tuple:
                pending += one[::-1]
                continue
            below = parts[one.__class__]
            if below is not None:
                for value in below(one):
                    if value.__class__ is tuple or parts[value.__class__] is not None:
                        pending.append(value)

    return walk


walk = walker("span", "notes")
walk_lines = walker("span", "notes", leaf=Expression)  # what stands on lines of its own, and expressions as a whole
