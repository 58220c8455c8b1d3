"""What a viewer is told of a play: its log, the last ply, and what lies on the paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gamedsl.engine.seen import seen_by
from gamedsl.engine.sheet import Sheet
from gamedsl.engine.told import Told, told_at, whole

if TYPE_CHECKING:
    from gamedsl.engine.moves import Move
    from gamedsl.engine.state import State
    from gamedsl.terminal.session import Moment


@dataclass(frozen=True)
class Entry:
    """A line of the log: its number, the place in ``moments`` where the ply became known, and what is told of it."""

    number: int
    at: int
    told: Told


class Account:
    """What one viewer is told of the moments of a play. ``seat``: the viewer's (None: somebody who only looks on).
    ``everything``: nothing is kept from this viewer."""

    def __init__(self, seat: int | None, everything: bool) -> None:
        self.seat = seat
        self.everything = everything
        self._told: dict[int, tuple[Moment, list[Told]]] = {}

    def log(self, moments: Sequence[Moment]) -> list[Entry]:
        """All that is told, in order."""
        plies = [i for i, m in enumerate(moments) if m.cause in ("start", "ply")]
        steps = [(moments[i].state, moments[i].move) for i in plies]
        found: list[Entry] = []
        for step, at in enumerate(plies[1:], 1):
            if at not in self._told or self._told[at][0] is not moments[at]:
                self._told[at] = (moments[at], self._at(steps, step))
            found += [Entry(len(found) + 1 + i, at, told) for i, told in enumerate(self._told[at][1])]
        return found

    def _at(self, steps: list[tuple[State, Move | None]], step: int) -> list[Told]:
        if not self.everything:
            return told_at(steps, step, self.seat)
        move = steps[step][1]
        assert move is not None
        return [whole(move)]

    def sheet(self, moments: Sequence[Moment]) -> Sheet:
        """The paper, with what the viewer may know of it."""
        last = next(m for m in reversed(moments) if not m.state.pending)
        game = last.state.game
        if self.everything or not game.secrets.hides:
            return last.sheet
        sheet = Sheet()
        told = {at: [e.told for e in self.log(moments) if e.at == at] for at in range(len(moments))}
        for at, moment in enumerate(moments):
            if moment.cause == "redraw":
                sheet = sheet.redrawn()
            elif moment.cause == "refused" and self.seat is not None and moment.who == game.players[self.seat]:
                sheet = sheet.refused(seen_by(moment.state, self.seat))
            for one in told[at]:
                if one.move is not None:
                    before = seen_by(moments[at - 1].state, self.seat)
                    sheet = sheet.after(before, one.move, seen_by(moment.state, self.seat))
        return sheet
