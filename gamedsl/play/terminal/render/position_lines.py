"""A position as plain lines of text, for commands and failing tests."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from gamedsl.engine import State
from gamedsl.engine.picture import view
from gamedsl.play.terminal.render.canvas import plain
from gamedsl.play.terminal.render.page import render_page
from gamedsl.play.terminal.render.viewport import Viewport


def position_lines(state: State, viewer: int | None = None) -> Iterator[str]:
    """The board as a seat sees it (None: including everything hidden), and the result if the game is over, without
    characters that standard output cannot write."""
    ascii_only = not (sys.stdout.encoding or "").lower().startswith("utf")
    seen = view(state, viewer=viewer, is_open=viewer is None)
    for line in render_page(seen, Viewport(rows=20, ascii=ascii_only, ends=False)):
        yield plain(line).rstrip()
    if state.is_terminal:
        yield state.outcome_text
