"""Prove that a codemod changed names only: `python scripts/same_trees.py BEFORE AFTER` compares two commits.

Every Python file of BEFORE must have one in AFTER, at the place that `moves.txt` names, whose syntax trees are equal once
imported names are replaced by what they stand for (`gamedsl.language.core.nodes.Op2`), whichever way a file imports
them, and renamed by the table `moves.txt`. A local variable may have another name throughout its function. Order and form
of the imports, comments and formatting do not count; docstrings do. Exit code 1 with the first differences of each file.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from rename_modules import rename

ROOT = Path(__file__).parents[1]


def files(commit: str) -> dict[str, str]:
    """The Python files of a commit, with their texts."""
    found = subprocess.run(
        ["git", "ls-tree", "-r", "--name-only", commit], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split("\n")
    paths = [path for path in found if path.endswith(".py") and not path.startswith("scripts/")]
    batch = "\n".join(f"{commit}:{path}" for path in paths)
    output = subprocess.run(
        ["git", "cat-file", "--batch"], cwd=ROOT, check=True, capture_output=True, input=batch.encode()
    ).stdout
    texts, at = {}, 0
    for path in paths:
        end = output.index(b"\n", at)
        size = int(output[at:end].split()[2])
        texts[path] = output[end + 1 : end + 1 + size].decode("utf-8")
        at = end + size + 2
    return texts


class Resolved(ast.NodeTransformer):
    """The tree without imports: each imported name is replaced by what it stands for."""

    def __init__(self, tree: ast.Module, package: str):
        self.meaning: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                base = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1]) if node.level else ""
                module = ".".join(part for part in (base, node.module) if part)
                for name in node.names:
                    self.meaning[name.asname or name.name] = f"{module}.{name.name}"
            elif isinstance(node, ast.Import):
                for name in node.names:
                    if name.asname:
                        self.meaning[name.asname] = name.name

    def visit_Import(self, node: ast.Import) -> None: ...

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None: ...

    def visit_Name(self, node: ast.Name) -> Any:
        return ast.Name(self.meaning.get(node.id, node.id))

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        value = self.visit(node.value)
        if isinstance(value, ast.Name) and value.id.startswith("gamedsl."):
            return ast.Name(f"{value.id}.{node.attr}")
        return ast.Attribute(value, node.attr)


def units(text: str, path: str, renamed: bool) -> list[str]:
    """The trees of a file as texts, by full names: one for each function, method and other statement."""
    parsed = ast.parse(text)
    tree = Resolved(parsed, ".".join(Path(path).parent.parts)).visit(parsed)
    found: list[str] = []
    for node in tree.body:
        inner = node.body if isinstance(node, ast.ClassDef) else []
        if inner:
            node.body = []
        found += [ast.dump(each, indent=1) for each in (node, *inner)]
    return [rename(each) if renamed else each for each in found]


IDENTIFIER = re.compile(
    r"( *(?:\w+=)?(?:Name\(id|arg\(arg|MatchAs\(name|name|arg|MatchStar\(name)=')([A-Za-z_]\w*)('.*)"
)


def same(one: str, two: str) -> tuple[str, str] | None:
    """The first difference of two trees that is no consistent change of a local variable's name."""
    left, right = one.split("\n"), two.split("\n")
    there: dict[str, str] = {}
    back: dict[str, str] = {}
    keyword = False  # names of a call's arguments are no local variables
    for a, b in zip(left, right, strict=False):
        first, second = (None, None) if keyword else (IDENTIFIER.fullmatch(a), IDENTIFIER.fullmatch(b))
        keyword = a.strip().endswith("keyword(")
        if first and second and first[1] == second[1] and first[3] == second[3]:
            if there.setdefault(first[2], second[2]) != second[2] or back.setdefault(second[2], first[2]) != first[2]:
                return a, b
        elif a != b:
            return a, b
    return None if len(left) == len(right) else ("", "one is longer")


def main(before: str, after: str) -> int:
    old, new = files(before), files(after)
    bad = 0
    for path, text in sorted(old.items()):
        target = rename(path)
        if target not in new:
            print(f"{path}: no {target}")
            bad += 1
            continue
        one, two = units(text, path, True), units(new[target], target, False)
        found = [pair for a, b in zip(one, two, strict=False) if (pair := same(a, b))]
        if len(one) != len(two):
            found.append((f"{len(one)} statements", f"{len(two)}"))
        if found:
            bad += 1
            print(f"{target}:", *(f"{a.strip()} -> {b.strip()}" for a, b in found[:2]))
    extra = sorted(set(new) - {rename(path) for path in old})
    print(f"{len(old)} files, {bad} differ, {len(extra)} new: {', '.join(extra)}")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
