"""Rename modules and folders by the table `moves.txt`: `python scripts/rename_modules.py [--move] [FILE ...]`.

Without files, all text files that git knows are rewritten. `--move` moves the files and folders first. The program may
run again at any time, for instance on a branch that was begun before a move: what is renamed already stays.

The groups of the table (between empty lines) are applied one after the other. Names are found dotted (`gamedsl.core.nodes`),
as paths (`gamedsl/core`, `core/nodes.py`), in `from package import module`, and in what a package offers.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent


@cache
def groups() -> list[dict[str, str]]:
    """Old dotted names with their new ones, group by group."""
    texts = (HERE / "moves.txt").read_text(encoding="utf-8").split("\n\n")
    return [dict(line.split() for line in t.splitlines() if line and not line.startswith("#")) for t in texts]


@cache
def patterns() -> list[tuple[re.Pattern[str], dict[str, str]]]:
    found = []
    for moves in groups():
        for sign in "./":
            names = {old.replace(".", sign): new.replace(".", sign) for old, new in moves.items()}
            found.append((_pattern(names, r"\b(?![(-])"), names))
        short = {f"{old.replace('.', '/')}.py".removeprefix("gamedsl/"): new for old, new in moves.items()}
        short = {
            old: f"{new.replace('.', '/')}.py".removeprefix("gamedsl/") for old, new in short.items() if "/" in old
        }
        found.append((_pattern(short, r"\b"), short))
    return found


def _pattern(names: dict[str, str], end: str) -> re.Pattern[str]:
    longest = sorted(names, key=len, reverse=True)
    return re.compile(rf"(?<![\w./])({'|'.join(map(re.escape, longest))}){end}")


def rename(text: str) -> str:
    """The text with the new names, dotted or as paths."""
    for pattern, names in patterns():
        text = pattern.sub(lambda found, names=names: names[found[1]], text)
    return text


def rename_python(text: str, path: str) -> str:
    """The text of a Python file with the new names, also of modules that it imports from their package."""
    package = ".".join(Path(path).parent.parts)
    for moves in groups():
        tree = ast.parse(text)
        lines = text.encode().split(b"\n")
        edits: set[tuple[int, int, int, str]] = set()  # line, columns, new text
        local: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                for name in node.names:
                    if new := moves.get(f"{node.module}.{name.name}"):
                        last = new.rpartition(".")[2]
                        edits.add((name.lineno, name.col_offset, name.col_offset + len(name.name.encode()), last))
                        if name.asname is None:
                            local[name.name] = last
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "offered":
                for key in next((a.keys for a in node.args if isinstance(a, ast.Dict)), []):
                    if isinstance(key, ast.Constant) and (new := moves.get(f"{package}.{key.value}")):
                        last = new.removeprefix(f"{package}.")
                        edits.add((key.lineno, key.col_offset, key.end_col_offset or 0, f'"{last}"'))
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id in local:
                edits.add((node.lineno, node.col_offset, node.end_col_offset or 0, local[node.id]))
        for line, first, last_column, new in sorted(edits, reverse=True):
            row = lines[line - 1]
            lines[line - 1] = row[:first] + new.encode() + row[last_column:]
        text = b"\n".join(lines).decode()
    return rename(text)


def move() -> None:
    for moves in groups():
        for old, new in moves.items():
            for end in ("", ".py"):
                source, target = (ROOT / (name.replace(".", "/") + end) for name in (old, new))
                if source.exists():
                    target.parent.mkdir(parents=True, exist_ok=True)
                    subprocess.run(["git", "mv", source, target], cwd=ROOT, check=True)


def main(words: list[str]) -> None:
    if "--move" in words:
        words.remove("--move")
        move()
    known = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    for name in words or known:
        path = ROOT / name
        if not path.is_file() or path.parent == HERE:
            continue
        try:
            text = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue
        changed = rename_python(text, name) if path.suffix == ".py" else rename(text)
        if changed != text:
            path.write_bytes(changed.encode("utf-8"))


if __name__ == "__main__":
    main(sys.argv[1:])
