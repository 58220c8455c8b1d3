"""The index of the shipped rulesets, so that they can be listed without reading them all: families, names, titles,
summaries.

``python -m gamedsl.language.rules.library_index`` writes it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from gamedsl.language.source.resources import resource_path


@dataclass(frozen=True)
class Entry:
    """A shipped ruleset: the name that commands take, its title, and its subject."""

    name: str
    title: str
    about: str


def read_index() -> dict[str, tuple[Entry, ...]]:
    """Returns the shipped rulesets by family, in display order."""
    data = json.loads(resource_path("rulesets", "index.json").read_text(encoding="utf-8"))
    return {family: tuple(Entry(**game) for game in games) for family, games in data.items()}
