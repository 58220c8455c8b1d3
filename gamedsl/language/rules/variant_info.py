"""The lines of ``info`` in a variant, and those of the original that remain.

A line with a name replaces the original's line with this key and name, or is added. If the variant has a line without
a name, its lines with that key replace all of the original's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from gamedsl.language.syntax import ast

INFO_KEYS = get_args(ast.InfoKey)


def merge_info(decls: list[ast.Decl], d: ast.InfoDecl) -> None:
    """Merges the lines of a variant's ``info`` into the original's."""
    place = next((i for i, x in enumerate(decls) if isinstance(x, ast.InfoDecl)), None)
    if place is None:
        decls.append(d)
        return
    items = [item for x in decls if isinstance(x, ast.InfoDecl) for item in x.items]
    for key in INFO_KEYS:
        new = [item for item in d.items if item.key == key]
        if any(item.name is None for item in new):
            items = _in_place_of_all(items, key, new)
            continue
        for item in new:
            _put_named(items, item)
    first = decls[place]
    assert isinstance(first, ast.InfoDecl)
    decls[place] = replace(first, items=tuple(items))
    decls[place + 1 :] = [x for x in decls[place + 1 :] if not isinstance(x, ast.InfoDecl)]


def remove_info(decls: list[ast.Decl], d: ast.RemoveDecl) -> None:
    """Removes the lines with a key, or the one with a name."""
    for i, x in enumerate(decls):
        if isinstance(x, ast.InfoDecl):
            kept = (
                item
                for item in x.items
                if item.key != d.kind or (d.name is not None and (item.name is None or item.name.id != d.name.id))
            )
            decls[i] = replace(x, items=tuple(kept))


def _in_place_of_all(items: list[ast.InfoItem], key: str, new: list[ast.InfoItem]) -> list[ast.InfoItem]:
    place = next((i for i, item in enumerate(items) if item.key == key), None)
    if place is None:
        place = _end_of(items, key)
    return [
        *(item for item in items[:place] if item.key != key),
        *new,
        *(item for item in items[place:] if item.key != key),
    ]


def _put_named(items: list[ast.InfoItem], new: ast.InfoItem) -> None:
    for i, item in enumerate(items):
        if item.key == new.key and item.name == new.name:
            items[i] = new
            return
    items.insert(_end_of(items, new.key), new)


def _end_of(items: list[ast.InfoItem], key: str) -> int:
    """Returns the index after the last line with a key or one of the keys that precede it."""
    earlier = INFO_KEYS[: INFO_KEYS.index(key) + 1]
    return max((i + 1 for i, item in enumerate(items) if item.key in earlier), default=0)
