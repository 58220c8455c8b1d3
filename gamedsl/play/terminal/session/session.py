"""One game, without any input or output: its position, record and sheet, undo, saving, and the next seat to act."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Literal

from gamedsl.engine import LogEntry, Record, SeatLog, Sheet, move_notation
from gamedsl.engine.picture import (
    Picture,
    fallen,
    fault_of_marks,
    marks_at,
    scars_of,
    view,
    with_marks,
    without_variants,
)
from gamedsl.language.core import nodes as n
from gamedsl.language.source import UsageError
from gamedsl.play.terminal.session.seats import SeatPlayer
from gamedsl.play.terminal.session.undo_history import History, Moment
from gamedsl.play.terminal.session.unfinished_drawing import strokes_of, with_strokes, without_strokes

if TYPE_CHECKING:
    from gamedsl.engine import Game, Move, State
    from gamedsl.language.boards.drawing import Stroke


class Session:
    """A game in progress."""

    def __init__(self, game: Game, name: str, seats: tuple[SeatPlayer, ...], seed: int, position: str = "") -> None:
        """``position``: the position at which the game begins, on one line (empty: the first position)."""
        record = Record.begin(game, name, seed, tuple(s.text for s in seats), position)
        self.game = game
        self.seats = seats
        self.seed = seed
        self.history = History(game, seats, Moment(record.start(game), record, Sheet()))
        self.saved: Record | None = None
        self.strokes: tuple[Stroke, ...] = ()  # the valid strokes so far of the drawing that is due
        self._accounts: dict[int | None, SeatLog] = {}
        self.end: State | None = None  # where the game that is looked back on has ended
        self.notation: str | None = None  # the declared notation in which moves are written and read
        self.marks: tuple[str, ...] = ()  # chosen by the players, by seat; empty: the sign of the look

    @classmethod
    def resume(cls, game: Game, record: Record, seats: tuple[SeatPlayer, ...], seed: int) -> Session:
        """The game of a record, at its end. Raises GameDSLError with the line of an illegal ply."""
        session = cls(game, record.game, seats, seed, record.position)
        steps = record.steps(game)
        next(steps)
        session.strokes = strokes_of(record)
        for entry in without_strokes(record).entries:
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
        session.saved = session.record_to_keep
        return session

    def until(self, at: int) -> Session:
        """The game as it was at a place in ``moments``."""
        session = self._like(self.seats, self.seed)
        session.history.moments = self.moments[: at + 1]
        session.end = self.state if self.state.is_terminal else None
        return session

    def rematch(self, seed: int) -> Session:
        """A rematch, with everybody one seat further on."""
        seats = (self.seats[-1], *self.seats[:-1])
        session = self._like(seats, seed)
        session.marks = (*self.marks[-1:], *self.marks[:-1])
        return session

    def _like(self, seats: tuple[SeatPlayer, ...], seed: int) -> Session:
        session = Session(self.game, self.record.game, seats, seed, self.record.position)
        session.notation, session.marks = self.notation, self.marks
        return session

    # -------------------------------------------------------------------------------------------- where it stands

    @property
    def moments(self) -> list[Moment]:
        return self.history.moments

    @property
    def now(self) -> Moment:
        return self.history.now

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
        """Whether several people share the terminal, so that secrets must be kept between them."""
        return len(self.humans) > 1

    @property
    def is_secret(self) -> bool:
        """Whether a choice is due that others must not see."""
        return self.state.kind == "together"

    @property
    def keeps_secrets(self) -> bool:
        """Whether the game hides anything from anybody at any time."""
        together = any(isinstance(b.end, n.DecideTogether) for b in self.game.program.blocks)
        return together or self.game.secrets.hides

    @property
    def viewer(self) -> int | None:
        """The seat of the only person who plays, who reads all public messages; None if there are several people or
        none."""
        return self.humans[0] if len(self.humans) == 1 else None

    def waiting_for(self) -> int | None:
        """The seat of the person who must act; None when chance or a program is next, or the game is over."""
        if self.state.is_terminal or self.state.kind == "chance":
            return None
        player = self.state.to_act[0]
        return player if self.seats[player].is_human else None

    # ------------------------------------------------------------------------------------------------- going on

    def play(self, move: Move) -> None:
        """Makes a move (or an outcome of chance). Raises GameDSLError if it is not legal."""
        self._push_ply(move, self.state.apply(move))
        self.strokes = ()
        self.history.undone.clear()

    def play_by_program(self) -> Move:
        """Lets chance or the program in the next seat choose a move, makes it and returns it. The random numbers
        depend only on the seed and the number of the ply: the same game continues in the same way, even after it was
        saved."""
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
        """Notes an illegal attempt. Attempts at a secret choice are not noted, because they would reveal it."""
        if not self.is_secret:
            self._push_note("refused", self.game.players[player], text)

    def redraw(self, player: int | None = None) -> bool:
        """Redraws the sheet; False if nothing that the player may know of allows it."""
        if not self._account(player).sheets[-1].may_redraw:
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

    # --------------------------------------------------------------------------------------------------- saving

    @property
    def record_to_keep(self) -> Record:
        """The record that may be saved: the plies, and the strokes of an unfinished drawing."""
        return with_strokes(self.history.kept.record, self.strokes)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing that could be lost."""
        return not self.strokes and not self.history.kept.record.plies

    @property
    def is_saved(self) -> bool:
        return self.saved == self.record_to_keep

    def save(self, path: str) -> None:
        """Writes the record, whole or not at all. Raises GameDSLError if that fails."""
        record = self.record_to_keep
        record.write(path)
        self.saved = record

    # ------------------------------------------------------------------------------------------------- to look at

    def picture(self, viewer: int | None = None) -> Picture:
        """The picture that the person in a seat sees (None: the one that anybody may see)."""
        account = self._account(viewer)
        if not account.entries:
            return self._picture(self.state, account.sheets[-1], None, "", viewer)
        last = account.entries[-1]
        return self._picture(
            self.state, account.sheets[-1], last.announcement.move, self.ply_text(last, short=True), viewer
        )

    def preview(self, move: Move, viewer: int | None = None) -> Picture | None:
        """The picture after a legal move; None if it cannot be shown, because chance or another part follows, or
        because it could reveal hidden information."""
        if self.game.secrets.hides:
            return None
        after = self.state.apply(move)
        if after.kind in ("chance", "end") or after.part != self.state.part or after.entered:
            return None
        sheet = self.now.sheet.after(self.state, move, after)
        return self._picture(after, sheet, move, self.written(move, short=True), viewer)

    def _picture(self, state: State, sheet: Sheet, last: Move | None, last_text: str, viewer: int | None) -> Picture:
        picture = view(
            state,
            viewer=viewer,
            scars=scars_of(sheet, state),
            last=last,
            last_text=last_text,
            played_by=tuple(s.text for s in self.seats),
            fallen=fallen([entry.announcement for entry in self.log(viewer)]),
            is_open=not self.humans,
            over=self.end or self._account(viewer).end,
        )
        return with_marks(picture, state, self.marks)

    def choose_marks(self, marks: Sequence[str], ascii: bool = False) -> None:
        """Sets the marks of all seats (empty: the sign of the look). Raises UsageError with the reason if they cannot
        have them."""
        chosen = tuple(map(without_variants, marks))
        fault = fault_of_marks(self.game.program, chosen, ascii)
        if fault is not None:
            raise UsageError(fault)
        self.marks = chosen

    def shown(self, text: str, state: State | None = None) -> str:
        """A string about a state (by default this one), with the marks of players in place of names."""
        return marks_at(state or self.state, self.marks).shown(text) if self.marks else text

    def player_name(self, player: int) -> str:
        """The displayed name of a player, or the mark that stands for it."""
        return self.shown(self.game.players[player])

    def _account(self, viewer: int | None) -> SeatLog:
        """The log of a viewer until now. Games without people have no secrets."""
        if viewer not in self._accounts:
            self._accounts[viewer] = SeatLog(viewer, not self.humans)
        self._accounts[viewer].follow(self.moments)
        return self._accounts[viewer]

    def log(self, viewer: int | None) -> list[LogEntry]:
        """All plies announced to a viewer (None: anybody), as far as the viewer may know them."""
        return self._account(viewer).entries

    def ply_text(self, entry: LogEntry, short: bool = False) -> str:
        """A ply of the log in words, such as ``one: r2c2``."""
        known = entry.announcement
        if known.is_whole and known.move is not None:
            return self.written(known.move, short, self.moments[entry.at - 1].state)
        return self.shown(f"{self._name(known.player)}: {known.text}", self.moments[entry.at - 1].state)

    def write_in(self, notation: str) -> None:
        """Writes and reads moves in a declared notation from now on. Raises GameDSLError if there is none of this
        name, or if the rules hide something, which it could reveal."""
        if self.keeps_secrets:
            raise UsageError("a notation shows everything, even what a player may not know", help="omit `--notation`")
        move_notation(self.state, notation)
        self.notation = notation

    def text(self, move: Move, state: State | None = None) -> str:
        """A move of a state (by default this one) in the notation of the game."""
        return self.shown(self.notated(move, state), state)

    def notated(self, move: Move, state: State | None = None) -> str:
        """The same, with the names of players instead of their marks."""
        return str(move) if self.notation is None else (state or self.state).move_text(move, self.notation)

    def written(self, move: Move, short: bool = False, state: State | None = None) -> str:
        """A move of a state with the player who makes it. ``short``: only the names of the strokes of a drawing."""
        name = self.shown(self._name(move.player), state)
        if short and move.kind == "drawing":
            return f"{name}: draws {', '.join(stroke for stroke, _ in move.drawing)}"
        return f"{name}: {self.text(move, state)}"

    def _name(self, player: int | None) -> str:
        return "chance" if player is None else self.game.players[player]
