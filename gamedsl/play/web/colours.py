"""The colors of players, from their names, or else from the names of their pieces in the look."""

from __future__ import annotations

from typing import Any, TypeAlias

from gamedsl.language.core import colored_players as colours_of
from gamedsl.language.core import nodes as n

Json: TypeAlias = dict[str, Any]


def colored_players(part: n.Part) -> list[Json]:
    """The players of a part, each with a color; empty if neither the names nor the look give all of them one."""
    return [{"name": name, "colour": colour} for name, colour in zip(part.players.names, colours_of(part), strict=True)]
