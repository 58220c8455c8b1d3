"""Tables of what has been found about nodes, beside the nodes: memoization of functions on immutable objects.

A node's entry goes when the node goes. Nodes are told apart by identity: comparing them takes as long as most functions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Generic, TypeVar
from weakref import ref

Node = TypeVar("Node")
Found = TypeVar("Found")


class _Entry(ref[object]):
    """A reference that knows the identity of its node after the node has gone."""

    __slots__ = ("key",)
    key: int


class NodeTable(dict[int, tuple[Found, _Entry]], Generic[Found]):
    """By the identity of a node: what was found, and the reference that takes the entry out with the node."""

    def keep(self, node: object, found: Found) -> None:
        entry = _Entry(node, self._forget)
        entry.key = id(node)
        self[entry.key] = found, entry

    def _forget(self, entry: _Entry) -> None:
        self.pop(entry.key, None)


def memoized(find: Callable[[Node], Found]) -> Callable[[Node], Found]:
    """The function, which looks at a node once."""
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
