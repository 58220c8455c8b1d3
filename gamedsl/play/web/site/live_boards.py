"""Rulesets in documents -> boards below them, each a page of its own shown in a frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from html import escape
from pathlib import Path
from posixpath import relpath
from tempfile import TemporaryDirectory

from gamedsl.compiler import NativeError
from gamedsl.engine import InterpretedGame
from gamedsl.language.rules import load_program
from gamedsl.language.source import GameDSLError, lazy_dataclass
from gamedsl.play.web.offline.playable_page import playable_page

_FRAME = """
<details class="live-board" data-search-exclude{opened}><summary>Play <em>{title}</em></summary>
<p><iframe loading="lazy" src="{link}" title="{title}"></iframe></p>
<p><a href="{link}" target="_blank">On a page of its own</a></p>
</details>
"""


@lazy_dataclass()
class Boards:
    """The boards of all documents. ``files``: their pages by path. Without ``wanted`` there are none."""

    wanted: bool = True
    files: dict[str, str] = field(default_factory=dict)
    _page: str = ""
    _number: int = 0
    _folder: TemporaryDirectory[str] | None = None

    def below(self, page: str, words: str, lines: Sequence[str]) -> str:
        """The HTML below a code block: a frame for a ruleset that is to be kept as a file, else nothing.

        A ruleset may use the rulesets above it on its page by their file names. An incomplete ruleset, or one that
        does not compile, gets no frame."""
        language, *others = words.split() or [""]
        file = next((Path(word[5:]).name for word in others if word.startswith("file=")), "")
        if not self.wanted or language != "gdl" or not file:
            return ""
        game = self._game(page, file, "\n".join([*lines, ""]))
        if game is None:
            return ""
        try:
            text = playable_page(game)
        except NativeError:
            return ""
        path = f"play/{page.removesuffix('.md')}-{self._number}.html"
        opened = "" if any(name.startswith(f"play/{page.removesuffix('.md')}-") for name in self.files) else " open"
        self.files[path] = text
        return _FRAME.format(title=escape(game.title), link=relpath(path, str(Path(page).parent)), opened=opened)

    def _game(self, page: str, file: str, text: str) -> InterpretedGame | None:
        if page != self._page or self._folder is None:
            self._page, self._number, self._folder = page, 0, TemporaryDirectory(prefix="gamedsl-")
        self._number += 1
        path = Path(self._folder.name) / file
        path.write_text(text, encoding="utf-8")
        try:
            return InterpretedGame(load_program(path))
        except GameDSLError:
            return None
