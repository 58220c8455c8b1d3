"""Rooms use what other rooms offer; no circle of files; no import inside a function without its reason."""

from __future__ import annotations

import ast
import importlib
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from inspect import unwrap
from itertools import chain
from pathlib import Path

import pytest

import gamedsl

from .source_trees import tree_of

PACKAGE = Path(gamedsl.__file__).parent
# Modules that rooms offer as a whole: see docs/decisions/011-what-a-package-offers.md.
OPEN = (["language"], ["lab"], ["play"])  # packages whose folders offer names themselves
OFFERED_MODULES = {
    "gamedsl.language.core.nodes", "gamedsl.language.syntax.ast", "gamedsl.language.boards.drawing",
    "gamedsl.cli.main",  # the entry point, for the script and for `python -m gamedsl`
}  # fmt: skip


def _modules() -> dict[str, Path]:
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = _modules()


def _imports(path: Path) -> Iterator[tuple[ast.ImportFrom, str, bool]]:
    """What a file imports of the package when it runs: the statement, the module, and whether it stands in a function."""
    todo: list[tuple[ast.AST, bool]] = [(tree_of(path), False)]
    while todo:
        node, inside = todo.pop()
        if isinstance(node, ast.ImportFrom):
            for name in node.names:
                whole = f"{node.module}.{name.name}"
                yield node, whole if whole in MODULES else str(node.module), inside
        elif not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            inside = inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            todo += [(child, inside) for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr)]


def _room(module: str) -> tuple[str, ...]:
    parts = module.split(".")
    return tuple(parts[1:3]) if parts[1:2] in (*OPEN, ["compiler"]) else tuple(parts[1:2])


@cache
def _offered_by(module: str) -> dict[str, str]:
    """The names that a package's ``__init__`` offers, with the modules that define them."""
    return {name: f"{module}.{inside}" for name, inside in _offers(MODULES[module]).items()}


def _every_import(path: Path) -> Iterator[str]:
    """The modules that a file imports of the package, also inside functions and for type checkers alone. A name that a
    package offers counts as an import of the module that defines it."""
    for node in _statements(path):
        module = str(node.module)
        for name in node.names:
            whole = f"{module}.{name.name}"
            if whole in MODULES:
                yield whole
            elif module in MODULES and MODULES[module].name == "__init__.py":
                yield _offered_by(module).get(name.name, module)
            else:
                yield module


def _circle(graph: dict[str, set[str]]) -> list[str]:
    """The modules of a circle, from one to itself; none if there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as circle:
        return list(circle.args[1])
    return []


def test_circles_are_found() -> None:
    assert _circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) in (["b", "c", "b"], ["c", "b", "c"])
    assert _circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_no_file_imports_itself_by_way_of_others() -> None:
    """Imports inside functions and for type checkers count as well: they hide a circle, and do not break it.

    An ``__init__`` is no file here: what it lists for type checkers is what the package offers."""
    files = {name: path for name, path in MODULES.items() if path.name != "__init__.py"}
    graph = {name: {m for m in _every_import(path) if m in files and m != name} for name, path in files.items()}
    assert sum(map(len, graph.values())) > 3000, "the imports are not found"
    assert not _circle(graph), " -> ".join(_circle(graph))


def _unreasoned(name: str, path: Path) -> int:
    """Imports in functions, of files of the same room, with no comment beside them or above."""
    lines = path.read_text(encoding="utf-8").splitlines()
    inside = {node.lineno: (node, _room(m) == _room(name)) for node, m, inside in _imports(path) if inside}
    explained: set[int] = set()
    unreasoned = 0
    for at, (node, own) in sorted(inside.items()):
        end = node.end_lineno or at
        above = lines[at - 2].strip() if at > 1 else ""
        # a reason holds for the imports directly below it as well
        if any("#" in line for line in lines[at - 1 : end]) or above.startswith("#") or at - 1 in explained:
            explained.add(end)
        else:
            unreasoned += own
    return unreasoned


def test_imports_in_functions_of_the_same_room_have_their_reason() -> None:
    found = [str(path.relative_to(PACKAGE)) for name, path in sorted(MODULES.items()) if _unreasoned(name, path)]
    assert not found, "an import in a function is for start-up or an optional extra, and says so in a comment"


# ----------------------------------------------------------------------------------------------- what a room offers


@cache
def _statements(path: Path) -> tuple[ast.ImportFrom, ...]:
    """All imports of the package in a file, also those for type checkers alone."""
    found: list[ast.ImportFrom] = []
    todo: list[ast.AST] = [tree_of(path)]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gamedsl"):
            found.append(node)
        todo += [
            child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr)
        ]  # expressions have none
    return tuple(found)


def _room_of(module: str) -> str:
    """``gamedsl.engine`` of ``gamedsl.engine.state``. The folders of some packages offer names themselves."""
    parts = module.split(".")
    return ".".join(parts[: 3 if parts[1:2] in OPEN or parts[1:3] == ["engine", "picture"] else 2])


def _reaches_inside(name: str, path: Path) -> Iterator[str]:
    for node in _statements(path):
        for imported in node.names:
            whole = f"{node.module}.{imported.name}"
            module = whole if whole in MODULES else str(node.module)
            if module not in {_room_of(module), *OFFERED_MODULES} and _room_of(module) != _room_of(name):
                yield f"{path.relative_to(PACKAGE)}:{node.lineno} imports {imported.name} from {module}"


def test_no_room_imports_the_inside_of_another() -> None:
    found = [text for name, path in sorted(MODULES.items()) for text in _reaches_inside(name, path)]
    assert not found, "import it from the room, and let its `__init__` offer it:\n" + "\n".join(found)


def _offers(path: Path) -> dict[str, str]:
    """The names that a room's ``__init__`` gives to ``offered``, with their modules."""
    calls = [n for n in ast.walk(tree_of(path)) if isinstance(n, ast.Call)]
    found: dict[str, str] = {}
    for call in calls:
        if isinstance(call.func, ast.Name) and call.func.id == "offered":
            for module, names in ast.literal_eval(call.args[1]).items():
                found |= dict.fromkeys(names.split(), module)
    return found


ROOMS = {name: path for name, path in MODULES.items() if path.name == "__init__.py" and _offers(path)}


def test_there_are_rooms_that_offer_something() -> None:
    assert {"gamedsl", "gamedsl.language.core", "gamedsl.compiler", "gamedsl.lab.claims"} <= set(ROOMS)


@pytest.mark.parametrize("name", sorted(ROOMS))
def test_what_a_room_offers_is_the_same_for_type_checkers_and_for_the_program(name: str) -> None:
    path = ROOMS[name]
    offers = _offers(path)
    blocks = [node.body for node in tree_of(path).body if isinstance(node, ast.If)]
    typed = {
        imported.name: str(node.module).removeprefix(f"{name}.")
        for node in chain.from_iterable(blocks)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith(f"{name}.")
        for imported in node.names
    }
    room = importlib.import_module(name)
    assert typed == offers and set(offers) <= set(room.__all__)
    for offer in offers:
        there = getattr(importlib.import_module(f"{name}.{offers[offer]}"), offer)
        assert unwrap(getattr(room, offer)) is unwrap(there)  # tests wrap `check_file`


# Faces for programs and packages of others, whatever our own code imports (docs/decisions/007-stable-names.md), and one that
# is being built.
PUBLIC = {"gamedsl", "gamedsl.cli", "gamedsl.envs", "gamedsl.lab.statistics"}


def _used_outside() -> set[tuple[str, str]]:
    """Faces with the names that are imported from them: by code outside, by documents, scripts and the example package."""
    found = set()
    for name, path in MODULES.items():
        found |= {
            (str(node.module), n.name)
            for node in _statements(path)
            for n in node.names
            if name.rpartition(".")[0] != node.module
        }
    root = PACKAGE.parent
    other = [*root.glob("docs/**/*.md"), *root.glob("scripts/**/*.py"), *root.glob("tests/plugin_package/**/*.py")]
    for path in other:
        text = path.read_text(encoding="utf-8")
        for module, names in re.findall(r"from (gamedsl[\w.]*) import (\([^)]*\)|[^\n]*)", text):
            found |= {(module, word) for word in re.findall(r"\w+", names)}
    return found


def test_what_a_package_offers_is_used_outside_it() -> None:
    """`scripts/count_names.py` counts the names. A test imports what is not offered from the module that defines it."""
    used = _used_outside()
    idle = sorted((room, n) for room in set(ROOMS) - PUBLIC for n in _offers(ROOMS[room]) if (room, n) not in used)
    assert idle == []


# ------------------------------------------------------------------------------------------------------- file names


def test_no_two_files_have_the_same_name() -> None:
    """``__init__``, ``__main__`` and ``messages`` stand in several packages; every other name leads to one file."""
    names = Counter(path.name for path in MODULES.values() if path.stem not in ("__init__", "__main__", "messages"))
    assert [name for name, count in names.items() if count > 1] == []


def test_what_a_package_offers_is_not_called_like_a_module_in_it() -> None:
    """After the module is imported, Python finds the module under that name."""
    for room, path in ROOMS.items():
        modules = {other.stem for other in path.parent.glob("*.py")} | {
            p.name for p in path.parent.iterdir() if p.is_dir()
        }
        assert not modules & set(_offers(path)), room
