"""Lines on the terminal: escape codes by prompt_toolkit, with as many colors as the terminal has."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Sequence
from typing import TextIO

from prompt_toolkit.data_structures import Size
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import DEFAULT_ATTRS, Attrs
from prompt_toolkit.utils import get_term_environment_variable, is_dumb_terminal

from gamedsl.play.terminal.render.canvas import PLAIN, Ink, Line

# The colors of the language; others are called like those of the terminal.
_COLOURS = {
    "grey": "808080", "orange": "ff8700", "brown": "875f00", "purple": "af00ff", "black": "ansibrightblack", "white": "ansigray",
}  # fmt: skip
_GROUNDS = _COLOURS | {"grey": "5f5f5f", "orange": "d75f00", "black": "ansiblack", "white": "b2b2b2"}


class ScreenOutput:
    """A file that leads to a terminal, by default standard output."""

    def __init__(self, file: TextIO | None = None, columns: int | None = None, rows: int | None = None) -> None:
        """``columns``, ``rows``: of the terminal, if it is not asked for them."""
        self.file = file or sys.stdout
        self._columns, self._rows = columns, rows
        self._has_inks = not is_dumb_terminal()
        writer = self._writer(io.StringIO())
        self.depth = ColorDepth.from_env() or writer.get_default_color_depth()
        self.colour = self._has_inks and self.depth is not ColorDepth.DEPTH_1_BIT
        self.encoding = getattr(self.file, "encoding", None) or "utf-8"

    @property
    def columns(self) -> int:
        return self._columns or shutil.get_terminal_size().columns

    @property
    def rows(self) -> int:
        return self._rows or shutil.get_terminal_size().lines

    def write(self, codes: str) -> None:
        """Writes text with its escape codes at once."""
        self.file.write(codes)
        self.file.flush()

    def codes(self, lines: Sequence[Line], end: str = "\n") -> str:
        """The text and escape codes of lines, each with ``end`` after it."""
        text = io.StringIO()
        writer = self._writer(text)
        for of in lines:
            for run in of:
                has_ink = self._has_inks and run.ink != PLAIN
                if has_ink:
                    writer.set_attributes(self._attributes(run.ink), self.depth)
                writer.write(run.text)
                if has_ink:
                    writer.reset_attributes()
            writer.write_raw(end)
        writer.flush()
        return text.getvalue()

    def _attributes(self, ink: Ink) -> Attrs:
        colour = _named(ink.colour, _COLOURS) if self.colour else ""
        ground = _named(ink.ground, _GROUNDS) if self.colour else ""
        return DEFAULT_ATTRS._replace(color=colour, bgcolor=ground, bold=ink.bold, dim=ink.dim, reverse=ink.reverse)

    def _writer(self, file: TextIO) -> Vt100_Output:
        return Vt100_Output(file, lambda: Size(self.rows, self.columns), get_term_environment_variable())


def _named(colour: str | None, names: dict[str, str]) -> str:
    """A color as prompt_toolkit calls it; none is empty."""
    return names.get(colour, f"ansi{colour}") if colour else ""
