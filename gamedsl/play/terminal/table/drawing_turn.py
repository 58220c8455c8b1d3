"""Drawing strokes at the table: each is checked as it is entered, the rest can be generated, and the player can start
over."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from gamedsl.engine import Refusal, codes_of, drawing_move
from gamedsl.engine.picture import FIGURES, REACH, SHEET, PenMark, figure, moved_lines, onto_outline
from gamedsl.language.boards import snapped_paths
from gamedsl.language.boards.drawing import check_stroke, format_points, parse_points
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError
from gamedsl.play.terminal.input.commands import Command, help_lines, read_command
from gamedsl.play.terminal.input.pen import Pen
from gamedsl.play.terminal.session.unfinished_drawing import strokes_text
from gamedsl.play.terminal.table.table_actions import act
from gamedsl.play.terminal.table.table_questions import LeftTable, ask
from gamedsl.play.terminal.texts import messages

if TYPE_CHECKING:
    from gamedsl.language.boards.drawing import Drawing, Plan, Stroke
    from gamedsl.play.terminal.table.saved_table import After, SavedTable

_WORDS_TOLD = (
    "Here also:",
    "  generate     draw the missing strokes at random",
    "  again        start over",
    f"  {', '.join(FIGURES)}: ready-made figures, where they fit",
)
WORDS = ("generate", "again", *FIGURES)
SHEET_ONLY = PenMark((), None)  # axes, but no pen yet
ANSWERS = ("yes", "undo", "again", "generate")


class DrawingTurn:
    """One player's strokes while they are entered. ``own``: the valid strokes so far."""

    def __init__(self, table: SavedTable, player: int) -> None:
        state = table.session.state
        end = state.terminator
        assert isinstance(end, n.DecideDrawing) and isinstance(end.var.type, n.DrawingT)
        plan: Any = end.var.type.plan
        self.table, self.player = table, player
        self.plan: Plan = plan
        self.before: Drawing = codes_of(state, end.var)[0]
        self.names = end.strokes
        self.own: tuple[Stroke, ...] = self._good_part(table.session.strokes)
        self.tries = 0

    def _good_part(self, strokes: tuple[Stroke, ...]) -> tuple[Stroke, ...]:
        """The kept strokes that can still be drawn, from the first on."""
        good: tuple[Stroke, ...] = ()
        for wanted, (name, points) in zip(self.names, strokes, strict=False):
            if name != wanted or check_stroke(self.plan, (*self.before, *good), name, points):
                break
            good = (*good, (name, points))
        return good

    def _set(self, strokes: tuple[Stroke, ...]) -> None:
        """Sets the strokes so far, which are saved with the game."""
        self.own = self.table.session.strokes = strokes
        self.table.save_progress()

    @property
    def missing(self) -> tuple[str, ...]:
        """The strokes that are still to be drawn, in order."""
        return self.names[len(self.own) :]

    def show(self) -> None:
        """Shows the sheet with the strokes entered so far."""
        picture = self.table.session.picture(self.player)
        self.table.pointer = self._pen()
        self.table.show_board(
            self.player,
            replace(picture, paper=(self.plan, (*self.before, *self.own)), pen=SHEET_ONLY if self.missing else None),
        )

    def _pen(self) -> Pen | None:
        """A pen for the next stroke, where the face has one."""
        stroke = self.plan.stroke(self.missing[0]) if self.missing else None
        if stroke is None or not self.table.face.keeps_page:
            return None
        return Pen(stroke, snapped_paths(self.plan, (*self.before, *self.own)))

    def _help(self) -> list[str]:
        """Lines about the ways to enter the next stroke."""
        stroke = self.plan.stroke(self.missing[0])
        assert stroke is not None
        lines = [f"x runs to the right, y downward. The sheet shows 0,0 to {SHEET},{SHEET}; it grows with the drawing."]
        if self.table.face.keeps_page:
            lines.append(
                "The arrow keys move the pen (by 1 with Shift), Enter or the space bar sets a point, Backspace removes it."
            )
            lines.append("Setting the same point again ends the stroke.")
        if stroke.shape == "closed curve":
            lines.append(f"{' and '.join(f'`{w}`' for w in FIGURES)} are ready-made figures.")
        if any((p := self.plan.stroke(number)) is not None and p.across for number in self.missing):
            lines.append(f"Ends within {float(100 * REACH):g} % of the figure's size snap onto it.")
        return lines

    def run(self) -> After:
        """Asks for strokes until all are there and accepted, or until a command ends the turn. A person who leaves in
        the middle sees the strokes drawn so far in a form that can be typed again, if they are not saved."""
        try:
            after = self._ask_strokes()
        except LeftTable:
            self._tell_unfinished()
            raise
        if after == "quit":
            self._tell_unfinished()
        return after

    def _tell_unfinished(self) -> None:
        if self.own and not self.table.is_kept() and not self.table.session.is_saved:
            with suppress(OSError):  # the terminal itself may have gone
                self.table.say_whole("", "this line draws the same again:", strokes_text(self.own))

    def _ask_strokes(self) -> After:
        self.show()
        name = self.table.session.player_name(self.player)
        if self.own:
            self.table.say(f"Drawn before: {', '.join(number for number, _ in self.own)} (`undo` takes a stroke back).")
        if self.table.face.keeps_page:
            self.table.say(f"{name} draws {', '.join(self.names)}: arrows and Enter, or points such as `0,0 90,0`.")
        else:
            self.table.say(f"{name} draws {', '.join(self.names)}: points such as `0,0 90,0 90,60`.")
        self.table.say("`generate` draws the missing strokes at random, `again` starts over, `?` shows more.")
        while True:
            if not self.missing:
                self.table.pointer = None
                if self._accepted():
                    self.table.session.play(drawing_move(self.own, self.player))
                    self.table.after_play()
                    return "done"
                continue
            after = self._line(self.table.face.ask(f"{name}, {self.missing[0]}> ", WORDS, pointer=self.table.pointer))
            if after != "stay":
                self.table.pointer = None
                return after

    def _accepted(self) -> bool:
        """Shows a finished drawing once more if people play, and returns whether it is accepted."""
        if not self.table.face.has_people:
            return True
        self.show()
        about = "`yes` accepts the drawing, `undo` takes back the last stroke, `again` starts over, `generate` draws at random"
        match ask(self.table, "Accept this drawing? [yes/undo/again/generate] ", ANSWERS, about):
            case "yes":
                return True
            case "undo":
                self._set(self.own[:-1])
                self.show()
            case "again":
                self._set(())
            case "generate":
                self._set(())
                self._generate()
            case _:
                self.table.say(about)
        return False

    def _line(self, text: str) -> After:
        word = text.strip().casefold().removeprefix("/")
        if word == "generate":
            self._generate()
        elif word == "again":
            self._set(())
            self.show()
        elif word in FIGURES and self._figure(word):
            self.show()
        elif (command := read_command(text)) is not None and command.name == "undo":
            return self._undo(command)
        elif (command := read_command(text)) is not None and not _is_points(text):
            if command.name == "?":
                self._tell_stroke()
            elif command.name == "help":
                self.table.say(*help_lines(), *_WORDS_TOLD)
            else:
                return act(self.table, command, self.player)
        elif text.strip():
            self._enter(text)
        return "stay"

    def _undo(self, command: Command) -> After:
        """Takes back the player's own strokes: those just entered, else the previous ply, but never another player's
        drawing."""
        if self.own:
            self._set(self.own[: -max(1, int(command.argument or 1))])
            self.show()
            return "stay"
        last = self.table.session.history.last_chooser()
        if last is not None and last != self.player:
            self.table.say("you have drawn nothing yet, and another player's strokes cannot be taken back")
            return "stay"
        return act(self.table, command, self.player)

    def _generate(self) -> None:
        """Draws the strokes that are missing. The same seed, ply and number of tries give the same strokes."""
        from gamedsl.language.boards import generate  # start-up: only drawings by chance need it

        session = self.table.session
        self.tries += 1
        rng = Random(f"{session.seed} {session.now.plies} {self.tries}")
        try:
            self._set((*self.own, *generate(self.plan, (*self.before, *self.own), self.missing, rng)))
        except GameDSLError as mistake:
            self.table.say(*messages.diagnostic_lines(mistake.diagnostics))
            return
        if self.table.face.has_people:
            return
        self.table.say(*(f"{name} {format_points(points)}" for name, points in self.own))

    def _figure(self, word: str) -> bool:
        """Enters a prepared figure as the next stroke, if it can be one."""
        stroke = self.plan.stroke(self.missing[0])
        points = None if stroke is None else figure(stroke, word)
        return points is not None and self._stroke(self.missing[0], format_points(points))

    def _enter(self, text: str) -> None:
        """Enters the points of one stroke, or several strokes in the notation of moves (``figure 0,0 ...; upper
        ...``)."""
        for piece in (p.strip() for p in text.split(";")):
            first, _, rest = piece.partition(" ")
            named = first in self.plan.names
            wanted = self.missing[0] if self.missing else first
            if piece and not self._stroke(first if named else wanted, rest if named else piece):
                return
        if self.missing:
            self.show()

    def _stroke(self, name: str, text: str) -> bool:
        if not self.missing or name != self.missing[0]:
            wanted = f"`{self.missing[0]}` is next" if self.missing else "all strokes have been drawn"
            self.table.say(f"{wanted}, not `{name}`")
            return False
        try:
            typed = parse_points(text)
        except GameDSLError as mistake:
            self.table.say(*messages.diagnostic_lines(mistake.diagnostics))
            return False
        stroke = self.plan.stroke(name)
        drawn = snapped_paths(self.plan, (*self.before, *self.own))
        points = typed if stroke is None else onto_outline(stroke, typed, drawn)
        found = check_stroke(self.plan, (*self.before, *self.own), name, points)
        if found:
            self.table.session.refuse(self.player, f"{name} {format_points(points)}")
            if self.table.pointer is not None:
                self.show()
            self.table.say(
                f"{name} cannot be drawn like this:",
                *messages.refusal_lines([Refusal(f.message, f.clauses, f.span) for f in found]),
            )
            return False
        self._set((*self.own, (name, points)))
        self.table.tell(*moved_lines(name, typed, points, self.plan))
        return True

    def _tell_stroke(self) -> None:
        plan = self.plan.stroke(self.missing[0])
        assert plan is not None
        across = f" across {plan.across}" if plan.across else ""
        self.table.say(f"{plan.name}: {plan.shape}{across}; then: {', '.join(self.missing[1:]) or 'nothing more'}")
        self.table.say(*(f"  {' '.join(c.span.text.split())}" for c in plan.conditions))
        self.table.say(*self._help())


def _is_points(text: str) -> bool:
    return "," in text
