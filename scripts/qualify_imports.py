"""Import a module instead of its names:
`python scripts/qualify_imports.py gamedsl.language.core.nodes n FILE ...`.

`from gamedsl.language.core.nodes import If, Op2` becomes `from gamedsl.language.core import nodes as n`, and `If` becomes
`n.If` wherever it means that import. A file in which `n` already means something else is refused. `same_trees.py` proves
that nothing else has changed. `ruff` sorts and wraps afterwards.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def qualify(text: str, module: str, alias: str) -> str:
    """The text with the module imported as a whole. Raises ValueError where its name is taken."""
    package, _, home = module.rpartition(".")
    tree, lines = ast.parse(text), text.encode("utf-8").split(b"\n")
    imports = [s for s in ast.walk(tree) if isinstance(s, ast.ImportFrom) and s.module == module]
    if not imports:
        return text
    names = {name.asname or name.name: name.name for statement in imports for name in statement.names}
    taken = {
        *(n.id for n in ast.walk(tree) if isinstance(n, ast.Name)),
        *(n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)),
        *(n.name for n in ast.walk(tree) if isinstance(n, ast.MatchAs | ast.MatchStar)),
        *(n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)),
    }
    whole = any(
        isinstance(s, ast.ImportFrom)
        and s.module == package
        and alias in {name.asname or name.name for name in s.names}
        for s in ast.walk(tree)
    )
    if alias in taken and not whole:
        raise ValueError(f"`{alias}` means something else already")
    bound = {
        *(n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)),
        *(n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)),
    }
    if bound & set(names):
        raise ValueError(f"{bound & set(names)} are bound anew")
    edits: list[tuple[int, int, int, bytes]] = []  # line, first and last column, text
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in names:
            edits.append(
                (node.lineno - 1, node.col_offset, node.end_col_offset or 0, f"{alias}.{names[node.id]}".encode())
            )
    for line, first, last, new in sorted(edits, reverse=True):
        lines[line] = lines[line][:first] + new + lines[line][last:]
    suffix = "" if alias == home else f" as {alias}"
    for statement in sorted(imports, key=lambda s: -s.lineno):
        indent = b" " * statement.col_offset
        lines[statement.lineno - 1 : statement.end_lineno] = [indent + f"from {package} import {home}{suffix}".encode()]
    return b"\n".join(lines).decode("utf-8")


def main(words: list[str]) -> int:
    module, alias, *given = words
    known = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split("\n")
    bad = 0
    for name in given or known:
        path = ROOT / name
        if not path.is_file() or path.parent == ROOT / "scripts":
            continue
        text = path.read_text(encoding="utf-8")
        try:
            changed = qualify(text, module, alias)
        except ValueError as problem:
            print(f"{name}: {problem}")
            bad += 1
            continue
        if changed != text:
            path.write_text(changed, encoding="utf-8")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
