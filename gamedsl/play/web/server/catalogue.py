"""The games that this server offers: requests name them, and never give a path."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cached_property, partial
from typing import Any

from gamedsl.agents import LEARNED, LearnedValue, level_beside
from gamedsl.engine import Game, InterpretedGame
from gamedsl.language.rules import load_lowered
from gamedsl.language.source import GameDSLError, lazy_dataclass
from gamedsl.play.web import describe_game, describe_position
from gamedsl.play.web.listings import Listing, listings_of
from gamedsl.play.web.option_controls import describe_options
from gamedsl.play.web.server.agents import AGENTS, can_play
from gamedsl.play.web.server.events import PERSON
from gamedsl.play.web.server.limits import MOST_GAMES
from gamedsl.play.web.server.refusals import Refused


@lazy_dataclass()
class Loaded:
    """A game with its options, and the facts that a page needs about it."""

    game: Game
    listing: Listing
    options: list[dict[str, Any]]  # see ``describe_options``
    has_value: bool = False  # whether a learned value for these rules is here

    @cached_property
    def described(self) -> dict[str, Any]:
        return describe_game(self.game)

    @cached_property
    def card(self) -> dict[str, Any]:
        """For the lobby: the game and its first position, as a spectator sees it."""
        state = self.game.initial_state()
        position = describe_position(state, None)
        return {"game": self.described, "position": position, "options": self.options, "seats": list(self.seats)}

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """Who may play a seat: people, and the agents that can play by these rules."""
        able = (agent for agent in AGENTS if (self.has_value if agent == LEARNED else can_play(agent, self.game)))
        return (PERSON, *able)


@lazy_dataclass()
class Catalogue:
    """All games of this server. ``values``: learned values by the names of their games."""

    listings: dict[str, Listing] = field(default_factory=dict)
    values: dict[str, LearnedValue] = field(default_factory=dict)
    loaded: dict[tuple[str, tuple[tuple[str, str], ...]], Loaded] = field(default_factory=dict)

    @classmethod
    def of(cls, places: Sequence[str]) -> Catalogue:
        """The games of these places: names of shipped games, files, and folders with all their rulesets; all shipped
        games if there are none. Raises ``UsageError`` and ``GameDSLError`` for a place that cannot be read."""
        return cls({listing.name: listing for listing in listings_of(places)})

    def find_values(self, says: Callable[[str], None]) -> None:
        """Finds the learned values that lie beside the rulesets (see ``level_beside``). Takes the time of a match for each that is
        new. ``says`` is called with what becomes of each."""
        for name, listing in self.listings.items():
            load = partial(_load, listing.source)
            if (found := level_beside(listing.source, load, says)) is not None:
                self.values[name] = found

    def load(self, name: str, options: Mapping[str, str] | None = None) -> Loaded:
        """A game. Raises ``Refused`` for an unknown name, and for options that the rules do not have."""
        listing = self.listings.get(name)
        if listing is None:
            raise Refused("game", "there is no such game here")
        key = (name, tuple(sorted((options or {}).items())))
        if key not in self.loaded:
            self._forget()
            try:
                rules = load_lowered(listing.source, dict(options or {}))
                game, value = InterpretedGame(rules.program), self.values.get(name)
                has_value = value is not None and game.has_digest(value.digest)
                self.loaded[key] = Loaded(game, listing, describe_options(rules), has_value)
            except GameDSLError as error:
                raise Refused("options", "; ".join(d.message for d in error.diagnostics)) from error
        return self.loaded[key]

    def _forget(self) -> None:
        """Forgets the oldest game with options of its own; tables that play it keep it."""
        own = [key for key in self.loaded if key[1]]
        if len(own) >= MOST_GAMES:
            del self.loaded[own[0]]


def _load(source: str, options: Mapping[str, str]) -> Game:
    return InterpretedGame(load_lowered(source, dict(options)).program)
