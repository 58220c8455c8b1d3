"""Rename modules and folders by the table `moves.txt`: `python scripts/rename_modules.py [--folders] [FILE ...]`.

Without files, all text files that git knows are rewritten. `--folders` moves the folders first. The program may run
again at any time, for instance on a branch that was begun before the move: what is renamed already stays.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent


def table() -> dict[str, str]:
    """Old dotted names with their new ones."""
    lines = (HERE / "moves.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split() for line in lines if line and not line.startswith("#"))


def rename(text: str) -> str:
    """The text with the new names, dotted (`gamedsl.core.nodes`) or as a path (`gamedsl/core`)."""
    moves = table()
    for sign in "./":
        names = {old.replace(".", sign): new.replace(".", sign) for old, new in moves.items()}
        pattern = "|".join(re.escape(name) for name in names)
        text = re.sub(rf"(?<![\w.])({pattern})\b(?![(-])", lambda found, names=names: names[found[1]], text)
    return text


def move_folders() -> None:
    for old, new in table().items():
        source, target = (ROOT / name.replace(".", "/") for name in (old, new))
        if source.is_dir():
            target.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["git", "mv", source, target], cwd=ROOT, check=True)


def main(words: list[str]) -> None:
    if "--folders" in words:
        words.remove("--folders")
        move_folders()
    known = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    for name in words or known:
        path = ROOT / name
        if not path.is_file() or path.parent == HERE:
            continue
        try:
            text = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue
        if (changed := rename(text)) != text:
            path.write_bytes(changed.encode("utf-8"))


if __name__ == "__main__":
    main(sys.argv[1:])
