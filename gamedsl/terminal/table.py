"""The table: goes through a play with people and programs at it, by way of a face. All talk is here; what is said to
whom, when the board is shown, and what becomes of every line that is typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from gamedsl.source.diagnostic import GameDSLError
from gamedsl.terminal import texts
from gamedsl.terminal.advice import eval_lines, hint_lines
from gamedsl.terminal.canvas import Ink, Line
from gamedsl.terminal.commands import Command, help_lines, read_command
from gamedsl.terminal.drawing import draw
from gamedsl.terminal.face import Face, text_lines
from gamedsl.terminal.hidden import has_secrets
from gamedsl.terminal.picture import Picture
from gamedsl.terminal.reading import Illegal, Legal, Several, is_mistake, matching, mistakes_possible, read_move
from gamedsl.terminal.saving import SaveFile
from gamedsl.terminal.session import Session
from gamedsl.terminal.view import part_over

if TYPE_CHECKING:
    from gamedsl.engine.moves import Move
    from gamedsl.engine.state import State

Ending: TypeAlias = Literal["over", "quit"]
After: TypeAlias = Literal["stay", "done", "quit"]
MOST_NEWS = 6
_YES = ("y", "yes")


class Table:
    """A play at a face. ``boards``: draw the board after every ply, also between programs."""

    def __init__(self, session: Session, face: Face, file: SaveFile, boards: bool = False) -> None:
        self.session = session
        self.face = face
        self.file = file
        self.boards = boards
        self.told = session.kept.plies  # plies that people have been told of
        self.news: list[str] = []
        self.listed: list[Move] = []
        self.looking: int | None = None  # who sits before the screen, in games with secrets

    def run(self) -> Ending:
        """Plays until the play is over or somebody leaves."""
        while not self.session.state.is_terminal:
            player = self.session.waiting_for()
            if player is None:
                self.session.play_by_program()
                self._tell_plies()
            elif self._turn(player) == "quit":
                return "quit"
        self._finish()
        return "over"

    # ------------------------------------------------------------------------------------------------- showing

    def say(self, *lines: str, ink: Ink | None = None) -> None:
        """Says something at once, in lines that fit the page."""
        self.face.show(text_lines([x for text in lines for x in texts.folded(text, self.face.paper.columns - 1)], ink))

    def say_whole(self, *lines: str) -> None:
        """Says lines that must not be broken, as they are meant to be copied."""
        self.face.show(text_lines(lines))

    def tell(self, *lines: str) -> None:
        """Tells news: at once, or under the next board where the page is cleared for it."""
        if self.face.keeps_page:
            self.news = [*self.news, *lines][-MOST_NEWS:]
        else:
            self.face.show(text_lines(lines))

    def _tell_plies(self) -> None:
        session = self.session
        for at in session.plies_after(self.told):
            moment = session.moments[at]
            self.tell(texts.ply_line(moment.plies, session.told(at, short=self.face.keeps_page)))
            self.tell(*(f"      {text}" for text in part_over(session.moments[at - 1].state, moment.state)))
            self.told = moment.plies
            if self.boards and not self.face.keeps_page:
                self.face.show(self._drawn(None))
        self.told = min(self.told, self.session.kept.plies)

    def _drawn(self, viewer: int | None) -> list[Line]:
        return draw(self.session.picture(viewer), self.face.paper)

    def show_board(self, viewer: int | None, picture: Picture | None = None) -> None:
        """The board (or another picture) on a fresh page, then the news."""
        if self.face.keeps_page:
            self.face.clear()
        self.face.show(draw(picture or self.session.picture(viewer), self.face.paper))
        if self.news:
            self.say(*self.news, ink=Ink(dim=True))
            self.news = []

    def _finish(self) -> None:
        if self.session.humans or self.boards:
            self.show_board(None)
        self.say(*texts.result_lines(self.session.state))

    # ---------------------------------------------------------------------------------------------------- turns

    def _turn(self, player: int) -> After:
        self.listed = []
        if self.session.state.kind == "drawing":
            from gamedsl.terminal.draughtsman import drawing_turn

            return drawing_turn(self, player)
        secret = self.session.is_secret
        self._hand_over(player, secret)
        self.show_board(player)
        name = self.session.game.players[player]
        prompt = f"{name}, in secret (not shown)> " if secret else f"{name}> "
        choices = [] if secret else [m.text for m in self.session.state.legal_moves(player)]
        while True:
            text = self.face.ask(prompt, choices, hidden=secret)
            after = self._secret_line(text, player) if secret else self.line(text, player)
            if after != "stay":
                return after

    def _hand_over(self, player: int, secret: bool) -> None:
        """Between two people at one terminal: the screen is emptied, and only then the next one sits down."""
        hidden = secret or has_secrets(self.session.game.program)
        if not hidden or not self.session.shared or not self.face.has_people or self.looking == player:
            return
        self.face.clear()
        name = self.session.game.players[player]
        self.say(f"It is {name}'s turn. Only {name} looks at the screen now.")
        self.face.ask("Enter when ready ", hidden=True)
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
                self.face.clear()
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

    def _attempt(self, reading: object, player: int) -> After:
        match reading:
            case Legal(move, mistake):
                return self._confirmed(move, mistake, player)
            case Illegal(move, reasons):
                self.session.refuse(player, str(move))
                self.say(f"{move} is not legal:", *texts.refusal_lines(reasons))
            case Several(moves):
                self.say("choose one by its number:")
                self._list(moves, True)
            case _:
                self.say(*texts.diagnostic_lines(getattr(reading, "diagnostics", ())), "`?` lists the legal moves")
        return "stay"

    def _confirmed(self, move: Move, mistake: bool, player: int) -> After:
        """Where mistakes can happen, every move is looked at once more before it stands."""
        if mistake or mistakes_possible(self.session.state, player):
            self._preview(move, player)
            if mistake:
                self.say(f"{move} is an error: nobody would play it on purpose.", ink=Ink(bold=True, colour="red"))
            self.say("The pen is still on the paper.")
            if self.face.ask(f"Does {move} stand? [yes/no] ").strip().casefold() not in _YES:
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
            self.say(f"{named} can't be made:", *texts.diagnostic_lines(mistake.diagnostics))
            return False
        self.after_play()
        return True

    def after_play(self) -> None:
        """What follows every ply of a person: it is saved, if that is wanted, and told."""
        try:
            self.file.keep(self.session)
        except GameDSLError as mistake:  # the play goes on; it is tried again after the next ply
            self.tell("not saved:", *texts.diagnostic_lines(mistake.diagnostics))
        self._tell_plies()

    # ------------------------------------------------------------------------------------------------- commands

    def command(self, command: Command, player: int) -> After:
        """Does a command; "done" when the turn is over by it."""
        argument = command.argument
        actions: dict[str, Callable[[], After | None]] = {
            "?": lambda: self._moves(argument, player),
            "why": lambda: self._why(argument, player),
            "hint": lambda: self._advise(hint_lines, player),
            "eval": lambda: self._advise(eval_lines, player),
            "undo": self._undo,
            "redo": self._redo,
            "board": lambda: self.show_board(player),
            "redraw": lambda: self._redraw(player),
            "rules": lambda: self.face.page(text_lines(texts.rulebook(self.session.game.program))),
            "save": lambda: self._save(argument),
            "help": lambda: self.say(*help_lines()),
            "quit": self.leave,
        }
        return actions[command.name]() or "stay"

    def _moves(self, text: str, player: int) -> None:
        moves = self.session.state.legal_moves(player)
        found = matching(moves, text)
        if not found:
            self.say(f"no legal move contains {text!r}" if text else "there are no moves to list here")
            return
        self._list(found, bool(text))

    def _list(self, moves: Sequence[Move], filtered: bool) -> None:
        lines, self.listed = texts.move_list(moves, filtered)
        self.face.page(text_lines(lines))

    def _why(self, text: str, player: int) -> None:
        if not text:
            self.say("write `why MOVE`")
            return
        state = self.session.state
        try:
            move = state.game.parse_move(text, state, player)
        except GameDSLError as mistake:
            self.say(*texts.diagnostic_lines(mistake.diagnostics))
            return
        reasons = state.why_not(move)
        if reasons:
            self.say(f"{move} is not legal:", *texts.refusal_lines(reasons))
        else:
            self.say(f"{move} is {'an error that can be made' if is_mistake(state, move) else 'legal'}")

    def _advise(self, lines: Callable[[State, int, bool], list[str]], player: int) -> None:
        self.say("thinking ...", ink=Ink(dim=True))
        self.say(*lines(self.session.state, player, self.face.paper.ascii))

    def _undo(self) -> After:
        refusal = self.session.undo()
        if refusal is not None:
            self.say(refusal)
            return "stay"
        taken = [self.session.written(m.move, short=True) for m in self.session.undone[-1] if m.move is not None]
        self.tell(f"taken back: {', '.join(taken)}")
        return self._moved()

    def _redo(self) -> After:
        refusal = self.session.redo()
        if refusal is not None:
            self.say(refusal)
            return "stay"
        return self._moved()

    def _moved(self) -> After:
        """After going back or forth."""
        self.told = min(self.told, self.session.kept.plies)
        self.after_play()
        return "done"

    def _redraw(self, player: int) -> None:
        if self.session.redraw():
            self.show_board(player)
        else:
            self.say("nothing on the sheet calls for a redraw")

    def _save(self, path: str) -> None:
        try:
            self.say_whole(*self.file.save(self.session, path or None))
        except GameDSLError as mistake:
            self.say(*texts.diagnostic_lines(mistake.diagnostics))

    def leave(self) -> After:
        """Asks whether to save, if there is anything to lose."""
        if not self.session.now.plies or self.session.is_saved:
            return "quit"
        while True:
            answer = self.face.ask("Save the play first? [yes/no/cancel] ").strip().casefold()
            if answer in ("n", "no"):
                return "quit"
            if answer in ("c", "cancel"):
                return "stay"
            if answer in _YES:
                self._save("")
                return "quit" if self.session.is_saved else "stay"
