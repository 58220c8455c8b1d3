"""Places in a syntax tree, and trees in which one place is changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any, TypeAlias

from gamedsl.language.source import lazy_dataclass
from gamedsl.language.syntax import ast

Step: TypeAlias = tuple[str, int | None]  # a field, and the index in it if it holds a tuple
UNCHANGED = ("span", "notes")


@lazy_dataclass(frozen=True, slots=True)
class Place:
    """A node of a tree and the path to it. ``parents``: the nodes on the path, root first."""

    node: ast.Node
    path: tuple[Step, ...] = ()
    parents: tuple[ast.Node, ...] = ()

    @property
    def parent(self) -> ast.Node | None:
        return self.parents[-1] if self.parents else None

    @property
    def field(self) -> str:
        """The parent's field that contains the node."""
        return self.path[-1][0] if self.path else ""

    @property
    def siblings(self) -> int | None:
        """The number of nodes in the same tuple, including this one; None if the field holds a single node."""
        if not self.path or self.path[-1][1] is None:
            return None
        return len(getattr(self.parents[-1], self.field))


def places(tree: ast.Ruleset) -> Iterator[Place]:
    """Yields all nodes that are rules, in text order."""
    yield from _below(Place(tree))


def _below(place: Place) -> Iterator[Place]:
    yield place
    for step, child in _children(place.node):
        if not isinstance(child, ast.Declaration) or child.is_rule:
            yield from _below(Place(child, (*place.path, step), (*place.parents, place.node)))


def _children(node: ast.Node) -> Iterator[tuple[Step, ast.Node]]:
    for f in fields(node):
        value = getattr(node, f.name)
        if f.name in UNCHANGED or (isinstance(node, ast.OptionDecl | ast.TableDecl) and f.name == "type"):
            continue  # players cannot observe which values an option or a table allows
        if isinstance(node, ast.DefineDecl) and f.name == "depth":
            continue  # nor how deep a definition may call itself
        if isinstance(value, tuple):
            yield from (((f.name, i), item) for i, item in enumerate(value) if isinstance(item, ast.Node))
        elif isinstance(value, ast.Node):
            yield (f.name, None), value


def with_change(root: ast.Node, path: tuple[Step, ...], new: ast.Node | tuple[ast.Node, ...] | None) -> Any:
    """Returns the tree with a place replaced.

    In a tuple, ``new`` may be several nodes or none; in a field, None empties it.
    """
    if not path:
        return new
    (name, index), rest = path[0], path[1:]
    value: Any = getattr(root, name)
    changed = with_change(value if index is None else value[index], rest, new)
    if index is not None:
        several = changed if isinstance(changed, tuple) else (changed,)
        changed = (*value[:index], *several, *value[index + 1 :])
    return replace(root, **{name: changed})
