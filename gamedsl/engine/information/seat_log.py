"""The log of a game for one viewer: what the viewer is told, ply by ply, and the paper as the viewer knows it. Tables of a server,
the terminal and pages of records show this log and nothing else; a page that plays by itself computes the same (``local_log.js``).

Once the game has ended by its rules, ``end`` is its last position, and all earlier ones show what its results may tell. The lines
then say what can be concluded from that, and there are lines for the plies that the viewer notices only by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Protocol

from gamedsl.engine.information.announcements import (
    Announcement,
    announcements_after_end,
    announcements_at,
    announcements_noticed_after_end,
    full_announcement,
    lacks_more_than_secrets,
)
from gamedsl.engine.information.observation import slots_told_by_result
from gamedsl.engine.information.paper import Sheet
from gamedsl.engine.information.unknown_values import Unknown
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine.moves import Move
    from gamedsl.engine.state import State


@lazy_dataclass(frozen=True)
class PaperNote:
    """Something that changes the paper and not the position. ``refused``: the seat whose attempt was refused; None: the paper
    was redrawn."""

    refused: int | None = None


class Logged(Protocol):
    """A moment of a game: the position, and the move (None at the start) or the note that led to it."""

    @property
    def state(self) -> State: ...
    @property
    def move(self) -> Move | None: ...
    @property
    def note(self) -> PaperNote | None: ...


@lazy_dataclass(frozen=True)
class Ply:
    """A moment of a game that is known by its plies."""

    state: State
    move: Move | None
    note: PaperNote | None = None


@lazy_dataclass(frozen=True)
class LogEntry:
    """A line of the log: its number from 1, the place in the moments where the ply became known, its announcement, and what the
    rules said after it."""

    number: int
    at: int
    announcement: Announcement
    said: tuple[str, ...] = ()


class SeatLog:
    """The log of a viewer. ``seat``: None is an onlooker; ``everything``: nothing is hidden from this viewer. ``entries``: what
    was told; ``sheets``: the paper at every moment."""

    def __init__(self, seat: int | None, everything: bool = False) -> None:
        self.seat, self.everything = seat, everything
        self.moments: list[Logged] = []
        self.entries: list[LogEntry] = []
        self.sheets: list[Sheet] = []
        self._steps: list[tuple[State, Move | None]] = []  # of the moments that are no notes
        self._before_end: list[LogEntry] | None = None  # the lines as they were told in the game, if it is over

    def follow(self, moments: Sequence[Logged]) -> int:
        """Adds the new moments, and forgets those that were taken back. Returns how many lines stayed as they were."""
        before = self.entries
        if self._before_end is not None and len(moments) != len(self.moments):
            self.entries, self._before_end = self._before_end, None
        self._follow(moments)
        if self._before_end is None and self.end is not None and not self.everything:
            self._before_end, self.entries = self.entries, self._revealed(self.end)
        pairs = zip(before, self.entries, strict=False)
        return next(
            (i for i, (one, other) in enumerate(pairs) if one is not other), min(len(before), len(self.entries))
        )

    def _follow(self, moments: Sequence[Logged]) -> None:
        same = min(len(self.moments), len(moments))
        while same and self.moments[same - 1] is not moments[same - 1]:
            same -= 1
        if same < len(self.moments):
            self._steps = self._steps[: sum(one.note is None for one in self.moments[:same])]
            del self.moments[same:], self.sheets[same:]
            self.entries = [one for one in self.entries if one.at < same]
        self.entries = list(self.entries)
        for moment in moments[same:]:
            self._add(moment)

    def _add(self, moment: Logged) -> None:
        at = len(self.moments)
        self.moments.append(moment)
        if moment.note is not None:
            self.sheets.append(self._noted(moment.state, moment.note))
            return
        self._steps.append((moment.state, moment.move))
        if moment.move is None:
            self.sheets.append(Sheet())
            return
        announced = self._announced()
        before, after = (self._seen(state) for state, _ in self._steps[-2:])
        last = self.sheets[-1]
        self.sheets.append(
            last.after(before, moment.move, after)  # of choices at once, each is told when it is made
            if self.everything
            else last.after_announced(before, announced, after)
        )
        self.entries += _lines(len(self.entries), at, announced, self.sheets[-1].said)

    def _revealed(self, end: State) -> list[LogEntry]:
        """The lines once the viewer knows what the results may tell, with the conclusions from it."""
        told = slots_told_by_result(end)
        if not told:
            return list(self.entries)
        lines = {at: list(group) for at, group in groupby(self.entries, key=lambda one: one.at)}
        places = [i for i, moment in enumerate(self.moments) if moment.note is None]  # of the steps
        found: list[LogEntry] = []
        for step, at in enumerate(places[1:], 1):
            found += _numbered(len(found), self._with_conclusions(lines.get(at, []), step, at, told))
        return found

    def _with_conclusions(self, lines: list[LogEntry], step: int, at: int, told: frozenset[int]) -> list[LogEntry]:
        """The lines of a ply, with what these slots tell of it. ``step``: its number; ``at``: its place in the moments."""
        if not lines:
            return _lines(0, at, announcements_noticed_after_end(self._steps, step, self.seat, told))
        if not any(lacks_more_than_secrets(self.moments[at].state.game, one.announcement) for one in lines):
            return lines
        known = announcements_after_end(self._steps, step, self.seat, told)
        return [_with_more(one, more) for one, more in zip(lines, known, strict=True)]

    def _announced(self) -> list[Announcement]:
        at = len(self._steps) - 1
        move = self._steps[at][1]
        if self.everything and move is not None:
            return [full_announcement(move)]
        return announcements_at(self._steps, at, self.seat)

    def _noted(self, state: State, note: PaperNote) -> Sheet:
        """The paper after a note. Where something is hidden, a seat knows its own refused attempts alone."""
        if note.refused is None:
            return self.sheets[-1].redrawn()
        if state.game.secrets.hides and not self.everything and note.refused != self.seat:
            return self.sheets[-1]
        return self.sheets[-1].refused(self._seen(state))

    def _seen(self, state: State) -> State:
        return state if self.everything else state.seen_by(self.seat)

    @property
    def end(self) -> State | None:
        """The position in which the game has ended by its rules, if the viewer has seen that."""
        state = self.moments[-1].state if self.moments else None
        return state if state is not None and state.is_terminal else None


def _numbered(before: int, lines: Sequence[LogEntry]) -> list[LogEntry]:
    """Lines with the numbers after ``before``; those that have theirs already stay the same objects."""
    return [one if one.number == k else replace(one, number=k) for k, one in enumerate(lines, before + 1)]


def _with_more(entry: LogEntry, more: Announcement) -> LogEntry:
    """The line with another announcement of the same ply, if that says more."""
    return replace(entry, announcement=more) if _known(more) > _known(entry.announcement) else entry


def _known(one: Announcement) -> tuple[bool, int]:
    """How much an announcement says: all or not, and of how many values."""
    if one.move is None:
        return False, -1
    return one.is_whole, sum(not isinstance(value, Unknown) for value in one.move.args)


def _lines(before: int, at: int, announced: Sequence[Announcement], said: tuple[str, ...] = ()) -> list[LogEntry]:
    """The lines of plies that became known together. What the rules said comes with the last of them."""
    last = len(announced)
    return [LogEntry(before + k, at, one, said if k == last else ()) for k, one in enumerate(announced, 1)]
