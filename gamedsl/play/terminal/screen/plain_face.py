"""The plain face: lines out, lines in, no colors; for pipes, logs and simple terminals."""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Callable, Sequence
from typing import TextIO

from gamedsl.language.source import FileError, reason
from gamedsl.play.terminal.input.cursor_places import PageCursor
from gamedsl.play.terminal.input.echo import echo
from gamedsl.play.terminal.render.canvas import Line, plain
from gamedsl.play.terminal.render.viewport import Viewport

ROWS = 20


class PlainFace:
    """Reads from and writes to two streams (the standard ones if none are given)."""

    keeps_page = False

    def __init__(self, ascii: bool = False, source: TextIO | None = None, target: TextIO | None = None) -> None:
        self.repaint: Callable[[], None] = lambda: None  # (never called: lines that were written stay as they are)
        self.source = source or sys.stdin
        self.target = target or sys.stdout
        reconfigure = getattr(self.source, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")  # input that is not text is an unknown move, not the end
        encoding = (self.target.encoding or "utf-8").lower().replace("-", "")
        self.ascii = ascii or not encoding.startswith("utf")

    @property
    def viewport(self) -> Viewport:
        return Viewport(80, ROWS, self.ascii, False, ends=False)

    @property
    def has_people(self) -> bool:
        return self.source.isatty()

    @property
    def page_rows(self) -> int:
        return self.viewport.rows

    def show(self, lines: Sequence[Line]) -> None:
        self._write("".join(plain(x).rstrip() + "\n" for x in lines))

    def clear(self) -> None:
        """Clears the screen on a terminal; elsewhere there is nobody to hide anything from."""
        if self.target.isatty() and self.has_people and os.environ.get("TERM", "dumb") != "dumb":
            self._write("\x1b[3J\x1b[2J\x1b[H")

    def forget(self) -> None:
        """Does nothing: typed input is only on the screen, which is cleared."""

    def page(self, lines: Sequence[Line]) -> None:
        self.show(lines)

    def paint(self, lines: Sequence[Line]) -> None:
        self.clear()
        self.show(lines)

    def ask(
        self, prompt: str, choices: Sequence[str] = (), hidden: bool = False, pointer: PageCursor | None = None
    ) -> str:
        if hidden and self.has_people:
            return getpass.getpass(prompt, self.target)
        self._write(prompt)
        text = self._line()
        if not text:
            self._write("\n")
            raise EOFError
        if not self.has_people:
            self._write("\n")
        return text.rstrip("\r\n")

    def _line(self) -> str:
        try:
            with echo(self.source, True):
                return self.source.readline()
        except OSError as error:
            raise FileError(f"the standard input cannot be read: {reason(error)}", code="E0009") from error

    def _write(self, text: str) -> None:
        encoding = self.target.encoding or "utf-8"
        self.target.write(text.encode(encoding, "backslashreplace").decode(encoding))
        self.target.flush()
