"""The face for terminals: the page, and a prompt with completion and history."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from prompt_toolkit import PromptSession
from prompt_toolkit.history import DummyHistory, InMemoryHistory
from prompt_toolkit.input.typeahead import clear_typeahead
from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput
from prompt_toolkit.shortcuts import CompleteStyle

from gamedsl.play.terminal.input.completion import MoveCompleter
from gamedsl.play.terminal.input.cursor_places import PageCursor
from gamedsl.play.terminal.input.echo import discard_input
from gamedsl.play.terminal.input.prompt import read_line
from gamedsl.play.terminal.render.canvas import Line
from gamedsl.play.terminal.render.viewport import Viewport
from gamedsl.play.terminal.screen.screen_output import ScreenOutput

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
        self.output = ScreenOutput()
        self.ascii = ascii or not self.output.encoding.lower().startswith("utf")
        self.forget()

    @property
    def viewport(self) -> Viewport:
        columns, rows = min(self.output.columns, 120), max(12, self.output.rows - ROWS_BELOW)
        return Viewport(columns, rows, self.ascii, self.output.colour)

    @property
    def page_rows(self) -> int:
        return self.output.rows - ROWS_OF_PROMPT

    def show(self, lines: Sequence[Line]) -> None:
        self.output.write(self.output.codes(lines))

    def clear(self) -> None:
        self.output.write("\x1b[2J\x1b[3J\x1b[H")

    def forget(self) -> None:
        self.session: PromptSession[str] = PromptSession(
            history=InMemoryHistory(),
            complete_style=CompleteStyle.READLINE_LIKE,
            complete_while_typing=False,
            erase_when_done=True,  # what is on the screen is the page
        )

    def page(self, lines: Sequence[Line]) -> None:
        """Shows a text longer than the screen screen by screen."""
        room = max(5, self.output.rows - 2)
        for start in range(0, len(lines), room):
            if start:
                self.clear()
            self.show(lines[start : start + room])
            if start + room < len(lines) and self.ask("-- Enter: more, q: enough -- ").strip().casefold() in ENOUGH:
                return

    def paint(self, lines: Sequence[Line]) -> None:
        """Paints over the present page, without clearing the screen first if the page fits on it, so that nothing
        flickers."""
        if len(lines) >= self.output.rows:
            self.clear()
            self.show(lines)
            return
        self.output.write("\x1b[H" + self.output.codes(lines, "\x1b[K\n") + "\x1b[J")

    def ask(
        self, prompt: str, choices: Sequence[str] = (), hidden: bool = False, pointer: PageCursor | None = None
    ) -> str:
        if hidden:
            return self._ask_hidden(prompt)
        # arguments of ``prompt`` stay in force for the next call, so all of them are set every time
        self.session.completer = MoveCompleter(choices) if choices else None
        self.session.bottom_toolbar = (lambda: key_bar(self.output.columns)) if choices else None
        return read_line(self.session, prompt, self.repaint, pointer, self.mouse)

    def _ask_hidden(self, prompt: str) -> str:
        session: PromptSession[str] = PromptSession(
            history=DummyHistory(), input_processors=[_Nothing()], reserve_space_for_menu=0, erase_when_done=True
        )
        clear_typeahead(session.app.input)
        discard_input()
        return read_line(session, prompt, self.repaint)
