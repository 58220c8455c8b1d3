"""Side tables of nodes, for memoizing functions on immutable objects.

Nodes are keyed by identity, because comparing them takes as long as most functions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import ref

Node = TypeVar("Node")
Found = TypeVar("Found")


class _Entry(ref[object]):
    """A weak reference that keeps the identity of its node after the node is deleted."""

    __slots__ = ("key",)
    key: int


def memoized(find: Callable[[Node], Found]) -> Callable[[Node], Found]:
    """Returns the function, memoized by the identity of its node."""
    table: dict[int, tuple[Found, _Entry]] = {}  # with the weak reference that deletes the entry with the node

    def forget(entry: _Entry) -> None:
        table.pop(entry.key, None)

    @wraps(find)
    def known(node: Node) -> Found:
        kept = table.get(id(node))
        if kept is not None:
            return kept[0]
        found = find(node)
        entry = _Entry(node, forget)
        entry.key = id(node)
        table[entry.key] = found, entry
        return found

    return known
