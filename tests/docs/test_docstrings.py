"""Docstrings are sentences or noun phrases (PEP 257): no questions, and none that begins with "That"."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TypeAlias

import gamedsl

from ..source_trees import nodes_of

PACKAGE = Path(gamedsl.__file__).parent
Documented: TypeAlias = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def test_no_docstring_is_a_question_or_begins_with_that() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}: {text}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in nodes_of(path)
        if isinstance(node, Documented)
        if (text := ast.get_docstring(node))
        if text.rstrip().endswith("?") or text.split("\n\n")[0].rstrip().endswith("?") or text.startswith("That ")
    ]
    assert not found, "say what comes back: `Whether the set is empty.`\n" + "\n".join(found)
