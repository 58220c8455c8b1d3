"""The engine knows no game: no word of a ruleset stands in the package or the grammar."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WORDS = (
    "abs-trac|atreso|berlin|bwah|charlie|chips?|curtains?|cutters|domino|goosh|grey_stone|horn|leistiko|noughts?|quet|reagans?"
    "|rock-paper|snip|sucka|s-and-lines|tear_down|tic-tac-toe|tic-t-tac|tiles?|vanhoozer|walls?"
)
PATTERN = re.compile(rf"(?<![A-Za-z])({WORDS})(?![A-Za-z])", re.IGNORECASE)
OF_OTHERS = ("codemirror.js", "codemirror.licenses.txt")  # the bundle of an editor, with its authors' addresses
ENDINGS = {".py", ".lark", ".json", ".md", ".toml", ".txt", ".html", ".js", ".css", ".yaml"}


@cache
def files() -> list[Path]:
    found = [p for folder in ("gamedsl", "grammar") for p in (ROOT / folder).rglob("*")]
    return [
        p
        for p in found
        if p.suffix in ENDINGS
        and "_share" not in p.parts
        and "__pycache__" not in p.parts
        and not p.name.endswith(OF_OTHERS)
    ]


def folders() -> list[Path]:
    return sorted({path.parent for path in files()})


@pytest.mark.parametrize("folder", folders(), ids=lambda p: str(p.relative_to(ROOT)))
def test_no_word_of_a_ruleset(folder: Path) -> None:
    found = [
        f"{path.name}:{number}: {line.strip()}"
        for path in files()
        if path.parent == folder
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if PATTERN.search(line)
    ]
    assert found == []
