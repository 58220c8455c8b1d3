"""A person's turn: the board, the prompt, and the handling of every typed line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import GameDSLError
from gamedsl.play.terminal.input import move_selection
from gamedsl.play.terminal.input.commands import Command, read_command
from gamedsl.play.terminal.input.cursor_places import BoardCursor
from gamedsl.play.terminal.input.read_typed_move import (
    Illegal,
    Legal,
    Partial,
    Reading,
    Several,
    mistakes_possible,
    read_typed,
)
from gamedsl.play.terminal.render.canvas import Ink
from gamedsl.play.terminal.table.guide import guide_of
from gamedsl.play.terminal.table.table_actions import act
from gamedsl.play.terminal.table.table_questions import ask, confirm
from gamedsl.play.terminal.texts import messages
from gamedsl.play.terminal.texts.choice_texts import choice_question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gamedsl.engine import Move
    from gamedsl.play.terminal.table.saved_table import After, SavedTable

HIDDEN_FAULT = "the ruleset has an error there; its message might reveal hidden information"


class MoveTurn:
    """The choice of one move. ``secret``: others must not see it."""

    def __init__(self, table: SavedTable, player: int) -> None:
        self.table = table
        self.session = table.session
        self.player = player
        self.name = table.session.player_name(player)
        self.secret = table.session.is_secret

    def run(self) -> After:
        """Asks until a move is made, or until a command ends the turn."""
        table, state = self.table, self.session.state
        table.listed = []
        self._hand_over()
        cursor = None if self.secret else self._cursor()
        table.pointer = cursor
        table.show_board(self.player)
        moves = state.legal_moves(self.player)
        prompt = self._prompt(moves)
        self._instruct(cursor, prompt)
        choices = [] if self.secret else [self.session.text(m) for m in moves]
        table.warmup.begin()
        while True:
            text = table.face.ask(prompt, choices, hidden=self.secret, pointer=cursor)
            if cursor is not None:
                self._choose_among(cursor)
            after = self._secret_line(text) if self.secret else self.line(text)
            if after != "stay":
                table.last_cursor = cursor
                table.pointer = None
                return after

    def _instruct(self, cursor: BoardCursor | None, prompt: str) -> None:
        """Says what to do now, as the page does, to people whose face has no place for it below the board; a program that
        types moves does not need it, and a prompt that names the values has said it."""
        face = self.table.face
        if cursor is not None and face.has_people and not face.keeps_page and prompt == f"{self.name}> ":
            self.table.say(cursor.instruction)

    def _prompt(self, moves: Sequence[Move]) -> str:
        """The prompt: the player to move, and the values to choose from if they are few. In a secret choice, they are
        named only if everybody knows them."""
        secret = ", in secret (not shown)" if self.secret else ""
        if self.secret and self.session.game.secrets.hides:
            return f"{self.name}{secret}> "
        question = choice_question(self.session.state, moves, [self.session.text(m) for m in moves])
        return f"{self.name}{', ' if question else ''}{question}{secret}> "

    def _cursor(self) -> BoardCursor:
        """A cursor with which the player can choose a move on the board."""
        state = self.session.state
        return BoardCursor(
            lambda drawn: move_selection.options(state, state.legal_moves(self.player), drawn),
            self.table.last_cursor,
            guide_of(self.session, self.player),
        )

    def _choose_among(self, pointer: BoardCursor) -> None:
        """Lists the moves that only a number can distinguish, after a line from the person."""
        moves = pointer.ambiguous
        pointer.reset()
        if moves:
            self.table.repaint()
            self.table.say("choose one by its number:")
            self.table.show_moves(moves, True)

    def _hand_over(self) -> None:
        """Clears the screen between two people at one terminal, before the next person looks."""
        hidden = self.secret or self.session.game.secrets.hides
        if not hidden or not self.session.shared or not self.table.face.has_people or self.table.looking == self.player:
            return
        self.table.face.forget()
        self.table.clear()
        self.table.say(f"It is {self.name}'s turn. Only {self.name} may look at the screen now.")
        ask(self.table, "Enter when ready ", (), f"Enter shows {self.name} what {self.name} may see", hidden=True)
        self.table.looking = self.player

    def _secret_line(self, text: str) -> After:
        """Handles a line typed for a secret choice: no output may depend on what is chosen."""
        legal = self.session.state.legal_moves(self.player)
        command = read_command(text)
        if command is not None and not any(m.text == text.strip() for m in legal):
            if command.name in ("why", "undo", "redo"):
                self.table.say("not during a secret choice")
                return "stay"
            return act(self.table, Command(command.name, "") if command.name == "?" else command, self.player)
        picked = self.table.picked(text)
        reading = Legal(picked) if picked is not None else self._read(text)
        if not isinstance(reading, Legal):
            if text.strip():
                self.table.say("that cannot be chosen now; `?` lists the choices")
            return "stay"
        if not self._do(reading.move):
            return "stay"
        if self.session.state.pending:
            if self.table.face.has_people and self.session.shared:
                self.table.clear()
            self.table.looking = None
            self.table.tell(f"{self.name} has chosen.")
        return "done"

    def line(self, text: str) -> After:
        """Handles a line typed by a player: a move, a number from the last list, or a command."""
        if not text.strip():
            return "stay"
        legal = self.session.state.legal_moves(self.player)
        command = read_command(text)
        if command is not None and not any(m.text == " ".join(text.split()) for m in legal):
            return act(self.table, command, self.player)
        picked = self.table.picked(text)
        return self._attempt(Legal(picked) if picked is not None else self._read(text))

    def _read(self, text: str) -> Reading:
        return read_typed(self.session, text, self.player)

    def _attempt(self, reading: Reading) -> After:
        match reading:
            case Legal(move, mistake):
                return self._confirmed(move, mistake)
            case Partial(move):
                return self._completed(move)
            case Illegal(move, reasons):
                self.session.refuse(self.player, str(move))
                self.table.say(f"{self.session.text(move)} is not legal:", *messages.refusal_lines(reasons))
            case Several(moves):
                self.table.say("choose one by its number:")
                self.table.show_moves(moves, True)
            case _:
                self.table.say(*messages.diagnostic_lines(reading.diagnostics), "`?` lists the legal moves")
        return "stay"

    def _completed(self, move: Move) -> After:
        """Handles part of a move: shows the whole move, and asks for confirmation if it cannot be taken back."""
        text = self.session.text(move)
        if self.session.history.can_undo(move):
            self.table.tell(f"read as {text} (`undo` takes it back)")
        elif not confirm(self.table, f"Is it {text}?", f"{text} cannot be taken back, and only part of it was typed"):
            return "stay"
        return self._confirmed(move, False)

    def _confirmed(self, move: Move, mistake: bool) -> After:
        """Makes a move; where mistakes are possible, every move is confirmed first."""
        if mistake or mistakes_possible(self.session.state, self.player):
            text = self.session.text(move)
            self._preview(move)
            if mistake:
                self.table.say(
                    f"{text} is a mistake that the rules allow, but that nobody makes on purpose.",
                    ink=Ink(bold=True, colour="red"),
                )
            self.table.say("You can still change it.")
            if not confirm(self.table, f"Confirm {text}?", f"`yes` plays {text}, `no` takes it back"):
                self.table.say(f"{text} was taken back")
                return "stay"
        return "done" if self._do(move) else "stay"

    def _preview(self, move: Move) -> None:
        try:
            picture = self.session.preview(move, self.player)
        except GameDSLError:  # it is announced when the move is made
            return
        if picture is not None:
            self.table.show_board(self.player, picture)

    def _do(self, move: Move) -> bool:
        """Makes a legal move; False if the ruleset itself fails at it."""
        try:
            self.session.play(move)
        except GameDSLError as mistake:
            named = "that" if self.secret else self.session.text(move)
            hides = self.session.game.secrets.hides
            reasons = [HIDDEN_FAULT] if hides else messages.diagnostic_lines(mistake.diagnostics)
            self.table.say(f"{named} cannot be made:", *reasons)
            return False
        self.table.after_play()
        return True
