"""The knowledge of a viewer about a game: its log, the last ply, and the sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gamedsl.engine import Announcement, Sheet, announcements_at, full_announcement

if TYPE_CHECKING:
    from gamedsl.engine import Move, State
    from gamedsl.play.terminal.session.undo_history import Moment


@dataclass(frozen=True)
class Entry:
    """A line of the log: its number, the place in ``moments`` where the ply became known, and its announcement."""

    number: int
    at: int
    announcement: Announcement


class PlayLog:
    """The knowledge of one viewer about the moments of a game. ``seat``: the viewer's seat (None: an onlooker).
    ``everything``: nothing is hidden from this viewer."""

    def __init__(self, seat: int | None, everything: bool) -> None:
        self.seat = seat
        self.everything = everything
        self._moments: list[Moment] = []  # those that ``_log`` covers
        self._plies: list[tuple[State, Move | None]] = []
        self._log: list[Entry] = []

    def log(self, moments: Sequence[Moment]) -> list[Entry]:
        """All announced plies, in order."""
        self._forget_changed(moments)
        for at in range(len(self._moments), len(moments)):
            moment = moments[at]
            self._moments.append(moment)
            if moment.cause in ("start", "ply"):
                self._plies.append((moment.state, moment.move))
                self._log += [Entry(len(self._log) + n, at, one) for n, one in enumerate(self._announced(), 1)]
        return self._log

    def _forget_changed(self, moments: Sequence[Moment]) -> None:
        """Goes back to the last moment that is unchanged (later ones may have been taken back)."""
        same = min(len(self._moments), len(moments))
        while same and self._moments[same - 1] is not moments[same - 1]:
            same -= 1
        if same == len(self._moments):
            return
        del self._moments[same:]
        del self._plies[sum(m.cause in ("start", "ply") for m in self._moments) :]
        self._log = [e for e in self._log if e.at < same]

    def _announced(self) -> list[Announcement]:
        """The announcements after the last ply."""
        move = self._plies[-1][1]
        if move is None:
            return []
        return (
            [full_announcement(move)]
            if self.everything
            else announcements_at(self._plies, len(self._plies) - 1, self.seat)
        )

    def sheet(self, moments: Sequence[Moment]) -> Sheet:
        """The paper, as far as the viewer may know it."""
        last = next(m for m in reversed(moments) if not m.state.pending)
        game = last.state.game
        if self.everything or not game.secrets.hides:
            return last.sheet
        sheet = Sheet()
        announced: dict[int, list[Announcement]] = {}
        for entry in self.log(moments):
            announced.setdefault(entry.at, []).append(entry.announcement)
        for at, moment in enumerate(moments):
            if moment.cause == "redraw":
                sheet = sheet.redrawn()
            elif moment.cause == "refused" and self.seat is not None and moment.who == game.players[self.seat]:
                sheet = sheet.refused(moment.state.seen_by(self.seat))
            if at in announced:
                before, after = (moments[i].state.seen_by(self.seat) for i in (at - 1, at))
                sheet = sheet.after_announced(before, announced[at], after)
        return sheet
