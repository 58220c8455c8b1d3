"""One play, without any input or output: where it stands, its record and sheet, taking back, saving, who acts."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Literal, TypeAlias

from gamedsl.core.nodes import DecideTogether
from gamedsl.engine.records import Record
from gamedsl.engine.sheet import Sheet
from gamedsl.terminal.account import Account, Entry
from gamedsl.terminal.fallen import fallen
from gamedsl.terminal.picture import CLEAN, Picture, Scar, Scars, Trail
from gamedsl.terminal.seats import SeatPlayer
from gamedsl.terminal.view import view

if TYPE_CHECKING:
    from gamedsl.engine.game import Game
    from gamedsl.engine.moves import Move
    from gamedsl.engine.state import State

HIDING = "something is hidden in this game, and who has seen more since can't forget it: nothing can be taken back"
Cause: TypeAlias = Literal["start", "ply", "refused", "redraw"]


@dataclass(frozen=True)
class Moment:
    """The play at one time: what was done last (``cause``, ``move``) and what there is since."""

    state: State
    record: Record
    sheet: Sheet
    cause: Cause = "start"
    move: Move | None = None
    plies: int = 0
    who: str = ""  # whose attempt was refused


class Session:
    """A play that goes on. ``moments`` are all that was so far; ``undone`` what was taken back and can come again."""

    def __init__(self, game: Game, name: str, seats: tuple[SeatPlayer, ...], seed: int) -> None:
        record = Record.begin(game, name, seed, tuple(s.text for s in seats))
        self.game = game
        self.seats = seats
        self.seed = seed
        self.moments: list[Moment] = [Moment(game.initial_state(), record, Sheet())]
        self.undone: list[list[Moment]] = []
        self.saved: Record | None = None
        self._accounts: dict[int | None, Account] = {}

    @classmethod
    def resume(cls, game: Game, record: Record, seats: tuple[SeatPlayer, ...], seed: int) -> Session:
        """The play of a record, at its end. GameDSLError with the line for a ply that can't be made."""
        session = cls(game, record.game, seats, seed)
        steps = record.steps(game)
        next(steps)
        for entry in record.entries:
            match entry.kind:
                case "ply":
                    state, move = next(steps)
                    assert move is not None
                    session._push_ply(move, state)
                case "refused":
                    session._push_note("refused", entry.who, entry.text)
                case "redraw":
                    session._push_note("redraw")
                case _:
                    now = session.now
                    session.moments[-1] = Moment(
                        now.state, now.record.plus(entry), now.sheet, now.cause, now.move, now.plies, now.who
                    )
        session.saved = session.kept.record
        return session

    def until(self, at: int) -> Session:
        """The play as it was at a place in ``moments``."""
        session = Session(self.game, self.record.game, self.seats, self.seed)
        session.moments = self.moments[: at + 1]
        return session

    def rematch(self, seed: int) -> Session:
        """Another play of the game, everybody one seat further on."""
        return Session(self.game, self.record.game, (self.seats[-1], *self.seats[:-1]), seed)

    # -------------------------------------------------------------------------------------------- where it stands

    @property
    def now(self) -> Moment:
        return self.moments[-1]

    @property
    def state(self) -> State:
        return self.now.state

    @property
    def record(self) -> Record:
        return self.now.record

    @property
    def humans(self) -> tuple[int, ...]:
        """The seats that people play."""
        return tuple(i for i, s in enumerate(self.seats) if s.is_human)

    @property
    def shared(self) -> bool:
        """Do several people share the terminal, so that secrets must be kept between them?"""
        return len(self.humans) > 1

    @property
    def is_secret(self) -> bool:
        """Is a choice due that others must not see?"""
        return self.state.kind == "together"

    @property
    def keeps_secrets(self) -> bool:
        """Does the game hide anything from anybody at any time?"""
        together = any(isinstance(b.end, DecideTogether) for b in self.game.program.blocks)
        return together or self.game.secrets.hides

    @property
    def viewer(self) -> int | None:
        """Who reads what is said to all: the one person who plays, else anybody (None)."""
        return self.humans[0] if len(self.humans) == 1 else None

    def waiting_for(self) -> int | None:
        """The seat of the person who must act; None when chance or a program is next, or the play is over."""
        if self.state.is_terminal or self.state.kind == "chance":
            return None
        player = self.state.to_act[0]
        return player if self.seats[player].is_human else None

    # ------------------------------------------------------------------------------------------------- going on

    def play(self, move: Move) -> None:
        """Makes a move (or an outcome of chance); GameDSLError when it is not legal."""
        self._push_ply(move, self.state.apply(move))
        self.undone.clear()

    def play_by_program(self) -> Move:
        """Lets chance or the program in the next seat choose, and does it. The source of chance depends on the seed and
        on the number of the ply only: the same play goes on in the same way, also after it was saved."""
        rng = Random(f"{self.seed} {self.now.plies}")
        state = self.state
        if state.kind == "chance":
            move = state.propose(rng)
        else:
            player = state.to_act[0]
            choose = self.seats[player].choose
            assert choose is not None
            move = choose(state, player, rng)
        self.play(move)
        return move

    def refuse(self, player: int, text: str) -> None:
        """Notes an attempt that the rules forbid. Attempts at a secret choice are not noted: they would tell of it."""
        if not self.is_secret:
            self._push_note("refused", self.game.players[player], text)

    def redraw(self, player: int | None = None) -> bool:
        """Draws the sheet anew; False when nothing that the player may know of offers that."""
        if not self._account(player).sheet(self.moments).may_redraw:
            return False
        self._push_note("redraw")
        return True

    def _push_ply(self, move: Move, after: State) -> None:
        now = self.now
        sheet = now.sheet.after(now.state, move, after)
        record = now.record.plus_move(self.game, move)
        self.moments.append(Moment(after, record, sheet, "ply", move, now.plies + 1))

    def _push_note(self, cause: Literal["refused", "redraw"], who: str = "", text: str = "") -> None:
        now = self.now
        refused = cause == "refused"
        sheet = now.sheet.refused(now.state) if refused else now.sheet.redrawn()
        record = now.record.plus_refused(who, text) if refused else now.record.plus_redraw()
        self.moments.append(Moment(now.state, record, sheet, cause, None, now.plies, who))

    # ---------------------------------------------------------------------------------------------- taking back

    def undo(self, plies: int = 1) -> str | None:
        """Takes back that many plies, and so many more that a person is to choose again; None when done, else why it
        can't be."""
        if self.state.pending:
            return "a choice made in secret can't be taken back"
        if self.game.secrets.hides and self.humans and self._last_choice(self.now.plies) is not None:
            return HIDING
        if plies > self.now.plies > 0:
            return f"only {counted(self.now.plies)} can be taken back"
        at = self._last_choice(self.now.plies - plies)
        if at is None:
            return "there is nothing to take back"
        for i in range(at, len(self.moments)):
            barrier = _barrier(self.moments[i - 1].state, self.moments[i])
            if barrier is not None:
                return barrier
        self.undone.append(self.moments[at:])
        del self.moments[at:]
        return None

    def can_undo(self, move: Move) -> bool:
        """Could a legal move be taken back once it is made?"""
        if self.game.secrets.hides:
            return False
        after = self.state.apply(move)
        moment = Moment(after, self.record, self.now.sheet, "ply", move)
        return after.kind != "chance" and _barrier(self.state, moment) is None

    def redo(self) -> str | None:
        """Does again what was taken back last; None when done, else why it can't be."""
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
        """The place in ``moments`` of the last ply that a person chose when at most so many plies had been played."""
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

    # --------------------------------------------------------------------------------------------------- saving

    @property
    def kept(self) -> Moment:
        """The last moment that may be written down: one without open secret choices (they are made again later)."""
        return next(m for m in reversed(self.moments) if not m.state.pending)

    @property
    def has_plies(self) -> bool:
        """Is there a ply that may be written down?"""
        return bool(self.kept.record.plies)

    @property
    def is_saved(self) -> bool:
        return self.saved == self.kept.record

    def save(self, path: str) -> None:
        """Writes the record, whole or not at all; GameDSLError when that fails."""
        record = self.kept.record
        record.write(path)
        self.saved = record

    # ------------------------------------------------------------------------------------------------- to look at

    def picture(self, viewer: int | None = None) -> Picture:
        """What the person in a seat sees (None: what anybody may see)."""
        account = self._account(viewer)
        told = account.log(self.moments)
        if not told:
            return self._picture(self.state, account.sheet(self.moments), None, "", viewer)
        last = told[-1]
        return self._picture(
            self.state, account.sheet(self.moments), last.told.move, self.told(last, short=True), viewer
        )

    def preview(self, move: Move, viewer: int | None = None) -> Picture | None:
        """How it would look after a legal move; None where that can't be shown, as chance or another part follows, or as
        something is hidden that a look ahead could tell."""
        if self.game.secrets.hides:
            return None
        after = self.state.apply(move)
        if after.kind in ("chance", "end") or after.part != self.state.part or after.entered:
            return None
        sheet = self.now.sheet.after(self.state, move, after)
        return self._picture(after, sheet, move, self.written(move, short=True), viewer)

    def _picture(self, state: State, sheet: Sheet, last: Move | None, told: str, viewer: int | None) -> Picture:
        return view(
            state,
            viewer=viewer,
            scars=scars_of(sheet, state),
            last=last,
            last_text=told,
            played_by=tuple(s.text for s in self.seats),
            fallen=fallen([entry.told for entry in self.log(viewer)]),
            is_open=not self.humans,
        )

    def _account(self, viewer: int | None) -> Account:
        if viewer not in self._accounts:
            self._accounts[viewer] = Account(viewer, not self.humans)
        return self._accounts[viewer]

    def log(self, viewer: int | None) -> list[Entry]:
        """All plies that a viewer (None: anybody) is told of, as far as the viewer may know them. Programs among
        themselves have no secrets."""
        return self._account(viewer).log(self.moments)

    def told(self, entry: Entry, short: bool = False) -> str:
        """A ply of the log in words, ``one: r2c2``."""
        told = entry.told
        if told.is_whole and told.move is not None:
            return self.written(told.move, short)
        return f"{self._name(told.player)}: {told.text}"

    def written(self, move: Move, short: bool = False) -> str:
        """A move with who makes it. ``short``: of a drawing only which strokes it has."""
        if short and move.kind == "drawing":
            return f"{self._name(move.player)}: draws {', '.join(name for name, _ in move.drawing)}"
        return f"{self._name(move.player)}: {move}"

    def _name(self, player: int | None) -> str:
        return "chance" if player is None else self.game.players[player]


def counted(plies: int) -> str:
    """``1 ply``, ``2 plies``."""
    return f"{plies} {'ply' if plies == 1 else 'plies'}"


def _barrier(before: State, moment: Moment) -> str | None:
    """Why a ply can't be taken back: it told somebody something that can't be forgotten."""
    if moment.cause != "ply":
        return None
    if before.kind == "together":
        return "a choice made in secret can't be taken back"
    if before.kind == "chance":
        return "chance has fallen since, and that can't be undone"
    return None


def scars_of(sheet: Sheet, state: State) -> Scars:
    """What lies on the sheet of the board that is being played on, ready to be drawn."""
    marks: list[Scar] = []
    trails: list[Trail] = []
    bubbles: list[str] = []
    for left in sheet.left:
        if left.part != state.part:
            continue
        if left.is_path:
            trails.append(Trail(tuple(i for _, i in left.on), left.ply == sheet.plies))
        elif left.on:
            for domain in dict.fromkeys(d.name for d, _ in left.on):
                marks.append(Scar(left.text, domain, tuple(i for d, i in left.on if d.name == domain)))
        elif left.text:
            bubbles.append(left.text)
    if not (marks or trails or bubbles or sheet.may_redraw):
        return CLEAN
    return Scars(tuple(marks), tuple(trails), tuple(dict.fromkeys(bubbles)), sheet.may_redraw)
