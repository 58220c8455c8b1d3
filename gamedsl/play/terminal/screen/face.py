"""The interface of a face: showing lines and asking for one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from gamedsl.play.terminal.input.cursor_places import PageCursor
from gamedsl.play.terminal.render.canvas import Ink, Line, line
from gamedsl.play.terminal.render.viewport import Viewport


class Face(Protocol):
    """Shows lines to people and asks them for input. ``ask`` raises EOFError and KeyboardInterrupt. ``repaint``, set
    by the display, shows the whole page again after a change of size."""

    repaint: Callable[[], None]

    @property
    def viewport(self) -> Viewport:
        """The page at its present size."""

    @property
    def page_rows(self) -> int:
        """The number of rows for the board and the messages below it, on a face that keeps a page."""

    @property
    def has_people(self) -> bool:
        """Whether people use it, rather than a file as input."""

    @property
    def keeps_page(self) -> bool:
        """Whether the board has a fixed place on a page that is cleared for every turn."""

    def show(self, lines: Sequence[Line]) -> None:
        """Shows lines below those already shown."""

    def clear(self) -> None:
        """Clears the screen."""

    def forget(self) -> None:
        """Erases the input history."""

    def page(self, lines: Sequence[Line]) -> None:
        """Shows a long text."""

    def paint(self, lines: Sequence[Line]) -> None:
        """Shows a whole page in place of the present one."""

    def ask(
        self, prompt: str, choices: Sequence[str] = (), hidden: bool = False, pointer: PageCursor | None = None
    ) -> str:
        """Asks the person for a line. ``hidden``: nothing of it is shown, not even its length. ``pointer``: a cursor
        on the board, for faces that have one; the move chosen with it is the answer, or "" if only a number can
        distinguish it."""


def text_lines(texts: Sequence[str], ink: Ink | None = None) -> list[Line]:
    """Plain strings as lines in one ink."""
    return [line(t, ink or Ink()) for t in texts]
