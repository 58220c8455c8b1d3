"""Messages about a variant point into the variant, because its author did not write the original and need not change
it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gamedsl.language.rules.files import Loaded
from gamedsl.language.source import Diagnostic, Label, Span
from gamedsl.language.syntax import ast

_SYNTAX = ("E01", "E06")  # syntax errors are in the original itself


def point_into_variant(found: Sequence[Diagnostic], loaded: Loaded | None) -> list[Diagnostic]:
    """Returns errors in the original with the causing line of the variant as their place; drops warnings about the
    original.
    """
    if loaded is None or loaded.variant is None:
        return list(found)
    originals = set(_originals(loaded))
    own = list(_with_parts(loaded.variant.own))
    kept = [
        _pointed(d, own, loaded.variant.head.span) if d.span.source.path in originals else d
        for d in found
        if d.is_error or d.span.source.path not in originals
    ]
    return sorted(kept, key=lambda d: (d.span.source.path, d.span.start, d.code))


def _originals(loaded: Loaded) -> Iterator[str]:
    while loaded.variant is not None:
        loaded = loaded.variant.original
        yield loaded.source.path


def _with_parts(decls: Sequence[ast.Decl]) -> Iterator[ast.Decl]:
    for d in decls:
        yield d
        if isinstance(d, ast.InPartDecl):
            yield from _with_parts(d.decls)


def _pointed(d: Diagnostic, own: Sequence[ast.Decl], head: Span) -> Diagnostic:
    if d.code.startswith(_SYNTAX):
        return d
    words = set(re.findall(r"[A-Za-z_][A-Za-z0-9_]*", d.span.text))
    cause = next((place for name, place in map(_named, own) if name in words), head)
    return replace(d, span=cause, labels=(Label(d.span, "here in the original"), *d.labels))


def _named(d: ast.Decl) -> tuple[str, Span]:
    """Returns the name of a declaration that replaces or removes another, and its place."""
    name = getattr(d, "name", None)
    if not isinstance(name, ast.Name):
        return "", d.span
    return name.id, d.span if isinstance(d, ast.RemoveDecl) else name.span
