"""The syntax trees of the package, which many tests read: parsed once in a process. Nobody may change them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a file, as ``ast.walk`` yields them."""
    return tuple(ast.walk(tree_of(path)))
