"""Side tables of nodes, for memoizing functions on immutable objects.

A node's entry is deleted with the node. Nodes are keyed by identity, because comparing them takes as long as most
functions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Generic, TypeVar
from weakref import ref

Node = TypeVar("Node")
Found = TypeVar("Found")


class _Entry(ref[object]):
    """A weak reference that keeps the identity of its node after the node is deleted."""

    __slots__ = ("key",)
    key: int


class NodeTable(dict[int, tuple[Found, _Entry]], Generic[Found]):
    """A table by the identity of a node: the result, and the weak reference that deletes the entry with the node."""

    def keep(self, node: object, found: Found) -> None:
        entry = _Entry(node, self._forget)
        entry.key = id(node)
        self[entry.key] = found, entry

    def _forget(self, entry: _Entry) -> None:
        self.pop(entry.key, None)


def memoized(find: Callable[[Node], Found]) -> Callable[[Node], Found]:
    """Returns the function, memoized by the identity of its node."""
    table: NodeTable[Found] = NodeTable()
    kept, keep = table.get, table.keep

    @wraps(find)
    def known(node: Node) -> Found:
        entry = kept(id(node))
        if entry is not None:
            return entry[0]
        found = find(node)
        keep(node, found)
        return found

    return known
