"""List the names of modules of `gamedsl/` that no other code of `gamedsl/` uses: `python scripts/unused_names.py`.

A function, class or constant of a module is used if a name that is used mentions it, beginning with what runs when a module is
imported, with the entry points of `pyproject.toml` and with what the pages about Python document. A class is used as a
whole. Tests, documents and benchmarks do not count: what only they use belongs to them.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "gamedsl"
sys.path.insert(0, str(ROOT))

from scripts.count_names import offers  # noqa: E402  the folder is not a package that is installed
from scripts.reference.python_pages import ALL, FACES  # noqa: E402

ENTRY = re.compile(r"(gamedsl(?:\.\w+)*)(?::(\w+))?")
MENTIONS = (ast.Name, ast.Attribute, ast.Constant, ast.AnnAssign, ast.ImportFrom)
STABLE = ("gamedsl.testing", "gamedsl.pytest_plugin", "gamedsl.cli", "gamedsl.engine.values")


class Unit(NamedTuple):
    """A function, class or constant of a module, or (``name`` is empty) the rest of the module."""

    module: str
    name: str


class Names:
    """All units of the package, and what each mentions."""

    def __init__(self) -> None:
        self.trees = {_module(path): ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")}
        self.faces = {module: offers(tree) for module, tree in self.trees.items()}
        self.parts: dict[Unit, list[ast.AST]] = {}  # the nodes of each unit that may mention another one
        self.scopes: dict[str, dict[str, tuple[str, str]]] = {}  # of each module: imported names, where from
        for module, tree in self.trees.items():
            imports = self.scopes[module] = {}
            for statement in tree.body:
                nodes = [node for node in ast.walk(statement) if isinstance(node, MENTIONS)]
                for node in nodes:
                    if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gamedsl"):
                        imports |= {n.asname or n.name: (str(node.module), n.name) for n in node.names}
                for name in _defined(statement) or [""]:
                    self.parts.setdefault(Unit(module, name), []).extend(nodes)

    def unused(self) -> list[Unit]:
        """The units that nothing used mentions."""
        todo = [u for u in self.parts if not u.name or u.name == "__getattr__"] + list(self._public())
        used: set[Unit] = set()
        while todo:
            unit = todo.pop()
            if unit not in used and unit in self.parts:
                used.add(unit)
                todo += self._mentions(unit)
        return sorted(u for u in self.parts if u not in used and not u.name.startswith("__"))

    def home(self, module: str, name: str) -> Unit:
        """The unit that a name of a module is, wherever it is defined; ``Unit(module, "")`` for a module."""
        if name in self.faces.get(module, {}):
            return self.home(f"{module}.{self.faces[module][name]}", name)
        if Unit(module, name) not in self.parts:
            if name in self.scopes.get(module, {}):
                return self.home(*self.scopes[module][name])
            if f"{module}.{name}" in self.trees:
                return Unit(f"{module}.{name}", "")
        return Unit(module, name)

    def _mentions(self, unit: Unit) -> Iterator[Unit]:
        module = unit.module
        for node in self.parts[unit]:
            match node:
                case ast.Name(id=name):
                    yield self.home(module, name)
                case ast.Attribute(value=ast.Name(id=name), attr=attr) if name in self.scopes[module]:
                    if not (found := self.home(module, name)).name:
                        yield self.home(found.module, attr)
                case ast.Constant(value=str(text)) if text.isidentifier():  # a forward reference, or `getattr`
                    yield self.home(module, text)
                case ast.Constant(value=str(text)) if entry := ENTRY.fullmatch(text):
                    yield self.home(entry[1], entry[2] or "")
                case ast.AnnAssign(annotation=ast.Name(id="TypeAlias"), value=ast.Constant(value=str(text))):
                    yield from (self.home(module, name) for name in re.findall(r"\w+", text))

    def _public(self) -> Iterator[Unit]:
        """What programs of others may use."""
        for face in FACES:
            for module, names in face.names.items():
                for name in self.faces[module] if names == ALL else names:
                    yield self.home(module, name)
        yield from (u for u in self.parts if u.module.startswith("gamedsl.cli.") and u.name == "add")
        for module in STABLE:
            yield from (u for u in self.parts if u.module == module)
            yield from (self.home(module, name) for name in self.faces.get(module, ()))
        for found in ENTRY.finditer((ROOT / "pyproject.toml").read_text(encoding="utf-8")):
            yield self.home(found[1], found[2] or "")


def _module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _defined(statement: ast.stmt) -> list[str]:
    """The names that a statement of a module defines."""
    match statement:
        case ast.FunctionDef(name=name, decorator_list=marks) | ast.AsyncFunctionDef(name=name, decorator_list=marks):
            return [] if any(_registers(mark) for mark in marks) else [name]
        case ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [t.id for t in targets if isinstance(t, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


def _registers(decorator: ast.expr) -> bool:
    """Whether a decorator makes a function known elsewhere: `@lowers(n.Flood)`, `@server.feature(...)`."""
    return isinstance(decorator, ast.Call)


def main() -> None:
    for unit in Names().unused():
        print(f"{unit.module}.{unit.name}")


if __name__ == "__main__":
    main()
