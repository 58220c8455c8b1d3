"""The names of variables and of their slots in positions."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from gamedsl.engine.positions.refused import unfit
from gamedsl.language.boards import Domain
from gamedsl.language.core import nodes as n
from gamedsl.language.syntax import Datum

if TYPE_CHECKING:
    from gamedsl.engine.state import Game


def slot_names(keys: tuple[Domain, ...]) -> list[str]:
    """Returns the names of a variable's slots: the names of its keys, joined by commas."""
    names = [""]
    for domain in keys:
        names = [f"{a}, {b}" if a else b for a in names for b in domain.names]
    return names


def unique_names(program: n.Program) -> list[str]:
    """Returns a unique name for every variable: its own if that is unique, else with the name of its part before it,
    else with a number."""
    own = [v.name for v in program.variables]
    names: list[str] = []
    for v in program.variables:
        name = v.name
        if own.count(name) > 1:
            name = f"{program.parts[v.part].name}: {name}" if v.part else name
        number = 2
        while name in names:
            name, number = f"{name.partition(' #')[0]} #{number}", number + 1
        names.append(name)
    return names


def find_variable(game: Game, name: str, part: int, place: Datum | None = None) -> n.Var:
    """Returns the variable of this name, from this part, else from the others. For an attribute of pieces, the name of
    the field suffices. Raises ``Broken`` if there is none.
    """
    parts = [part, *sorted({v.part for v in game.program.variables} - {part})]
    for p in parts:
        own = [v for v in game.program.variables if v.part == p and v.role != "temp"]
        found = [v for v in own if v.name == name] or [v for v in own if v.name.split(".")[-1] == name]
        if found:
            return found[0]
    names = [v.name for v in game.program.variables if v.role in ("piece", "state")]
    near = tuple(get_close_matches(name, names, n=3))
    raise unfit(place or Datum(name), f"there is no variable or piece called {name}", near=near)
