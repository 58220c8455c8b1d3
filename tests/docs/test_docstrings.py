"""Docstrings are sentences or noun phrases (PEP 257): no questions, and none that begins with "That"."""

from __future__ import annotations

import ast
from pathlib import Path

import gamedsl

PACKAGE = Path(gamedsl.__file__).parent
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def test_no_docstring_is_a_question_or_begins_with_that() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}: {text}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, DOCUMENTED) and (text := ast.get_docstring(node))
        if text.rstrip().endswith("?") or text.split("\n\n")[0].rstrip().endswith("?") or text.startswith("That ")
    ]
    assert not found, "say what comes back: `Whether the set is empty.`\n" + "\n".join(found)
