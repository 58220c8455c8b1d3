"""The folders of uploads: their owners, their last visits, and the ones that are no longer needed."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree

from gamedsl.play.web.server.limits import DAY, MOST_UPLOADS, MOST_UPLOADS_EACH, UNPLAYED_DAYS, UNUSED_DAYS
from gamedsl.play.web.server.logs import LOG
from gamedsl.play.web.server.refusals import Refused
from gamedsl.play.web.server.store import SqliteStore
from gamedsl.play.web.server.uploads.upload_names import is_upload, new_upload

_OWNER = "owner"  # the file with the MAC of the uploader; its time is that of the last visit


class UploadFolders:
    """A folder for each upload: ``rules`` with the ruleset, ``tables`` with the log, ``owner``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def names(self) -> list[str]:
        return sorted(path.name for path in self.folder.glob("upload-*") if is_upload(path.name))

    def put(self, text: str, owner: str) -> str:
        """Stores a ruleset and returns its name. Raises ``Refused`` if there is no room."""
        names = self.names()
        if len(names) >= MOST_UPLOADS:
            raise Refused("full", "this server cannot keep more rulesets")
        if sum(self.owner(name) == owner for name in names) >= MOST_UPLOADS_EACH:
            raise Refused("full", "you have uploaded too many rulesets; unused ones are deleted after a while")
        name = new_upload()
        try:
            (self.folder / name / "rules").mkdir(parents=True, mode=0o700)
            (self.folder / name / _OWNER).write_text(owner)
            (self.folder / name / "rules" / f"{name}.gdl").write_text(text, encoding="utf-8")
        except OSError as error:
            self.drop(name)
            raise Refused("storage", "the server cannot keep the ruleset now") from error
        return name

    def owner(self, name: str) -> str:
        try:
            return (self.folder / name / _OWNER).read_text(errors="replace")
        except OSError:
            return ""  # uploaded before owners were noted

    def visit(self, name: str) -> None:
        try:
            (self.folder / name / _OWNER).touch()
        except OSError as error:
            LOG.warning("the visit of %s could not be saved: %s", name, error)

    def drop(self, name: str) -> None:
        rmtree(self.folder / name, ignore_errors=True)

    def unneeded(self) -> Iterator[str]:
        """The uploads that nobody has visited for long, or that have no table some days after the upload."""
        for name in self.names():
            path = self.folder / name
            try:
                visited = (path / _OWNER if (path / _OWNER).exists() else path).stat().st_mtime
                days = (time.time() - visited) / DAY
                if days > UNUSED_DAYS or (days > UNPLAYED_DAYS and not self._has_tables(name)):
                    yield name
            except (OSError, sqlite3.Error) as error:
                LOG.warning("%s cannot be read: %s", name, error)

    def goes_on_alone(self, name: str) -> bool:
        """Whether an upload has a table with a clock or an agent whose game is not over. Raises ``OSError``,
        ``sqlite3.Error``."""
        log = self._log(name)
        if not log.exists():
            return False
        store = SqliteStore(log)
        try:
            return any(setup is not None and setup.goes_on_alone for _, setup in store.open_tables())
        finally:
            store.close()

    def _has_tables(self, name: str) -> bool:
        if not self._log(name).exists():
            return False
        store = SqliteStore(self._log(name))
        try:
            return store.has_tables()
        finally:
            store.close()

    def _log(self, name: str) -> Path:
        return self.folder / name / "tables" / "tables.sqlite"
