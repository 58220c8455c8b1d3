"""The index of the shipped rulesets, so that they can be listed without reading them all: families, names, titles,
summaries, and what one can choose games by.

``python -m gamedsl.language.rules.library_index`` writes it.
"""

from __future__ import annotations

import json

from gamedsl.language.source.lazy_classes import lazy_dataclass
from gamedsl.language.source.resources import resource_path


@lazy_dataclass(frozen=True)
class Entry:
    """A shipped ruleset: the name that commands take, its title, its subject, the possible numbers of players, and whether it
    hides something from them or has chance."""

    name: str
    title: str
    about: str
    players: tuple[int, ...] = ()
    is_hidden: bool = False
    has_chance: bool = False

    @classmethod
    def of_json(cls, data: dict[str, object]) -> Entry:
        players = data.get("players", ())
        assert isinstance(players, list | tuple)
        return cls(**{**data, "players": tuple(players)})  # type: ignore[arg-type]


def read_index() -> dict[str, tuple[Entry, ...]]:
    """Returns the shipped rulesets by family, in display order."""
    data = json.loads(resource_path("rulesets", "index.json").read_text(encoding="utf-8"))
    return {family: tuple(map(Entry.of_json, games)) for family, games in data.items()}
