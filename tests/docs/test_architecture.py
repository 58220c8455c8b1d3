"""The pages about the code: two screens, and every file that they name exists."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
SCREEN = 50  # lines
NAMED = re.compile(r"`([\w./*-]+/[\w./*-]*|[\w*-]+\.(?:py|js|lark|txt|md))`")
PAGES = ("architecture.md", "internals.md", "glossary.md", "contributing/expression.md", "contributing/statement.md")


def test_the_architecture_is_two_screens() -> None:
    """The pipeline, and where to look for something."""
    pipeline, *rest = (DOCS / "architecture.md").read_text("utf-8").split("\n## ")
    assert len(rest) == 1
    assert [screen.count("\n") <= SCREEN for screen in (pipeline, *rest)] == [True, True]


def test_every_package_is_on_the_map() -> None:
    text = (DOCS / "architecture.md").read_text("utf-8")
    packages = [p.parent.name for p in (ROOT / "gamedsl").glob("*/__init__.py")]
    assert [name for name in packages if f"`{name}/`" not in text] == []


@cache
def paths() -> tuple[str, ...]:
    """All files and folders of the tree, each with a slash before it."""
    folders = [ROOT / name for name in ("gamedsl", "tests", "docs", "grammar", "benchmarks")]
    return tuple(f"/{p.relative_to(ROOT)}" for folder in folders for p in (folder, *folder.rglob("*")))


def exists(name: str) -> bool:
    """Whether a file or folder has this name, or a path that ends with it."""
    wanted = name.strip("/")
    return (ROOT / wanted).exists() or any(fnmatchcase(path, f"*/{wanted}") for path in paths())


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_is_named_exists(page: str) -> None:
    text = re.sub(r"^ *```.*?^ *```$", "", (DOCS / page).read_text("utf-8"), flags=re.S | re.M)
    assert [name for name in dict.fromkeys(NAMED.findall(text)) if not exists(name)] == []


def test_a_missing_file_is_found() -> None:
    assert exists("language/core/nodes.py")
    assert exists("lockstep*.py")
    assert not exists("emit/expressions.py")
