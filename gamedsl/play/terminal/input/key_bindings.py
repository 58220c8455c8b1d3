"""The keys and the mouse that move a cursor on the board while nothing is typed at the prompt."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from prompt_toolkit import Application
from prompt_toolkit.application import get_app
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from gamedsl.play.terminal.input.cursor_places import WAYS, PageCursor, Way

_PRESS = re.compile(r"\x1b\[<0;(\d+);(\d+)M")  # SGR mouse reports: the left button, pressed


def cursor_keys(pointer: PageCursor, paint: Callable[[Application[Any]], None], mouse: bool) -> KeyBindings:
    """The key bindings of a cursor. ``paint`` leaves the prompt so that the page is painted again."""
    keys = KeyBindings()
    empty = Condition(lambda: not get_app().current_buffer.text)
    shown = Condition(lambda: pointer.is_shown)

    def bind(key: str, way: Way, fine: bool) -> None:
        @keys.add(key, filter=empty)
        def _move(event: KeyPressEvent) -> None:
            pointer.move(way, fine)
            paint(event.app)

    for way in WAYS:
        bind(way, way, False)
        bind(f"s-{way}", way, True)

    @keys.add("enter", filter=empty & shown)
    def _touch(event: KeyPressEvent) -> None:
        if not pointer.touch():
            event.app.output.bell()
        paint(event.app)

    if pointer.takes_space:
        keys.add(" ", filter=empty & shown)(_touch)

    @keys.add("backspace", filter=empty & shown)
    @keys.add("escape", filter=empty & shown)
    def _back(event: KeyPressEvent) -> None:
        pointer.back()
        paint(event.app)

    if mouse:

        @keys.add(Keys.Vt100MouseEvent, eager=True)
        def _click(event: KeyPressEvent) -> None:
            found = _PRESS.match(event.data)
            if found is None:
                return
            if not pointer.touch_at(int(found[1]) - 1, int(found[2]) - 1):
                event.app.output.bell()
            paint(event.app)  # even after a touch that chose nothing: the cursor has moved

    return keys
