"""A terminal's screen, as far as the face for terminals uses it: text that wraps and scrolls, clearing, going home."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import NamedTuple

from gamedsl.play.terminal.input.cursor_places import PageCursor
from gamedsl.play.terminal.screen.screen_face import ScreenFace
from gamedsl.play.terminal.screen.screen_output import ScreenOutput

_PIECE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|\n|[^\x1b\n]")


class Screen(io.StringIO):
    """``rows`` are what is to be seen; ``lost`` counts the lines that have been pushed off the top since it was empty."""

    encoding = "utf-8"

    def __init__(self, columns: int, height: int) -> None:
        super().__init__()
        self.columns, self.height = columns, height
        self.rows = [""]
        self.at = 0
        self.x = 0
        self.lost = 0

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        for piece in _PIECE.findall(text):
            if piece == "\n":
                self._down()
            elif piece in ("\x1b[H",):
                self.at = self.x = 0
            elif piece == "\x1b[2J":
                self.rows, self.lost = [""] * (self.at + 1), 0
            elif piece == "\x1b[J":
                self.rows[self.at + 1 :] = []
                self.rows[self.at] = self.rows[self.at][: self.x]
            elif piece == "\x1b[K":
                self.rows[self.at] = self.rows[self.at][: self.x]
            elif not piece.startswith("\x1b"):
                if self.x == self.columns:
                    self._down()
                row = self.rows[self.at].ljust(self.x)
                self.rows[self.at] = row[: self.x] + piece + row[self.x + 1 :]
                self.x += 1
        return len(text)

    def _down(self) -> None:
        self.at, self.x = self.at + 1, 0
        if self.at == len(self.rows):
            self.rows.append("")
        if len(self.rows) > self.height:
            del self.rows[0]
            self.at -= 1
            self.lost += 1


class Seen(NamedTuple):
    """The screen at a prompt, how many lines it has lost, and what was said last."""

    prompt: str
    rows: tuple[str, ...]
    lost: int
    newest: tuple[str, ...]


class ScreenScript(ScreenFace):
    """The face for terminals before a model of the screen; it answers from a list. ``seen`` holds the screen at every
    prompt."""

    def __init__(self, answers: Sequence[str], columns: int, height: int) -> None:
        super().__init__()
        self.screen = Screen(columns, height)
        self.output = ScreenOutput(self.screen, columns, height)
        self.answers = list(answers)
        self.newest: list[str] = []  # what was said last
        self.seen: list[Seen] = []

    def ask(
        self, prompt: str, choices: Sequence[str] = (), hidden: bool = False, pointer: PageCursor | None = None
    ) -> str:
        at = self.screen.at
        self.screen.write(prompt)
        rows = [*self.screen.rows, *(["bar"] if choices else [])]
        is_pager = prompt.startswith("-- Enter")
        lost = self.screen.lost + max(0, len(rows) - self.screen.height)
        self.seen.append(Seen(prompt, tuple(rows[-self.screen.height :]), lost, () if is_pager else tuple(self.newest)))
        self.screen.rows[at:], self.screen.at, self.screen.x = [""], at, 0  # the prompt goes when it has been answered
        if is_pager:
            self.newest = []  # it has been read
            return ""
        if not self.answers:
            raise EOFError
        return self.answers.pop(0)
