"""The table: runs a play with people and programs, by way of a face. It decides what is said to whom, when the board is
shown, and how every typed line is handled."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from gamedsl.language.source import GameDSLError
from gamedsl.play.terminal.input.board_cursor import BoardCursor
from gamedsl.play.terminal.input.commands import Command
from gamedsl.play.terminal.saving.autosave import Autosave
from gamedsl.play.terminal.saving.save_file import SaveFile, resume_command
from gamedsl.play.terminal.screen.display import Display
from gamedsl.play.terminal.screen.face import Face
from gamedsl.play.terminal.session.session import Session
from gamedsl.play.terminal.session.warmup import AgentWarmup
from gamedsl.play.terminal.table import actions
from gamedsl.play.terminal.table.marks_question import ask_marks
from gamedsl.play.terminal.table.move_turn import MoveTurn
from gamedsl.play.terminal.table.questions import LeftTable, answered, is_quit
from gamedsl.play.terminal.texts import messages
from gamedsl.play.terminal.texts.move_list import move_list

if TYPE_CHECKING:
    from gamedsl.engine import Move

Ending: TypeAlias = Literal["over", "quit"]
After: TypeAlias = Literal["stay", "done", "quit"]


class Table(Display):
    """A play at a face, with the file it is saved in."""

    def __init__(
        self,
        session: Session,
        face: Face,
        file: SaveFile,
        boards: bool = False,
        autosave: Autosave | None = None,
    ) -> None:
        super().__init__(session, face, boards)
        self.file = file
        self.autosave = autosave
        self.warmup = AgentWarmup(session)
        self._warned = False  # that the play can't be kept as it goes
        self.listed: list[Move] = []
        self.asks_marks = False  # before the first ply, where the ruleset lets players choose them
        self.last_cursor: BoardCursor | None = None  # of the turn before
        self.looking: int | None = None  # who sits before the screen, in games with secrets

    def run(self) -> Ending:
        """Plays until the play is over or somebody leaves."""
        try:
            if self.asks_marks:
                ask_marks(self)
            while not self.session.state.is_terminal:
                player = self.session.waiting_for()
                if player is None:
                    self._program_turn()
                elif self._turn(player) == "quit":
                    return "quit"
        except LeftTable:
            return "quit"
        self.finish()
        return "over"

    def _program_turn(self) -> None:
        """A ply of chance or of a program. While one searches, people see the board and who is thinking."""
        thinking = self.warmup.searching() if self.face.has_people else None
        if thinking is not None and self.session.humans:
            self.show_board(self.session.viewer)
        self.warmup.begin()
        if thinking is not None and not self.warmup.is_ready:
            self.say_in_passing("preparing the opponent ...")
        self.warmup.wait()
        if thinking is not None and self.session.humans:
            self.say_in_passing(f"{thinking} is thinking ...")
        self.session.play_by_program()
        self.after_play()

    def finish(self) -> None:
        """Shows how the play ended."""
        if self.looking is not None:  # what is on the screen is for that person's eyes
            self.clear()
        if self.session.humans or self.boards:
            self.show_board(self.session.viewer)
        self.say(*map(self.session.shown, messages.result_lines(self.session.state)))

    def _turn(self, player: int) -> After:
        if self.session.state.kind == "drawing":
            from gamedsl.play.terminal.table.drawing_turn import DrawingTurn  # start-up: few games are drawn by hand

            return DrawingTurn(self, player).run()
        return MoveTurn(self, player).run()

    def show_moves(self, moves: Sequence[Move], filtered: bool) -> None:
        """Shows moves with numbers, by which they can be chosen."""
        lines, self.listed = move_list(moves, filtered, self.face.viewport.columns - 1, self.session.text)
        self.say_long(lines)

    def picked(self, text: str) -> Move | None:
        """The move behind a number of the list that was shown last."""
        digits = text.strip().removeprefix("#")
        if not self.listed or not digits.isdecimal() or not 1 <= int(digits) <= len(self.listed):
            return None
        return self.listed[int(digits) - 1]

    def after_play(self) -> None:
        """What follows every ply: it is saved and told."""
        self.save_progress()
        self.tell_plies()

    def save_progress(self) -> None:
        """Saves the play as it goes, where that is wanted. The play goes on if that fails."""
        try:
            self.file.keep(self.session)
        except GameDSLError as mistake:  # it is tried again after the next ply
            self.tell("not saved:", *messages.diagnostic_lines(mistake.diagnostics))
        self.keep()

    def keep(self) -> None:
        """Keeps the play as it goes. It goes on if that fails; then it is told once, and tried again later."""
        if self.autosave is None:
            return
        try:
            self.autosave.keep(self.session)
        except GameDSLError as mistake:
            if not self._warned:
                self.tell("this play can't be saved automatically:", *messages.diagnostic_lines(mistake.diagnostics))
            self._warned = True

    def is_kept(self) -> bool:
        """Is all that was played in the folder of kept plays?"""
        return self.autosave is not None and self.autosave.is_kept(self.session)

    def kept_lines(self) -> list[str]:
        """That the play is saved, and how to continue it."""
        assert self.autosave is not None and self.autosave.path is not None
        if self.face.has_people:
            return [f"the play is saved; `gamedsl play {shlex.quote(self.session.record.game)}` continues it"]
        return ["the play is saved", f"continue it with: {resume_command(str(self.autosave.path))}"]

    def close(self) -> None:
        """Leaves the table."""
        if self.autosave is not None:
            self.autosave.close()
        self.file.close()

    def command(self, command: Command, player: int) -> After:
        """Does a command; "done" when the turn is over by it."""
        return actions.act(self, command, player)

    def leave(self) -> After:
        """Asks whether to save, if there is anything to lose."""
        if self.session.is_empty or self.session.is_saved:
            return "quit"
        self.keep()  # (an attempt that was refused is in the record as well)
        if self.file.path is None and self.is_kept():
            self.say_whole(*self.kept_lines())
            return "quit"
        about = "`yes` saves it and leaves, `no` leaves without saving, `cancel` continues the play"
        while True:
            text = self.face.ask("Save the play first? [yes/no/cancel] ").strip()
            answer = text.casefold()
            if answer in ("n", "no"):
                return "quit"
            if answer in ("c", "cancel"):
                return "stay"
            if answer in ("y", "yes") or is_quit(text):
                actions.save(self, "")
                return "quit" if self.session.is_saved else "stay"
            if not answered(self, text, about):
                self.say(about)
