"""The moments of a game in order, with undo and redo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from gamedsl.engine import PaperNote, Record, Sheet
from gamedsl.language.source import lazy_dataclass
from gamedsl.play.terminal.session.seats import SeatPlayer
from gamedsl.play.terminal.texts.messages import counted

if TYPE_CHECKING:
    from gamedsl.engine import Game, Move, State

HIDING = "nothing can be taken back in this game: some information is hidden, and a player who has seen more since cannot forget it"
Cause: TypeAlias = Literal["start", "ply", "refused", "redraw"]


@lazy_dataclass(frozen=True)
class Moment:
    """The game at one time: the last action (``cause``, ``move``) and the resulting state."""

    state: State
    record: Record
    sheet: Sheet
    cause: Cause = "start"
    move: Move | None = None
    plies: int = 0
    who: str = ""  # the seat whose attempt was refused

    @property
    def note(self) -> PaperNote | None:
        """What changed the paper alone."""
        if self.cause == "redraw":
            return PaperNote()
        return PaperNote(self.state.game.players.index(self.who)) if self.cause == "refused" else None


class History:
    """``moments``: all moments so far, at least one; ``undone``: the moments that were taken back and can be
    redone."""

    def __init__(self, game: Game, seats: tuple[SeatPlayer, ...], first: Moment) -> None:
        self.game = game
        self.seats = seats
        self.moments: list[Moment] = [first]
        self.undone: list[list[Moment]] = []

    @property
    def now(self) -> Moment:
        """The present moment."""
        return self.moments[-1]

    @property
    def kept(self) -> Moment:
        """The last moment that may be written down: one without open secret choices (they are made again later)."""
        return next(m for m in reversed(self.moments) if not m.state.pending)

    def undo(self, plies: int = 1) -> str | None:
        """Takes back that many plies, and as many more as needed until a person chooses again. Returns None, or the
        reason if it cannot."""
        if self.now.state.pending:
            return "a choice made in secret cannot be taken back"
        if self.game.secrets.hides and self._last_choice(self.now.plies) is not None:
            return HIDING
        at = self._last_choice(self.now.plies - plies)
        if at is None:
            most = next(
                (n for n in range(self.now.plies, 0, -1) if self._last_choice(self.now.plies - n) is not None), 0
            )
            return f"only {counted(most)} can be taken back" if most else "there is nothing to take back"
        for i in range(at, len(self.moments)):
            barrier = _barrier(self.moments[i - 1].state, self.moments[i])
            if barrier is not None:
                return barrier
        self.undone.append(self.moments[at:])
        del self.moments[at:]
        return None

    def can_undo(self, move: Move) -> bool:
        """Whether a legal move could be taken back once it is made."""
        if self.game.secrets.hides:
            return False
        after = self.now.state.apply(move)
        moment = Moment(after, self.now.record, self.now.sheet, "ply", move)
        return after.kind != "chance" and _barrier(self.now.state, moment) is None

    def redo(self) -> str | None:
        """Redoes the last undo. Returns None, or the reason if it cannot."""
        if not self.undone:
            return "nothing was taken back"
        self.moments += self.undone.pop()
        return None

    def last_chooser(self) -> int | None:
        """The person who made the last ply that a person made."""
        at = self._last_choice(self.now.plies)
        move = self.moments[at].move if at is not None else None
        return move.player if move is not None else None

    def _last_choice(self, before: int) -> int | None:
        """The place in ``moments`` of the last ply that a person chose when at most ``before`` plies had been
        played."""
        for i in range(len(self.moments) - 1, 0, -1):
            move = self.moments[i].move
            if (
                move is not None
                and self.moments[i - 1].plies <= before
                and move.player is not None
                and self.seats[move.player].is_human
            ):
                return i
        return None


def _barrier(before: State, moment: Moment) -> str | None:
    """The reason why a ply cannot be taken back (it revealed something that cannot be forgotten), or None."""
    if moment.cause != "ply":
        return None
    if before.kind == "together":
        return "a choice made in secret cannot be taken back"
    if before.kind == "chance":
        return "a chance event has followed, and it cannot be undone"
    return None
