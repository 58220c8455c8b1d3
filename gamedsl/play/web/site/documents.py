"""A folder of Markdown -> pages of the site. Links between documents lead to pages, links to rulesets to games."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

RULES = (".gdl",)
SHOWN_TEXT = ("text", "code_inline", "fence")
FOLDERS = ("", "guide", "language", "reference")  # come first in the menu


@dataclass(frozen=True)
class Document:
    """``path``: of its page, from the first page of the site. ``html`` is escaped."""

    path: str
    folder: str
    title: str
    html: str
    text: str


@dataclass(frozen=True)
class Documents:
    """The documents of a folder, and the files that they show, by their paths in the site."""

    pages: tuple[Document, ...]
    files: Mapping[str, Path]


def read_documents(folder: Path, games: frozenset[str]) -> Documents:
    """All Markdown files of a folder, and the README beside it, which becomes the first page.

    ``games``: names of games that have pages. Raises ``OSError`` and ``UnicodeDecodeError``."""
    first = folder.parent / "README.md"
    sources = sorted(folder.rglob("*.md"), key=lambda p: (len(p.relative_to(folder).parts), p))
    site = _Site(folder, {p: _page(folder, p) for p in sources}, games)
    if first.is_file() and "docs/index.html" not in site.pages.values():
        site.pages[first] = "docs/index.html"
        sources.insert(0, first)
    return Documents(tuple(site.document(p) for p in sources), site.files)


def _page(folder: Path, path: Path) -> str:
    inside = path.relative_to(folder)
    name = "index" if inside.stem.lower() in ("readme", "index") else inside.stem
    return str(PurePosixPath("docs", *inside.parts[:-1], f"{name}.html"))


class _Site:
    def __init__(self, folder: Path, pages: dict[Path, str], games: frozenset[str]) -> None:
        self.folder, self.pages, self.games = folder, pages, games
        self.files: dict[str, Path] = {}
        self.markdown = MarkdownIt("commonmark", {"html": True}).enable("table")

    def document(self, path: Path) -> Document:
        tokens = self.markdown.parse(path.read_text(encoding="utf-8"))
        title = _add_anchors(tokens) or path.stem
        for token in _all(tokens):
            self._lead(token, path)
        html = self.markdown.renderer.render(tokens, self.markdown.options, {})
        text = " ".join(t.content for t in _all(tokens) if t.type in SHOWN_TEXT)
        folder = "" if path.parent in (self.folder, self.folder.parent) else path.parent.name
        return Document(self.pages[path], folder, title, html, text)

    def _lead(self, token: Token, path: Path) -> None:
        """Lets the links and images of a token lead to files of the site."""
        if token.type in ("html_block", "html_inline"):
            change = lambda m: f'src="{self._target(m[1], path) or ""}"'  # noqa: E731
            token.content = re.sub(r'src="([^"]*)"', change, token.content)
            return
        name = {"link_open": "href", "image": "src"}.get(token.type)
        if name is not None:
            found = self._target(str(token.attrs[name]), path)
            if found is None:
                del token.attrs[name]  # nothing in the site: the text stays, without a link
            else:
                token.attrs[name] = found

    def _target(self, link: str, path: Path) -> str | None:
        if link.startswith("#") or re.match(r"[a-z]+:", link):
            return link
        place, mark, anchor = link.partition("#")
        target = Path(normpath(path.parent / place))
        here = PurePosixPath(self.pages[path]).parent
        found = self._found(target)
        return None if found is None else f"{relpath(found, here)}{mark}{anchor}"

    def _found(self, target: Path) -> str | None:
        if target in self.pages:
            return self.pages[target]
        if target.suffix in RULES and target.stem in self.games:
            return f"games/{target.stem}.html"
        if target.is_file() and target.is_relative_to(self.folder):
            copied = str(PurePosixPath("docs", *target.relative_to(self.folder).parts))
            self.files[copied] = target
            return copied
        return None


def _all(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _all(token.children or [])


def _add_anchors(tokens: list[Token]) -> str:
    """Gives every heading an id, as GitHub does. Returns the text of the first one."""
    title = ""
    taken: dict[str, int] = {}
    for token, inside in pairwise(tokens):
        if token.type != "heading_open":
            continue
        text = "".join(t.content for t in inside.children or [] if t.type in ("text", "code_inline"))
        title = title or text
        token.attrs["id"] = _anchor(text, taken)
    return title


def _anchor(text: str, taken: dict[str, int]) -> str:
    name = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
    number = taken.get(name, 0)
    taken[name] = number + 1
    return f"{name}-{number}" if number else name


def menu(documents: Documents, here: Document) -> list[tuple[str, list[dict[str, Any]]]]:
    """The pages by folders, with links from one of them."""
    found: dict[str, list[dict[str, Any]]] = {}
    for page in documents.pages:
        link = relpath(page.path, PurePosixPath(here.path).parent)
        found.setdefault(page.folder, []).append({"link": link, "title": page.title, "is_here": page is here})
    return sorted(found.items(), key=lambda entry: FOLDERS.index(entry[0]) if entry[0] in FOLDERS else len(FOLDERS))
