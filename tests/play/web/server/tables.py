"""Tables without a server: plays driven event by event, and the frames that their sockets would be sent."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gamedsl
from gamedsl.engine import Game, Move
from gamedsl.play.web.server.events import PERSON, ClockRule, Made, Setup
from gamedsl.play.web.server.limits import Limits
from gamedsl.play.web.server.links import Links
from gamedsl.play.web.server.live_tables import Table
from gamedsl.play.web.server.sockets import Socket
from gamedsl.play.web.server.table_play import Moment, Play

ROOT = Path(__file__).parents[4]
NAMES = sorted(p.stem for p in [*ROOT.glob("rulesets/*.gdl"), *ROOT.glob("rulesets/classics/*.gdl")])
HALL: Any = SimpleNamespace(limits=Limits(), links=Links(b"secret"), is_relayed=False, chat="seats")


@cache
def loaded(name: str) -> Game:
    return gamedsl.load(name)


def new_play(game: Game, clock: ClockRule | None = None) -> Play:
    return Play(game, Setup("it", game.digest, game.options, (PERSON,) * game.num_players, clock or ClockRule()))


class Driven:
    """A table at which moves are made by hand. ``frames``: what every viewer was sent."""

    def __init__(self, game: Game, delay: float = 0.0) -> None:
        nobody: Any = None
        self.table = Table("table", new_play(game), nobody, nobody, delay)
        viewers = [None, *range(game.num_players)]
        self.sockets = {seat: Socket(nobody, HALL, self.table, seat) for seat in viewers}
        self.frames: dict[int | None, list[str]] = {seat: [socket.welcome()] for seat, socket in self.sockets.items()}
        self.look()

    @property
    def play(self) -> Play:
        return self.table.play

    def make(self, move: Move) -> None:
        """A move, told once chance has nothing more to decide."""
        after = Moment(self.play.state.apply(move), move, 0)
        self.play.take(Made(0, move.player, move.text), after)
        self.look()

    def look(self) -> None:
        if self.play.state.kind == "chance":
            return
        for seat, socket in self.sockets.items():
            frame = socket.update()
            if frame is not None:
                self.frames[seat].append(frame)
