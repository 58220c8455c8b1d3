"""The interface of a face: showing lines and asking for one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from gamedsl.play.terminal.input.board_cursor import PageCursor
from gamedsl.play.terminal.render.canvas import Ink, Line, line
from gamedsl.play.terminal.render.viewport import Viewport


class Face(Protocol):
    """Shows things to people and asks them. ``ask`` raises EOFError and KeyboardInterrupt. ``repaint`` is set by who
    shows things: it shows the whole page again, after a change of size."""

    repaint: Callable[[], None]

    @property
    def viewport(self) -> Viewport:
        """The page as large as it is now."""

    @property
    def page_rows(self) -> int:
        """Rows for the board and what is said below it, where the page keeps its place."""

    @property
    def has_people(self) -> bool:
        """Whether people sit before it (or it reads from a file)."""

    @property
    def keeps_page(self) -> bool:
        """Whether the board has its place on a page that is cleared for every turn."""

    def show(self, lines: Sequence[Line]) -> None:
        """Shows lines below what is there."""

    def clear(self) -> None:
        """Takes everything from the screen."""

    def forget(self) -> None:
        """Erases the input history."""

    def page(self, lines: Sequence[Line]) -> None:
        """Shows a long text."""

    def paint(self, lines: Sequence[Line]) -> None:
        """Shows a whole page in place of what is there."""

    def ask(
        self, prompt: str, choices: Sequence[str] = (), hidden: bool = False, pointer: PageCursor | None = None
    ) -> str:
        """A line from the person. ``hidden``: nothing of it is shown, not even its length. ``pointer``: a cursor on the
        board, for faces that have one; the move chosen by it is the answer, "" if only a number can tell which it is."""


def text_lines(texts: Sequence[str], ink: Ink | None = None) -> list[Line]:
    """Plain texts as lines in one ink."""
    return [line(t, ink or Ink()) for t in texts]
