"""A game on a face, with the file it is saved in: the part of a table that turns, questions and commands use."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from gamedsl.language.source import GameDSLError
from gamedsl.play.terminal.input.cursor_places import BoardCursor
from gamedsl.play.terminal.saving.autosave import Autosave
from gamedsl.play.terminal.saving.save_file import SaveFile, resume_command
from gamedsl.play.terminal.screen.display import Display
from gamedsl.play.terminal.screen.face import Face
from gamedsl.play.terminal.session.session import Session
from gamedsl.play.terminal.session.warmup import AgentWarmup
from gamedsl.play.terminal.texts import messages
from gamedsl.play.terminal.texts.move_list import move_list

if TYPE_CHECKING:
    from gamedsl.engine import Move

After: TypeAlias = Literal["stay", "done", "quit"]


class SavedTable(Display):
    """A table without turns, which ``Table`` runs."""

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
        self._warned = False  # that the game cannot be kept as it goes on
        self.listed: list[Move] = []
        self.asks_marks = False  # before the first ply, if the ruleset lets players choose them
        self.last_cursor: BoardCursor | None = None  # of the previous turn
        self.looking: int | None = None  # the seat of the person at the screen, in games with secrets

    def show_moves(self, moves: Sequence[Move], filtered: bool) -> None:
        """Shows moves with numbers, by which they can be chosen."""
        lines, self.listed = move_list(moves, filtered, self.face.viewport.columns - 1, self.session.text)
        self.say_long(lines)

    def picked(self, text: str) -> Move | None:
        """The move with a number in the list shown last."""
        digits = text.strip().removeprefix("#")
        if not self.listed or not digits.isdecimal() or not 1 <= int(digits) <= len(self.listed):
            return None
        return self.listed[int(digits) - 1]

    def after_play(self) -> None:
        """Saves and announces the last ply."""
        self.save_progress()
        self.tell_plies()

    def save_progress(self) -> None:
        """Saves the game as it goes on, if that is wanted. The game continues if that fails."""
        try:
            self.file.keep(self.session)
        except GameDSLError as mistake:  # the next ply tries again
            self.tell("not saved:", *messages.diagnostic_lines(mistake.diagnostics))
        self.keep()

    def keep(self) -> None:
        """Keeps the game as it goes on. If that fails, the game continues; the failure is reported once, and later
        plies try again."""
        if self.autosave is None:
            return
        try:
            self.autosave.keep(self.session)
        except GameDSLError as mistake:
            if not self._warned:
                self.tell("this game cannot be saved automatically:", *messages.diagnostic_lines(mistake.diagnostics))
            self._warned = True

    def is_kept(self) -> bool:
        """Whether all that was played is in the folder of kept games."""
        return self.autosave is not None and self.autosave.is_kept(self.session)

    def kept_lines(self) -> list[str]:
        """Lines about the saved game and how to continue it."""
        assert self.autosave is not None and self.autosave.path is not None
        if self.face.has_people:
            return [f"the game is saved; `gamedsl play {shlex.quote(self.session.record.game)}` continues it"]
        return ["the game is saved", f"continue it with: {resume_command(str(self.autosave.path))}"]

    def close(self) -> None:
        """Leaves the table."""
        if self.autosave is not None:
            self.autosave.close()
        self.file.close()

    def save(self, path: str) -> None:
        """Saves the game in a file."""
        try:
            self.say_whole(*self.file.save(self.session, path or None))
        except GameDSLError as mistake:
            self.say(*messages.diagnostic_lines(mistake.diagnostics))
