"""The table: runs a game with people and programs on a face. It decides who reads which message, when the board is
shown, and how every typed line is handled."""

from __future__ import annotations

from typing import Literal, TypeAlias

from gamedsl.play.terminal.table.marks_question import ask_marks
from gamedsl.play.terminal.table.move_turn import MoveTurn
from gamedsl.play.terminal.table.saved_table import After, SavedTable
from gamedsl.play.terminal.table.table_questions import LeftTable
from gamedsl.play.terminal.texts import messages

Ending: TypeAlias = Literal["over", "quit"]


class Table(SavedTable):
    """A game on a face, with the file it is saved in, and everybody's turns."""

    def run(self) -> Ending:
        """Plays until the game is over or somebody leaves."""
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
        """Makes a ply of chance or of a program. During a search, people see the board and the name of the searching
        player."""
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
        """Shows how the game ended."""
        if self.looking is not None:  # the screen is for that person only
            self.clear()
        self.show_board(self.session.viewer)
        self.say(*map(self.session.shown, messages.result_lines(self.session.state)))

    def _turn(self, player: int) -> After:
        if self.session.state.kind == "drawing":
            from gamedsl.play.terminal.table.drawing_turn import DrawingTurn  # start-up: few games are drawn by hand

            return DrawingTurn(self, player).run()
        return MoveTurn(self, player).run()
