"""The index of the shipped rulesets: families, names, titles and a sentence each, to be listed without reading them all.

``python -m gamedsl.rules.index`` writes it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from gamedsl.source.resources import resource_path


@dataclass(frozen=True)
class Entry:
    """A shipped ruleset: the name that commands take, its title, and what it is about."""

    name: str
    title: str
    about: str


def read_index() -> dict[str, tuple[Entry, ...]]:
    """The shipped rulesets by family, in the order in which they are shown."""
    data = json.loads(resource_path("rulesets", "index.json").read_text(encoding="utf-8"))
    return {family: tuple(Entry(**game) for game in games) for family, games in data.items()}
