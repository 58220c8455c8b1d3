"""Count the names that packages offer, and who uses them: `python scripts/count_names.py`.

For each face (an ``__init__`` that offers names): how many it offers, how many of these other code of ``gamedsl/`` imports,
how many code outside its top package imports, and which only documents, benchmarks or tests use."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "gamedsl"


def offers(tree: ast.Module) -> dict[str, str]:
    """The names that an ``__init__`` gives to ``offered``, with their modules."""
    found: dict[str, str] = {}
    for call in (c for s in tree.body if not isinstance(s, ast.FunctionDef | ast.ClassDef) for c in ast.walk(s)):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "offered":
            for module, names in ast.literal_eval(call.args[1]).items():
                found |= dict.fromkeys(names.split(), module)
    return found


def faces() -> dict[str, dict[str, str]]:
    """What each package offers."""
    every = {
        ".".join(path.relative_to(ROOT).parent.parts): offers(ast.parse(path.read_text(encoding="utf-8")))
        for path in PACKAGE.rglob("__init__.py")
    }
    return {name: names for name, names in sorted(every.items()) if names}


def texts() -> Iterator[tuple[str, str]]:
    """All Python of the project with its place, also the blocks of documents."""
    for folder in ("gamedsl", "tests", "benchmarks", "scripts", "examples"):
        for path in (ROOT / folder).rglob("*.py"):
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    for path in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        for block in re.findall(r"```python[^\n]*\n(.*?)```", path.read_text(encoding="utf-8"), re.S):
            yield path.relative_to(ROOT).as_posix(), block


def uses(packages: dict[str, dict[str, str]]) -> dict[tuple[str, str], set[str]]:
    """By face and name: the places that import it from there, or reach it as an attribute of the package."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for place, text in texts():
        try:
            tree = ast.parse(text)
        except SyntaxError:  # a block that shows a part of a file
            continue
        modules: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                for name in node.names:
                    found[node.module, name.name].add(place)
                    if f"{node.module}.{name.name}" in packages:
                        modules[name.asname or name.name] = f"{node.module}.{name.name}"
            elif isinstance(node, ast.Import):
                modules |= {n.asname or n.name: n.name for n in node.names if n.name in packages}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and (module := modules.get(ast.unparse(node.value))):
                found[module, node.attr].add(place)
    return found


def top(place: str) -> str:
    return place.split("/")[1] if "/" in place else place


def main() -> None:
    packages = faces()
    used = uses(packages)
    total = [0, 0, 0]
    print(
        f"{'face':<32}{'names':>7}{'used by other code':>20}{'by other packages':>20}  only documents, tests, benchmarks"
    )
    for face, names in packages.items():
        own = face.replace(".", "/") + "/"
        outside = {n: {p for p in used[face, n] if not p.startswith(own)} for n in names}
        code = [n for n, places in outside.items() if any(p.startswith("gamedsl/") for p in places)]
        far = [n for n in code if any(p.startswith("gamedsl/") and top(p) != top(own) for p in outside[n])]
        counts = [len(names), len(code), len(far)]
        total = [a + b for a, b in zip(total, counts, strict=True)]
        rest = sorted(set(names) - set(code))
        print(f"{face:<32}{counts[0]:>7}{counts[1]:>20}{counts[2]:>20}  {' '.join(rest)}")
    print(f"{'':<32}{total[0]:>7}{total[1]:>20}{total[2]:>20}")


if __name__ == "__main__":
    main()
