"""The navigation of the site lists every page once, and nothing that is not there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
SECTIONS = ["Start", "Tutorial", "How-to", "Reference", "Explanation", "Games", "Project"]


def patterns(entry: Any) -> Iterator[str]:
    """The paths and patterns of a navigation, in order."""
    if isinstance(entry, str):
        yield entry
    elif isinstance(entry, list):
        for each in entry:
            yield from patterns(each)
    elif "glob" in entry:
        yield entry["glob"]
    else:
        for each in entry.values():
            yield from patterns(each)


def source(path: str) -> Path:
    """The file in the repository from which a page is made."""
    if path == "index.md":
        return ROOT / "README.md"
    place = DOCS / path
    if place.name == "index.md":
        place = place.with_name("README.md")
    return place if place.exists() else ROOT / path


def test_every_page_is_listed_once() -> None:
    nav = yaml.safe_load((DOCS / ".nav.yml").read_text(encoding="utf-8"))["nav"]
    assert [name for section in nav for name in section] == SECTIONS
    listed = list(patterns(nav))
    single = [path for path in listed if "*" not in path and path != "games"]
    assert len(single) == len(set(single))
    assert [path for path in single if not source(path).is_file()] == []
    matched = {p for pattern in listed if "*" in pattern for p in DOCS.glob(pattern)}
    assert set(DOCS.rglob("*.md")) - matched - {source(path) for path in single} == set()


def test_the_tutorial_has_eight_steps_in_order() -> None:
    steps = sorted(p.name for p in (DOCS / "tutorial").glob("[0-9]*.md"))
    assert [name[:2] for name in steps] == [f"{n}-" for n in range(1, 9)]
    index = (DOCS / "tutorial" / "README.md").read_text(encoding="utf-8")
    assert [index.index(name) for name in steps] == sorted(index.index(name) for name in steps)
    for name, following in pairwise(steps):
        assert f"({following})" in (DOCS / "tutorial" / name).read_text(encoding="utf-8").splitlines()[-1]
