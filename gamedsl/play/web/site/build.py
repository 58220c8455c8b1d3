"""Builds a site in a folder: all of it, or nothing."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from markupsafe import Markup

from gamedsl.lab.base import render
from gamedsl.language.source import UsageError
from gamedsl.play.web.listings import Listing, listings_of
from gamedsl.play.web.single_script import STATIC, one_script
from gamedsl.play.web.site.documents import Documents, menu, read_documents
from gamedsl.play.web.site.game_pages import GameFiles, game_files

TEMPLATES = "gamedsl.play.web.site"  # has the templates of the pages
FEW = 12  # games that need no headings
MARKER = ".gamedsl-site"  # a folder with this file was made here, and may be replaced


def build_site(
    target: Path, places: Sequence[str], title: str, docs: Path | None, says: Callable[[str], None] = lambda _: None
) -> int:
    """Writes the site to ``target``, which may be a site made before, or must be empty. ``places``: as for ``listings_of``.
    ``docs``: a folder of Markdown. ``says`` is told the name of every game. Returns the number of files.

    Raises ``UsageError``, ``GameDSLError``, ``NativeError``, ``OSError``; then ``target`` is as before."""
    _refuse_others(target)
    listings = listings_of(places)
    target.parent.mkdir(parents=True, exist_ok=True)
    work = Path(mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        _Builder(work, title, listings, docs).build(says)
        count = sum(p.is_file() for p in work.rglob("*"))
        _replace(work, target)
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise
    return count


def _refuse_others(target: Path) -> None:
    if target.exists() and not target.is_dir():
        raise UsageError(f"`{target}` is not a folder")
    if target.is_dir() and any(target.iterdir()) and not (target / MARKER).is_file():
        help = "give a folder that is empty, that does not exist yet, or in which a site was built before"
        raise UsageError(f"`{target}` holds other files", help=help)


def _replace(work: Path, target: Path) -> None:
    """Puts the new folder where the old one was."""
    work.chmod(0o755)
    old = None
    if target.exists():
        old = Path(mkdtemp(prefix=f".{target.name}-old-", dir=target.parent))
        target.rename(old / "site")
    work.rename(target)
    if old is not None:
        shutil.rmtree(old, ignore_errors=True)


class _Builder:
    def __init__(self, work: Path, title: str, listings: Sequence[Listing], docs: Path | None) -> None:
        self.work, self.title, self.listings = work, title, listings
        names = frozenset(listing.name for listing in listings)
        self.documents = Documents((), {}) if docs is None else read_documents(docs, names)
        self.pages: list[dict[str, str]] = []  # what the search knows

    def build(self, says: Callable[[str], None]) -> None:
        self._write(MARKER, "made by gamedsl site\n")
        self._write(
            "site.css", "".join((STATIC / name).read_text(encoding="utf-8") for name in ("page.css", "site.css"))
        )
        self._write("site.js", f'"use strict";\n{one_script("site")}\n$site.begin();\n')
        for listing in self.listings:
            says(listing.name)
            self._game(game_files(listing))
        self._gallery()
        for path, source in self.documents.files.items():
            self._write(path, source.read_bytes())
        for page in self.documents.pages:
            text = Markup(page.html)
            self._page(page.path, "document.html", page.title, page.text, folders=menu(self.documents, page), text=text)
        self._write("search.js", f"sitePages({json.dumps(self.pages, ensure_ascii=False)});\n")

    def _gallery(self) -> None:
        families: dict[str, list[Listing]] = {}
        for listing in self.listings:
            families.setdefault(listing.family if len(self.listings) > FEW else "", []).append(listing)
        self._page("index.html", "gallery.html", self.title, "", families=list(families.items()))

    def _game(self, files: GameFiles) -> None:
        name = files.listing.name
        self._write(f"pictures/{name}.js", files.picture)
        self._write(f"play/{name}.html", files.play)
        values = dict(files.values)
        self._page(f"games/{name}.html", "game.html", values.pop("heading"), files.text, **values)

    def _page(self, path: str, template: str, heading: str, words: str, **values: Any) -> None:
        base = "../" * path.count("/")
        has_docs = bool(self.documents.pages)
        page = render(template, TEMPLATES, base=base, title=self.title, heading=heading, has_docs=has_docs, **values)
        self._write(path, page)
        if words:
            self.pages.append({"title": heading, "url": path, "text": words})

    def _write(self, path: str, content: str | bytes) -> None:
        target = self.work / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
