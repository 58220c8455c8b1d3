"""The games that a server or a site offers: shipped ones by name, files, and the rulesets of folders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gamedsl.engine import InterpretedGame
from gamedsl.language.rules import load_lowered
from gamedsl.language.source import UsageError, lazy_dataclass, read_index
from gamedsl.play.web.option_controls import describe_options

SUFFIXES = (".gdl", ".json", ".yaml")


@lazy_dataclass(frozen=True)
class Listing:
    """A game on offer. ``source``: what ``load_program`` takes. The rest is as in ``Entry``."""

    name: str
    title: str
    about: str
    family: str
    source: str
    players: tuple[int, ...] = ()
    is_hidden: bool = False
    has_chance: bool = False


def listings_of(places: Sequence[str]) -> list[Listing]:
    """The games of these names, files and folders, each name once; all shipped games if there are none.

    Raises ``UsageError`` and ``GameDSLError`` for a place that cannot be read."""
    shipped = {
        e.name: Listing(e.name, e.title, e.about, family, e.name, e.players, e.is_hidden, e.has_chance)
        for family, es in read_index().items()
        for e in es
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
    rules = load_lowered(file)  # reports an error in the rules at the start, not to the first guest
    game = InterpretedGame(rules.program)
    bounds = next(
        ((one["low"], one["high"]) for one in describe_options(rules) if one["name"] == "players" and "low" in one),
        None,
    )
    players = (game.num_players,) if bounds is None else tuple(range(bounds[0], bounds[1] + 1))
    family, has_chance = "Games of this folder", "chance" in game.kinds
    return Listing(file.stem, game.title, "", family, str(file), players, game.secrets.hides, has_chance)
