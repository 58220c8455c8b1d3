"""The files of a folder as a client knows them: nothing is written over what the client has not seen."""

from __future__ import annotations

from pathlib import Path

from gamedsl.editor import MOST_CHARACTERS, FolderRefused, SharedFolder
from gamedsl.language.rules import shipped


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
        data = path.read_bytes()
        text = data.decode("utf-8").replace("\r\n", "\n")
        if len(text) > MOST_CHARACTERS:
            raise FolderRefused(f"`{name}` has more than {MOST_CHARACTERS} characters")
        self._known[path] = data
        return text

    def write(self, name: str, text: str) -> None:
        """Writes a file at once or not at all. Raises ``FolderRefused`` if the file is there and holds anything else than what the client
        last read from it or wrote to it.
        """
        path = self.folder.file(name)

        def check() -> None:
            if path.exists() and path.read_bytes() != self._known.get(path):
                what = (
                    "has changed since you read it"
                    if path in self._known
                    else "is there already, and you have not read it"
                )
                raise FolderRefused(
                    f"`{name}` {what}: nothing is written; `read_file` it, then write what both changes make"
                )

        check()
        self.folder.write(name, text, check)
        self._known[path] = text.encode("utf-8")
