"""The colours of players: by their names, else by those of their pieces in the look."""

from __future__ import annotations

from typing import Any, TypeAlias

from gamedsl.core.nodes import Part
from gamedsl.picture import owner_of

Json: TypeAlias = dict[str, Any]

COLOURS = frozenset({"white", "black", "red", "blue", "green", "yellow", "orange", "purple", "cyan", "magenta", "grey"})


def coloured_players(part: Part) -> list[Json]:
    """The players of a part, each with a colour; empty where neither the names nor the look give all of them one."""
    names = part.players.names
    colours = [name.casefold() if name.casefold() in COLOURS else "" for name in names]
    if not all(colours):
        colours = [_in_look(part, name) for name in names]
    if not all(colours) or len(set(colours)) < len(colours):
        colours = ["" for _ in names]
    return [{"name": name, "colour": colour} for name, colour in zip(names, colours, strict=True)]


def _in_look(part: Part, player: str) -> str:
    """The colour in which the look shows the pieces of a player that it names."""
    for mark in part.looks:
        owner = owner_of(mark, None) if mark.kind == "show" and mark.colour else None
        if owner is not None and owner[0] == player.replace("_", " "):
            return mark.colour or ""
    return ""
