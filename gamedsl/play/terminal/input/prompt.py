"""The prompt of the screen. After a change of size, Ctrl-L, or a stop by Ctrl-Z, it repaints the page."""

from __future__ import annotations

import os
import signal
from asyncio import ensure_future
from collections.abc import Callable
from typing import Any

from prompt_toolkit import Application, PromptSession
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent, merge_key_bindings

from gamedsl.play.terminal.input.cursor_places import PageCursor
from gamedsl.play.terminal.input.key_bindings import cursor_keys


class _Repaint(Exception):
    """The prompt was left to paint the page; ``typed`` is the text it contained."""

    def __init__(self, typed: Document) -> None:
        self.typed = typed


def read_line(
    session: PromptSession[str],
    prompt: str,
    repaint: Callable[[], None],
    pointer: PageCursor | None = None,
    mouse: bool = False,
) -> str:
    """Returns a line typed at the prompt, or the move chosen on the board with the arrow keys (while nothing is typed)
    and Enter, or with the ``mouse``. Typed text is kept while the page is painted again."""
    typed = Document()
    keys = _keys() if pointer is None else merge_key_bindings([_keys(), cursor_keys(pointer, _leave, mouse)])
    watched = _Size(session.app)
    session.app.before_render += watched
    try:
        while True:
            watched.begin()
            try:
                text = FormattedText([("bold", prompt)])
                return session.prompt(
                    text, default=typed, key_bindings=keys, mouse_support=mouse and pointer is not None
                )
            except _Repaint as asked:
                typed = asked.typed
                repaint()
                if pointer is not None and pointer.answer is not None:
                    return pointer.answer
    finally:
        session.app.before_render -= watched


class _Size:
    """Leaves the prompt when the size of the terminal changes."""

    def __init__(self, app: Application[str]) -> None:
        self.app = app
        self.size = app.output.get_size()

    def begin(self) -> None:
        self.size = self.app.output.get_size()

    def __call__(self, app: Application[str]) -> None:
        if app.output.get_size() != self.size:
            _leave(app)


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("c-l")
    def _paint(event: KeyPressEvent) -> None:
        _leave(event.app)

    if hasattr(signal, "SIGTSTP"):

        @keys.add("c-z")
        def _suspend(event: KeyPressEvent) -> None:
            stopped = ensure_future(run_in_terminal(lambda: os.kill(0, signal.SIGTSTP)))
            stopped.add_done_callback(lambda _: _leave(event.app))

    return keys


def _leave(app: Application[Any]) -> None:
    if app.is_running and not app.is_done:
        app.exit(exception=_Repaint(app.current_buffer.document))
