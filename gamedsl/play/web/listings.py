"""The games that a server or a site offers: shipped ones by name, files, and the rulesets of folders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gamedsl.engine import InterpretedGame
from gamedsl.language.rules import load_program
from gamedsl.language.source import UsageError, read_index

SUFFIXES = (".gdl", ".json", ".yaml")


@dataclass(frozen=True)
class Listing:
    """A game on offer. ``source``: what ``load_program`` takes."""

    name: str
    title: str
    about: str
    family: str
    source: str


def listings_of(places: Sequence[str]) -> list[Listing]:
    """The games of these names, files and folders, each name once; all shipped games if there are none.

    Raises ``UsageError`` and ``GameDSLError`` for a place that cannot be read."""
    shipped = {
        e.name: Listing(e.name, e.title, e.about, family, e.name) for family, es in read_index().items() for e in es
    }
    if not places:
        return list(shipped.values())
    found: dict[str, Listing] = {}
    for place in places:
        for listing in [shipped[place]] if place in shipped else _listings(Path(place)):
            found.setdefault(listing.name, listing)
    return list(found.values())


def _listings(path: Path) -> list[Listing]:
    if path.is_dir():
        files = sorted(p for p in path.iterdir() if p.suffix in SUFFIXES and p.is_file())
        if not files:
            raise UsageError(f"there is no ruleset in `{path}`", help="rulesets end in .gdl, .json or .yaml")
    else:
        files = [path]
    return [_listing(file) for file in files]


def _listing(file: Path) -> Listing:
    game = InterpretedGame(load_program(file))  # reports an error in the rules at the start, not to the first guest
    return Listing(file.stem, game.title, "", "Games of this folder", str(file))
