"""The face for terminals: colors by rich, the prompt with completion and history by prompt_toolkit."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from prompt_toolkit import PromptSession
from prompt_toolkit.history import DummyHistory, InMemoryHistory
from prompt_toolkit.input.typeahead import clear_typeahead
from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput
from prompt_toolkit.shortcuts import CompleteStyle
from rich.console import Console
from rich.style import Style
from rich.text import Text

from gamedsl.play.terminal.input.completion import MoveCompleter
from gamedsl.play.terminal.input.cursor_places import PageCursor
from gamedsl.play.terminal.input.echo import discard_input
from gamedsl.play.terminal.input.prompt import read_line
from gamedsl.play.terminal.render.canvas import Ink, Line
from gamedsl.play.terminal.render.viewport import Viewport

_COLOURS = {"grey": "grey50", "orange": "dark_orange", "brown": "orange4", "black": "bright_black"}
_GROUNDS = {"grey": "grey37", "orange": "dark_orange3", "brown": "orange4", "white": "grey70"}
ENOUGH = ("q", "quit", "/quit", "no")
ROWS_BELOW = 4  # below the largest board: two rows for messages, and those of the prompt
ROWS_OF_PROMPT = 2  # the prompt and the bar of keys
_KEYS = (
    "arrows: cursor",
    "? moves",
    "why MOVE",
    "undo",
    "rules",
    "save",
)  # the last are dropped first for lack of room
_ALWAYS = ("help", "quit")


def key_bar(columns: int) -> str:
    """The keys and commands in one line; the ways to get help and to leave are dropped last."""
    for count in range(len(_KEYS), -1, -1):
        bar = f" {'   '.join((*_KEYS[:count], *_ALWAYS))}"
        if len(bar) <= columns:
            return bar
    return ""


class _Nothing(Processor):
    """Hides all typed input."""

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        return Transformation([], lambda _: 0, lambda _: 0)


class ScreenFace:
    """A page on the terminal that is cleared for every turn, with a prompt below."""

    keeps_page = True
    has_people = True

    def __init__(self, ascii: bool = False, mouse: bool = False) -> None:
        self.mouse = mouse
        self.repaint: Callable[[], None] = lambda: None
        self.console = Console(highlight=False, soft_wrap=True)
        self.colour = bool(self.console.color_system) and not os.environ.get("NO_COLOR")
        self.ascii = ascii or not self.console.encoding.lower().startswith("utf")
        self.forget()

    @property
    def viewport(self) -> Viewport:
        columns, rows = self.console.size
        return Viewport(min(columns, 120), max(12, rows - ROWS_BELOW), self.ascii, self.colour)

    @property
    def page_rows(self) -> int:
        return self.console.size.height - ROWS_OF_PROMPT

    def show(self, lines: Sequence[Line]) -> None:
        for of in lines:
            self.console.print(self.text(of))

    def clear(self) -> None:
        self.console.file.write("\x1b[2J\x1b[3J\x1b[H")
        self.console.file.flush()

    def forget(self) -> None:
        self.session: PromptSession[str] = PromptSession(
            history=InMemoryHistory(),
            complete_style=CompleteStyle.READLINE_LIKE,
            complete_while_typing=False,
            erase_when_done=True,  # what is on the screen is the page
        )

    def page(self, lines: Sequence[Line]) -> None:
        """Shows a text longer than the screen screen by screen."""
        room = max(5, self.console.size.height - 2)
        for start in range(0, len(lines), room):
            if start:
                self.clear()
            self.show(lines[start : start + room])
            if start + room < len(lines) and self.ask("-- Enter: more, q: enough -- ").strip().casefold() in ENOUGH:
                return

    def paint(self, lines: Sequence[Line]) -> None:
        """Paints over the present page, without clearing the screen first if the page fits on it, so that nothing
        flickers."""
        if len(lines) >= self.console.size.height:
            self.clear()
            self.show(lines)
            return
        with self.console.capture() as capture:
            self.show(lines)
        self.console.file.write("\x1b[H" + capture.get().replace("\n", "\x1b[K\n") + "\x1b[J")
        self.console.file.flush()

    def ask(
        self, prompt: str, choices: Sequence[str] = (), hidden: bool = False, pointer: PageCursor | None = None
    ) -> str:
        if hidden:
            return self._ask_hidden(prompt)
        # arguments of ``prompt`` stay in force for the next call, so all of them are set every time
        self.session.completer = MoveCompleter(choices) if choices else None
        self.session.bottom_toolbar = (lambda: key_bar(self.console.size.width)) if choices else None
        return read_line(self.session, prompt, self.repaint, pointer, self.mouse)

    def _ask_hidden(self, prompt: str) -> str:
        session: PromptSession[str] = PromptSession(
            history=DummyHistory(), input_processors=[_Nothing()], reserve_space_for_menu=0, erase_when_done=True
        )
        clear_typeahead(session.app.input)
        discard_input()
        return read_line(session, prompt, self.repaint)

    def text(self, of: Line) -> Text:
        """A line with its inks as rich prints it."""
        text = Text()
        for run in of:
            text.append(run.text, self._style(run.ink))
        return text

    def _style(self, ink: Ink) -> Style:
        colour = _COLOURS.get(ink.colour or "", ink.colour) if self.colour else None
        ground = _GROUNDS.get(ink.ground or "", ink.ground) if self.colour else None
        return Style(color=colour, bgcolor=ground, bold=ink.bold, dim=ink.dim, reverse=ink.reverse)
