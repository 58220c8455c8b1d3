"""The files of a folder as a client knows them: a text that the client has not seen is not overwritten."""

from __future__ import annotations

from pathlib import Path

from gamedsl.editor import MOST_CHARACTERS, FolderRefused, SharedFolder
from gamedsl.language.rules import MOST_BYTES, shipped
from gamedsl.language.source import holds, read_file


class KnownFiles:
    """A folder, and the bytes that a client last read from or wrote to each of its files."""

    def __init__(self, folder: SharedFolder) -> None:
        self.folder = folder
        self._known: dict[Path, bytes] = {}

    def read(self, name: str) -> str:
        """The text of a file of the folder, or of a shipped ruleset. Raises ``FolderRefused`` if it is too long to be shown whole;
        ``OSError`` or ``UnicodeDecodeError`` if it cannot be read.
        """
        path = shipped().get(name) or self.folder.file(name)
        data = read_file(path, MOST_BYTES)
        text = data.decode("utf-8").replace("\r\n", "\n")
        if len(text) > MOST_CHARACTERS:
            raise FolderRefused(f"`{name}` has more than {MOST_CHARACTERS} characters")
        self._known[path] = data
        return text

    def write(self, name: str, text: str) -> None:
        """Writes a file at once or not at all. Raises ``FolderRefused`` if the file is there and holds anything else than what the client
        last read from it or wrote to it; ``OSError`` if it cannot be written.
        """
        path = self.folder.file(name)

        def check() -> None:
            known = self._known.get(path)
            if not path.exists() or (known is not None and holds(path, known)):
                return
            what = (
                "has changed since you read it" if known is not None else "is there already, and you have not read it"
            )
            raise FolderRefused(f"`{name}` {what}: nothing is written; `read_file` it, then write it with both changes")

        self.folder.write(name, text, check)
        self._known[path] = text.encode("utf-8")
