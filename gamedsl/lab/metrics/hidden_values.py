"""How much of a position each seat cannot see, while a game goes on."""

from __future__ import annotations

from gamedsl.engine import Game, State, Unknown
from gamedsl.language.core import nodes as n


class HiddenValues:
    """Counts the values that a seat cannot know. ``total``: the number of values of variables that hide anything."""

    def __init__(self, game: Game) -> None:
        self.slots: list[int] = []
        if game.secrets.hides:
            offsets = game.code.offsets
            for var in game.program.variables:
                if var.role != "temp" and not isinstance(var.type, n.HistoryT) and var.seen != "all":
                    self.slots += range(offsets[var.index], offsets[var.index + 1])
        self.players = game.num_players

    @property
    def total(self) -> int:
        return len(self.slots)

    def note(self, state: State, counts: list[tuple[int, ...]]) -> None:
        """Adds a row: per seat, the number of values that it cannot see; nothing in a game without secrets."""
        if self.slots:
            views = [state.seen_by(seat).visible_slots for seat in range(self.players)]
            counts.append(tuple(sum(isinstance(view[k], Unknown) for k in self.slots) for view in views))
