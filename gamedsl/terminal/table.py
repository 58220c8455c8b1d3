"""The table: goes through a play with people and programs at it, by way of a face. All talk is here; what is said to
whom, when the board is shown, and what becomes of every line that is typed."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from gamedsl.source.diagnostic import GameDSLError
from gamedsl.terminal import actions, texts, touching
from gamedsl.terminal.autosave import Autosave
from gamedsl.terminal.canvas import Ink
from gamedsl.terminal.commands import Command, read_command
from gamedsl.terminal.display import Display
from gamedsl.terminal.face import Face
from gamedsl.terminal.pointer import Pointer
from gamedsl.terminal.programs import Programs
from gamedsl.terminal.questions import LeftTable, answered, ask, confirm, is_quit
from gamedsl.terminal.reading import (
    Illegal,
    Legal,
    Partial,
    Reading,
    Several,
    mistakes_possible,
    read_move,
)
from gamedsl.terminal.saving import SaveFile, resume_command
from gamedsl.terminal.session import Session

if TYPE_CHECKING:
    from gamedsl.engine.moves import Move

Ending: TypeAlias = Literal["over", "quit"]
After: TypeAlias = Literal["stay", "done", "quit"]
HIDDEN_FAULT = "the ruleset goes wrong there; how, might tell what is hidden"


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
        self.programs = Programs(session)
        self._warned = False  # that the play can't be kept as it goes
        self.listed: list[Move] = []
        self._cursor: Pointer | None = None  # of the turn before
        self.looking: int | None = None  # who sits before the screen, in games with secrets

    def run(self) -> Ending:
        """Plays until the play is over or somebody leaves."""
        try:
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
        thinking = self.programs.searching() if self.face.has_people else None
        if thinking is not None and self.session.humans:
            self.show_board(self.session.viewer)
        self.programs.begin()
        if thinking is not None and not self.programs.is_ready:
            self.say("preparing the opponent ...", ink=Ink(dim=True))
        self.programs.wait()
        if thinking is not None and self.session.humans:
            self.say(f"{thinking} is thinking ...", ink=Ink(dim=True))
        self.session.play_by_program()
        self.after_play()

    def finish(self) -> None:
        """Shows how the play ended."""
        if self.looking is not None:  # what is on the screen is for that person's eyes
            self.clear()
        if self.session.humans or self.boards:
            self.show_board(self.session.viewer)
        self.say(*texts.result_lines(self.session.state))

    # ---------------------------------------------------------------------------------------------------- turns

    def _turn(self, player: int) -> After:
        self.listed = []
        if self.session.state.kind == "drawing":
            from gamedsl.terminal.draughtsman import drawing_turn

            return drawing_turn(self, player)
        secret = self.session.is_secret
        self._hand_over(player, secret)
        self.pointer = None if secret else self._pointer(player)
        self.show_board(player)
        name = self.session.game.players[player]
        prompt = f"{name}, in secret (not shown)> " if secret else f"{name}> "
        choices = [] if secret else [m.text for m in self.session.state.legal_moves(player)]
        self.programs.begin()
        while True:
            text = self.face.ask(prompt, choices, hidden=secret, pointer=self.pointer)
            if isinstance(self.pointer, Pointer):
                self._choose_among(self.pointer)
            after = self._secret_line(text, player) if secret else self.line(text, player)
            if after != "stay":
                self._cursor = self.pointer if isinstance(self.pointer, Pointer) else None
                self.pointer = None
                return after

    def _pointer(self, player: int) -> Pointer:
        """A cursor with which the player can choose a move on the board."""
        state = self.session.state
        return Pointer(lambda drawn: touching.options(state, state.legal_moves(player), drawn), self._cursor)

    def _choose_among(self, pointer: Pointer) -> None:
        """After a line from the person: moves that could be told apart by a number only are listed."""
        moves = pointer.ambiguous
        pointer.reset()
        if moves:
            self.repaint()
            self.say("choose one by its number:")
            self.show_moves(moves, True)

    def _hand_over(self, player: int, secret: bool) -> None:
        """Between two people at one terminal: the screen is emptied, and only then the next one sits down."""
        hidden = secret or self.session.game.secrets.hides
        if not hidden or not self.session.shared or not self.face.has_people or self.looking == player:
            return
        self.face.forget()
        self.clear()
        name = self.session.game.players[player]
        self.say(f"It is {name}'s turn. Only {name} looks at the screen now.")
        ask(self, "Enter when ready ", (), f"Enter shows {name} what {name} may see", hidden=True)
        self.looking = player

    def _secret_line(self, text: str, player: int) -> After:
        """A line typed for a secret choice: nothing that is said may depend on what is chosen."""
        name = self.session.game.players[player]
        legal = self.session.state.legal_moves(player)
        command = read_command(text)
        if command is not None and not any(m.text == text.strip() for m in legal):
            if command.name in ("why", "undo", "redo"):
                self.say("not while a secret choice is made")
                return "stay"
            return self.command(Command(command.name, "") if command.name == "?" else command, player)
        picked = self._picked(text)
        reading = Legal(picked) if picked is not None else read_move(self.session.state, text, player)
        if not isinstance(reading, Legal):
            if text.strip():
                self.say("that can't be chosen now; `?` lists what can")
            return "stay"
        if not self._do(reading.move):
            return "stay"
        if self.session.state.pending:
            if self.face.has_people and self.session.shared:
                self.clear()
            self.looking = None
            self.tell(f"{name} has chosen.")
        return "done"

    def line(self, text: str, player: int) -> After:
        """A line typed by a player: a move, a number from the last list, or a command."""
        if not text.strip():
            return "stay"
        legal = self.session.state.legal_moves(player)
        command = read_command(text)
        if command is not None and not any(m.text == " ".join(text.split()) for m in legal):
            return self.command(command, player)
        picked = self._picked(text)
        return self._attempt(
            Legal(picked) if picked is not None else read_move(self.session.state, text, player), player
        )

    def _picked(self, text: str) -> Move | None:
        """The move behind a number of the list that was shown last."""
        digits = text.strip().removeprefix("#")
        if not self.listed or not digits.isdecimal() or not 1 <= int(digits) <= len(self.listed):
            return None
        return self.listed[int(digits) - 1]

    def show_moves(self, moves: Sequence[Move], filtered: bool) -> None:
        """Shows moves with numbers, by which they can be chosen."""
        lines, self.listed = texts.move_list(moves, filtered)
        self.say_long(lines)

    def _attempt(self, reading: Reading, player: int) -> After:
        match reading:
            case Legal(move, mistake):
                return self._confirmed(move, mistake, player)
            case Partial(move):
                return self._completed(move, player)
            case Illegal(move, reasons):
                self.session.refuse(player, str(move))
                self.say(f"{move} is not legal:", *texts.refusal_lines(reasons))
            case Several(moves):
                self.say("choose one by its number:")
                self.show_moves(moves, True)
            case _:
                self.say(*texts.diagnostic_lines(reading.diagnostics), "`?` lists the legal moves")
        return "stay"

    def _completed(self, move: Move, player: int) -> After:
        """A move of which a part was typed: it is shown whole, and asked about if it can't be taken back."""
        if self.session.can_undo(move):
            self.tell(f"taken for {move} (`undo` takes it back)")
        elif not confirm(self, f"Is it {move}?", f"{move} can't be taken back, and only part of it was typed"):
            return "stay"
        return self._confirmed(move, False, player)

    def _confirmed(self, move: Move, mistake: bool, player: int) -> After:
        """Where mistakes can happen, every move is looked at once more before it stands."""
        if mistake or mistakes_possible(self.session.state, player):
            self._preview(move, player)
            if mistake:
                self.say(f"{move} is an error: nobody would play it on purpose.", ink=Ink(bold=True, colour="red"))
            self.say("The pen is still on the paper.")
            if not confirm(self, f"Does {move} stand?", f"`yes` plays {move}, `no` takes it back"):
                self.say(f"{move} is taken back")
                return "stay"
        return "done" if self._do(move) else "stay"

    def _preview(self, move: Move, player: int) -> None:
        try:
            picture = self.session.preview(move, player)
        except GameDSLError:  # it is told when the move is made
            return
        if picture is not None:
            self.show_board(player, picture)

    def _do(self, move: Move) -> bool:
        """Makes a legal move; False when the ruleset itself goes wrong at it."""
        try:
            self.session.play(move)
        except GameDSLError as mistake:
            named = "that" if self.session.is_secret else str(move)
            hides = self.session.game.secrets.hides
            reasons = [HIDDEN_FAULT] if hides else texts.diagnostic_lines(mistake.diagnostics)
            self.say(f"{named} can't be made:", *reasons)
            return False
        self.after_play()
        return True

    def after_play(self) -> None:
        """What follows every ply: it is saved and told."""
        try:
            self.file.keep(self.session)
        except GameDSLError as mistake:  # the play goes on; it is tried again after the next ply
            self.tell("not saved:", *texts.diagnostic_lines(mistake.diagnostics))
        self.keep()
        self.tell_plies()

    def keep(self) -> None:
        """Keeps the play as it goes. It goes on if that fails; then it is told once, and tried again later."""
        if self.autosave is None:
            return
        try:
            self.autosave.keep(self.session)
        except GameDSLError as mistake:
            if not self._warned:
                self.tell("this play can't be kept as it goes:", *texts.diagnostic_lines(mistake.diagnostics))
            self._warned = True

    def is_kept(self) -> bool:
        """Is all that was played in the folder of kept plays?"""
        return self.autosave is not None and self.autosave.is_kept(self.session)

    def kept_lines(self) -> list[str]:
        """That the play is kept, and how to go on with it."""
        assert self.autosave is not None and self.autosave.path is not None
        if self.face.has_people:
            return [f"the play is kept; `gamedsl play {shlex.quote(self.session.record.game)}` goes on with it"]
        return ["the play is kept", f"go on with: {resume_command(str(self.autosave.path))}"]

    def close(self) -> None:
        """Nobody sits here any longer."""
        if self.autosave is not None:
            self.autosave.close()
        self.file.close()

    def command(self, command: Command, player: int) -> After:
        """Does a command; "done" when the turn is over by it."""
        return actions.act(self, command, player)

    def leave(self) -> After:
        """Asks whether to save, if there is anything to lose."""
        if not self.session.has_plies or self.session.is_saved:
            return "quit"
        self.keep()  # (an attempt that was refused is in the record as well)
        if self.file.path is None and self.is_kept():
            self.say_whole(*self.kept_lines())
            return "quit"
        about = "`yes` saves it and leaves, `no` leaves without saving, `cancel` goes on with the play"
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
