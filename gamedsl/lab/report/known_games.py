"""The scale of known games: a game's figures among those of games that people know."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from math import log10
from typing import Any

from gamedsl.language.source import lazy_dataclass, resource_path

FILE = "figures.json"


@lazy_dataclass(frozen=True)
class Known:
    """A figure of known games. ``read``: finds it among the figures of a game. ``scaled``: its place on the axis."""

    name: str
    read: Callable[[Mapping[str, Any]], Mapping[str, Any] | None]
    shown: Callable[[float], str]
    is_log: bool = False

    def scaled(self, value: float) -> float:
        """Returns the place of a value on the axis, before it is stretched."""
        return log10(max(value, 1e-3)) if self.is_log else value


@lazy_dataclass(frozen=True)
class OnScale:
    """A game's figure beside those of known games: (name, value), the smallest first. ``low``, ``high``: the ends of
    its interval, if it has any.
    """

    known: Known
    value: float
    low: float | None
    high: float | None
    others: tuple[tuple[str, float], ...]


def _of_player(name: str) -> Callable[[Mapping[str, Any]], Mapping[str, Any] | None]:
    def read(game: Mapping[str, Any]) -> Mapping[str, Any] | None:
        found: Mapping[str, Any] | None = game["figures"].get(name)
        return found

    return read


def has_matches(ladder: Mapping[str, Any]) -> bool:
    """Returns whether a match of a ladder was played; of known games only the result is kept."""
    return "rungs" not in ladder or any(rung["below"] for rung in ladder["rungs"])


def _levels(game: Mapping[str, Any]) -> Mapping[str, Any] | None:
    ladder = game.get("ladder")
    if ladder is None or not has_matches(ladder):
        return None
    low, high = ladder.get("levels_interval", (None, None))
    return {"value": ladder["levels"], "low": low, "high": high}


def _plain(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def _share(value: float) -> str:
    return f"{value:.1%}"


FIGURES = (
    Known("levels of play", _levels, lambda value: f"{value:.0f}"),
    Known("plies", _of_player("length"), _plain, is_log=True),
    Known("choices of a decision", _of_player("branching"), _plain, is_log=True),
    Known("different games (power of ten)", lambda game: game.get("tree"), _plain, is_log=True),
    Known("advantage of the first mover", _of_player("first_mover"), _share),
    Known("drawn games", _of_player("drawishness"), _share),
    Known("decided after", _of_player("decided_at"), _share),
    Known("lead changes", _of_player("lead_changes"), _plain),
    Known("uncertainty", _of_player("uncertainty"), _share),
    Known("cost of a random move", _of_player("blunder_cost"), _plain),
)


def known_games() -> dict[str, dict[str, Any]]:
    """Returns the figures of the games on the scale, by name with options."""
    path = resource_path("rulesets", FILE)
    data: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return {name: game for name, game in data.items() if game["is_on_scale"]}


def on_scale(game: Mapping[str, Any]) -> Iterator[OnScale]:
    """Yields the figures that the game has, among those of other known games. ``game``: ``figures`` by name, and perhaps
    ``digest``, ``tree`` and ``ladder``, as in the file of known games.
    """
    others = {name: other for name, other in known_games().items() if other["digest"] != game.get("digest")}
    for known in FIGURES:
        mine = known.read(game)
        values = [(name, known.read(other)) for name, other in others.items()]
        rows = sorted(((name, float(v["value"])) for name, v in values if v is not None), key=lambda row: row[1])
        if mine is not None and rows:
            yield OnScale(known, float(mine["value"]), mine.get("low"), mine.get("high"), tuple(rows))
