"""Builds a site in a folder: all of it, or nothing."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from posixpath import relpath
from tempfile import mkdtemp

from gamedsl.lab.base import render
from gamedsl.language.source import UsageError
from gamedsl.play.web.listings import Listing, listings_of
from gamedsl.play.web.single_script import STATIC, one_script
from gamedsl.play.web.site.documents import Documents
from gamedsl.play.web.site.game_pages import GameFiles, game_files, plain
from gamedsl.play.web.site.live_boards import Boards
from gamedsl.play.web.site.renderer import render_site

TEMPLATES = "gamedsl.play.web.site"  # the templates of the pages
FEW = 12  # games that need no headings
NAVIGATION = ".nav.yml"
MARKER = ".gamedsl-site"  # a folder with this file was made here, and may be replaced


def build_site(
    target: Path,
    places: Sequence[str],
    title: str,
    docs: Path | None,
    says: Callable[[str], None] = lambda _: None,
    has_boards: bool = True,
) -> int:
    """Writes the site to ``target``, which may be a site made before, or must be empty. ``places``: as for ``listings_of``.
    ``docs``: a folder of Markdown; ``has_boards``: whether its rulesets can be played there. ``says`` is called with
    the name of every game. Returns the number of files written.

    Raises ``UsageError``, ``GameDSLError``, ``NativeError``, ``OSError``; then ``target`` is unchanged."""
    _refuse_others(target)
    listings = listings_of(places)
    target.parent.mkdir(parents=True, exist_ok=True)
    work = Path(mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        sources = _Sources(title, listings, docs, Boards(has_boards)).all(says)
        site = render_site(work, title, sources)
        (site / MARKER).write_text("made by gamedsl site\n", encoding="utf-8")
        count = sum(p.is_file() for p in site.rglob("*"))
        _replace(site, target)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return count


def _refuse_others(target: Path) -> None:
    if target.exists() and not target.is_dir():
        raise UsageError(f"`{target}` is not a folder")
    if target.is_dir() and any(target.iterdir()) and not (target / MARKER).is_file():
        help = "give a folder that is empty, that does not exist yet, or in which a site was built before"
        raise UsageError(f"`{target}` holds other files", help=help)


def _replace(site: Path, target: Path) -> None:
    """Replaces the old folder with the new one."""
    old = None
    if target.exists():
        old = Path(mkdtemp(prefix=f".{target.name}-old-", dir=target.parent))
        target.rename(old / "site")
    site.rename(target)
    if old is not None:
        shutil.rmtree(old, ignore_errors=True)


class _Sources:
    """The input of the renderer, by paths in the site: pages as Markdown, and other files unchanged."""

    def __init__(self, title: str, listings: Sequence[Listing], docs: Path | None, boards: Boards) -> None:
        self.title, self.docs, self.boards = title, docs, boards
        self.families: dict[str, list[Listing]] = {}
        for listing in listings:
            self.families.setdefault(listing.family if len(listings) > FEW else "", []).append(listing)
        self.files: dict[str, str | bytes] = {}

    def all(self, says: Callable[[str], None]) -> dict[str, str | bytes]:
        self.files["site.css"] = "".join((STATIC / f).read_text(encoding="utf-8") for f in ("page.css", "site.css"))
        self.files["site.js"] = f'"use strict";\n{one_script("site")}\n$site.begin();\n'
        names = [listing.name for listings in self.families.values() for listing in listings]
        if self.docs is not None:
            self._documents(self.docs, frozenset(names))
        for listing in (listing for listings in self.families.values() for listing in listings):
            says(listing.name)
            self._game(game_files(listing, says))
        self._gallery("games/" if "index.md" in self.files else "")
        return self.files

    def _documents(self, docs: Path, names: frozenset[str]) -> None:
        documents = Documents(docs, names, self.boards)
        self.files |= documents.sources()
        self.files |= {path: source.read_bytes() for path, source in documents.files.items()}
        self.files |= self.boards.files
        for path in docs.rglob(NAVIGATION):
            self.files[path.relative_to(docs).as_posix()] = path.read_bytes()

    def _gallery(self, folder: str) -> None:
        """Adds the page of all games, in the folder of their pages unless it is the first page of the site."""
        heading = "The games" if folder else plain(self.title)
        base = relpath(".", folder or ".") + "/"
        families = [(plain(family), games) for family, games in self.families.items()]
        self.files[f"{folder}index.md"] = render("gallery.md", TEMPLATES, title=heading, base=base, families=families)
        documents = sorted(p.removeprefix("games/") for p in self.files if _is_own_page(p, self.families))
        lists = {f: [f"{g.name}.md" for g in games] for f, games in self.families.items()}
        entries: list[object] = [*(["index.md"] if folder else []), *documents]
        entries += [{family: games} for family, games in lists.items() if family] or lists.get("", [])
        self.files[f"games/{NAVIGATION}"] = json.dumps({"title": "Games", "nav": entries})

    def _game(self, files: GameFiles) -> None:
        name = files.listing.name
        self.files[f"pictures/{name}.js"] = files.picture
        self.files[f"play/{name}.html"] = files.play
        self.files[f"games/{name}.md"] = render("game.md", TEMPLATES, **files.values)


def _is_own_page(path: str, families: Mapping[str, Sequence[Listing]]) -> bool:
    """Whether a page in the folder of the games' pages is a document."""
    games = {f"games/{listing.name}.md" for listings in families.values() for listing in listings}
    return path.startswith("games/") and path.endswith(".md") and path not in {*games, "games/index.md"}
