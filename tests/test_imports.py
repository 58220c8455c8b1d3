"""No circle of files, and no import inside a function without its reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import gamedsl

PACKAGE = Path(gamedsl.__file__).parent


def _modules() -> dict[str, Path]:
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = _modules()


def _imports(path: Path) -> Iterator[tuple[ast.ImportFrom, str, bool]]:
    """What a file imports of the package when it runs: the statement, the module, and whether it stands in a function."""
    todo: list[tuple[ast.AST, bool]] = [(ast.parse(path.read_text(encoding="utf-8")), False)]
    while todo:
        node, inside = todo.pop()
        if isinstance(node, ast.ImportFrom):
            for name in node.names:
                whole = f"{node.module}.{name.name}"
                yield node, whole if whole in MODULES else str(node.module), inside
        elif not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            inside = inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            todo += [(child, inside) for child in ast.iter_child_nodes(node)]


def _room(module: str) -> tuple[str, ...]:
    parts = module.split(".")
    return tuple(parts[1:3]) if parts[1:2] in (["check"], ["native"]) else tuple(parts[1:2])


def test_no_file_imports_itself_by_way_of_others() -> None:
    """Imports inside functions count as well: they hide a circle, and do not break it."""
    files = {name: path for name, path in MODULES.items() if path.name != "__init__.py"}
    graph = {name: {m for _, m, _ in _imports(path) if m in files and m != name} for name, path in files.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as circle:
        raise AssertionError(" -> ".join(circle.args[1])) from None


def _unreasoned(name: str, path: Path) -> int:
    """Imports in functions, of files of the same room, with no comment beside them or above."""
    lines = path.read_text(encoding="utf-8").splitlines()
    own = {node.lineno: node for node, m, inside in _imports(path) if inside and _room(m) == _room(name)}
    explained: set[int] = set()
    for at, node in sorted(own.items()):
        end = node.end_lineno or at
        above = lines[at - 2].strip() if at > 1 else ""
        # a reason holds for the imports directly below it as well
        if any("#" in line for line in lines[at - 1 : end]) or above.startswith("#") or at - 1 in explained:
            explained.add(end)
    return sum((node.end_lineno or at) not in explained for at, node in own.items())


def test_imports_in_functions_of_the_same_room_have_their_reason() -> None:
    found = [str(path.relative_to(PACKAGE)) for name, path in sorted(MODULES.items()) if _unreasoned(name, path)]
    assert not found, "an import in a function is for start-up or an optional extra, and says so in a comment"
