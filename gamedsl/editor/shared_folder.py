"""The folder whose files a client of a server may read and write, and nothing outside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gamedsl.language.rules import MOST_BYTES, shipped
from gamedsl.language.source import resolved, write_file

ENDINGS = (".gdl", ".examples.yaml")
MOST_CHARACTERS = 200_000  # of a text that is given or written
MOST_LISTED = 500
_SPECIAL = frozenset('\\:*?"<>|')  # in paths of some system, or in its commands


class FolderRefused(ValueError):
    """Something that a server does not do with a folder. The message says what it does instead."""


class SharedFolder:
    """A folder; its files have names relative to it. ``root`` None: there is none, and only shipped rulesets are known."""

    def __init__(self, root: Path | None) -> None:
        self.root = None if root is None else root.resolve()

    def files(self) -> list[str]:
        """The names of rulesets and examples in the folder."""
        if self.root is None:
            return []
        found = (str(p.relative_to(self.root)) for p in sorted(self.root.rglob("*")) if p.is_file())
        usable = (name for name in found if _is_name(name) and not self._leads_away(self.root / name))
        return [name for name, _ in zip(usable, range(MOST_LISTED), strict=False)]

    def ruleset(self, name: str) -> Path:
        """The file of a ruleset: one of the folder, or a shipped one by its name."""
        if name in shipped():
            return shipped()[name]
        path = self.file(name)
        if not name.endswith(".gdl"):
            raise FolderRefused(f"`{name[:80]}` is not a ruleset: rulesets end in .gdl")
        if not path.is_file() or path.stat().st_size > MOST_BYTES:
            raise FolderRefused(f"`{name[:80]}` does not exist here; `list_rulesets` shows what does")
        return path

    def file(self, name: str) -> Path:
        """The path of a file of the folder, which need not exist. Refuses everything that is not inside."""
        if self.root is None:
            raise FolderRefused(
                "this server was given no folder: name a shipped ruleset, or give the text of the rules"
            )
        if not _is_name(name):
            raise FolderRefused(
                f"`{name[:80]}` cannot be used here: names are those of files in the folder, end in .gdl or .examples.yaml, and no "
                'part begins with a point, a space or a hyphen, or has an invisible character or one of \\ : * ? " < > |'
            )
        path = self.root / name
        if self._leads_away(path):
            raise FolderRefused(f"`{name[:80]}` leads out of the folder, or is a symbolic link")
        return path

    def write(self, name: str, text: str, check: Callable[[], object] = lambda: None) -> None:
        """Writes a file at once or not at all. ``check`` is called last before that; what it raises prevents it."""
        if len(text) > MOST_CHARACTERS:
            raise FolderRefused(f"the text has more than {MOST_CHARACTERS} characters")
        path = self.file(name)
        if not path.parent.is_dir():
            raise FolderRefused("the folder of this file does not exist")
        write_file(path, text, check=check)

    def _leads_away(self, path: Path) -> bool:
        """Whether any part of a path below the folder is a link, or the path ends elsewhere."""
        assert self.root is not None
        real = resolved(path)
        return real is None or real != path


def _is_name(name: str) -> bool:
    """Whether a file in the folder may have a name, of which the parts are divided by slashes."""
    parts = name.split("/")
    return name.endswith(ENDINGS) and all(
        part and part[0] not in " .-" and part.isprintable() and _SPECIAL.isdisjoint(part) for part in parts
    )
