"""The author's files: read, written at once or not at all, with what was typed and not saved, and every save, kept elsewhere.

What is kept lies in the user's data folder, never among the author's files. A file of unsaved text carries a code under this user's
secret, so that a damaged or forged one is noticed.
"""

from __future__ import annotations

import hmac
import json
import os
import re
import time
from codecs import BOM_UTF8
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from gamedsl.editor import EXAMPLES, MOST_CHARACTERS, FolderRefused, SharedFolder
from gamedsl.language.rules import decoded
from gamedsl.language.source import GameDSLError, lazy_dataclass, read_file, reason, write_file
from gamedsl.play.web import Links

MOST_SAVES = 200  # kept of each file
MOST_BYTES = 8 * MOST_CHARACTERS
_SAVE = re.compile(r"[0-9]{15}\.txt")


class FileRefused(Exception):
    """A request about a file that is not carried out, in a sentence."""


class Changed(Exception):
    """A save over a file that was changed by somebody else; ``text``: what it holds now (None: it was deleted)."""

    def __init__(self, text: str | None) -> None:
        super().__init__("the file was changed outside of the studio")
        self.text = text


@lazy_dataclass(frozen=True)
class Kept:
    """Text that was typed and not saved; the stamp of the file into which it was typed, and what that file held."""

    text: str
    stamp: str
    base: str


def stamp_of(text: str | None) -> str:
    """A short name for the contents of a file; empty for one that does not exist."""
    return "" if text is None else sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


class AuthorFiles:
    """The files of one folder. ``data``: where secrets, unsaved texts and saves are kept."""

    def __init__(self, root: Path, data: Path | None = None) -> None:
        self.folder = SharedFolder(root)
        self.root = root.resolve()
        self.data = data or user_data_path("gamedsl") / "studio"
        self.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.links = Links.of_folder(self.data)
        self.own = self.data / sha256(str(self.root).encode()).hexdigest()[:16]
        self.disk = ThreadPoolExecutor(
            1, "disk"
        )  # reads and writes one after the other, in the order in which they are asked for

    @property
    def key(self) -> str:
        """What opens this folder's studio: the same after a restart, so that a page finds it again."""
        return self.links.key(f"studio {self.root}", 0)

    def opens(self, key: str) -> bool:
        return hmac.compare_digest(key.encode("utf-8", "replace"), self.key.encode())

    def names(self) -> list[str]:
        """The rulesets of the folder."""
        return [name for name in self.folder.files() if name.endswith(".gdl")]

    def path(self, name: str) -> Path:
        """Raises ``FileRefused`` for everything that is not a file of the folder."""
        try:
            return self.folder.file(name)
        except FolderRefused as refused:
            raise FileRefused(str(refused)) from None

    def trace(self, name: str) -> tuple[int, int, int] | None:
        """What changes whenever the file does, without reading it; None if there is none."""
        try:
            found = self.path(name).stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def read(self, name: str) -> str | None:
        """The text of a file; None if there is none."""
        path = self.path(name)
        if not os.path.lexists(path):
            return None
        try:
            if not path.is_file():
                raise FileRefused(f"`{name}` is not a file")
            if path.stat().st_size > MOST_BYTES:
                raise FileRefused(f"`{name}` is too large to edit here: it has more than {MOST_BYTES:,} bytes")
            return decoded(read_file(path, MOST_BYTES), path).replace("\r\n", "\n").replace("\r", "\n")
        except GameDSLError as mistake:
            raise FileRefused(mistake.diagnostics[0].message) from None
        except OSError as error:
            raise FileRefused(f"`{name}` cannot be read: {reason(error)}") from None

    def save(self, name: str, text: str, stamp: str, kept: str | None = None) -> str:
        """Write a file, if it is still the one with this stamp, and return the new stamp. Raises ``Changed``, ``FileRefused``.

        ``kept``: the unsaved text of which this is the end. What another page keeps stays.
        """
        self._bound(text, name)
        now = self.read(name)
        if now != text:
            self._replace(name, now, text, stamp)
        self._remember(name, text)
        self.forget(name, text, kept)
        return stamp_of(text)

    def _replace(self, name: str, now: str | None, text: str, stamp: str) -> None:
        """Writes a text over the one that was just read, unless somebody else has written since, or before."""

        def check(found: str | None) -> None:
            if stamp_of(found) != stamp:
                raise Changed(found)

        check(now)
        if now is not None:
            self._remember(name, now)  # somebody else may have written it
        path = self.path(name)
        written = text if now is None else _as_before(text, read_file(path, MOST_BYTES))
        self._write(path, written, name, lambda: check(self.read(name)))

    @staticmethod
    def _bound(text: str, name: str) -> None:
        if len(text) > MOST_CHARACTERS:
            raise FileRefused(
                f"`{name}` has {len(text):,} characters, and a file in the studio has at most {MOST_CHARACTERS:,}. "
                "Shorten it, or move a part of the rules into another file and name that by `use`."
            )

    @staticmethod
    def _write(path: Path, text: str, name: str, check: Callable[[], object] = lambda: None) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, text, check=check)
        except OSError as error:
            raise FileRefused(f"`{name}` cannot be written: {reason(error)}") from None

    # ------------------------------------------------------------------------------------------------- unsaved text

    def _kept(self, name: str) -> Path:
        self.path(name)
        return self.own / f"{sha256(name.encode()).hexdigest()[:16]}.unsaved.json"

    def _code(self, name: str, kept: Kept) -> str:
        return self.links.key(json.dumps([str(self.root), name, kept.stamp, kept.text, kept.base]), 0)

    def keep(self, name: str, text: str, stamp: str, base: str = "") -> None:
        """Keeps text that is not saved yet. ``base``: what the file held when it was begun. Raises ``FileRefused``."""
        self._bound(text, name)
        self._bound(base, name)
        kept = Kept(text, stamp, base)
        self._write(self._kept(name), json.dumps({"file": name, **asdict(kept), "code": self._code(name, kept)}), name)

    def kept(self, name: str) -> Kept | None:
        """The unsaved text of a file. Raises ``FileRefused`` if what is there was damaged, or made by somebody else."""
        path = self._kept(name)
        if not os.path.lexists(path):
            return None
        try:
            data: Any = json.loads(read_file(path, 4 * MOST_BYTES))
            found, code = Kept(*(str(data[field]) for field in ("text", "stamp", "base"))), str(data["code"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            found, code = Kept("", "", ""), ""
        if not hmac.compare_digest(code.encode("utf-8", "replace"), self._code(name, found).encode()):
            self._put_aside(path)
            raise FileRefused(
                f"there is unsaved text of `{name}`, but it was damaged or written by another program, and is not used; "
                f"it was put aside as {path.with_suffix('.damaged')}"
            )
        return found

    @staticmethod
    def _put_aside(path: Path) -> None:
        with suppress(OSError):  # it is refused the next time too
            os.replace(path, path.with_suffix(".damaged"))

    def forget(self, name: str, *texts: str | None) -> None:
        """Forget the unsaved text of a file, if it is one of these; another page may have kept another."""
        with suppress(FileRefused, OSError):
            kept = self.kept(name)
            if kept is not None and kept.text in texts:
                self._kept(name).unlink(missing_ok=True)

    # ------------------------------------------------------------------------------------------------------- saves

    def _saves(self, name: str) -> Path:
        self.path(name)
        return self.own / f"{sha256(name.encode()).hexdigest()[:16]}.saves"

    def _remember(self, name: str, text: str) -> None:
        """Keep a save as far as the data folder takes it: the file itself is what counts."""
        with suppress(OSError, FileRefused):
            past = self.saves(name)
            if past and self.saved(name, past[0]) == text:
                return
            when = max(time.time_ns() // 1_000_000, past[0] + 1 if past else 0)
            self._saves(name).mkdir(parents=True, exist_ok=True, mode=0o700)
            write_file(self._save_file(name, when), text)
            for old in past[MOST_SAVES - 1 :]:
                self._save_file(name, old).unlink(missing_ok=True)

    def _save_file(self, name: str, when: int) -> Path:
        return self._saves(name) / f"{when:015d}.txt"

    def saves(self, name: str) -> list[int]:
        """The times of the saves, in milliseconds since 1970, the newest first."""
        folder = self._saves(name)
        found = [p for p in folder.glob("*.txt") if _SAVE.fullmatch(p.name)] if folder.is_dir() else []
        return sorted((int(p.stem) for p in found if p.is_file()), reverse=True)

    def saved(self, name: str, when: int) -> str:
        """The text of a save. Raises ``FileRefused``."""
        if when not in self.saves(name):
            raise FileRefused("there is no such save")
        try:
            return read_file(self._save_file(name, when), MOST_BYTES).decode("utf-8", "replace")
        except OSError as error:
            raise FileRefused(f"this save cannot be read: {reason(error)}") from None


def _as_before(text: str, old: bytes) -> str:
    """A text with the mark at its beginning and the line ends of the file in whose place it comes."""
    if 2 * old.count(b"\r\n") > old.count(b"\n"):
        text = text.replace("\n", "\r\n")
    return f"\ufeff{text}" if old.startswith(BOM_UTF8) else text


def examples_of(name: str) -> str:
    """The name of the file of examples of a ruleset."""
    return name.removesuffix(".gdl") + EXAMPLES
