"""A folder of Markdown -> the sources of the site's pages. Links to rulesets lead to games; links to anything outside
the site are removed.

Only links, images and the first lines of code blocks are changed, each within its line; the renderer does the rest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from html import escape
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath

from gamedsl.language.source import lazy_dataclass
from gamedsl.play.web.site.live_boards import Boards

RULES = (".gdl",)
_FENCE = re.compile(r"^(?P<indent> *)(?P<fence>`{3,})(?P<words>[^`\n]*)$")
_CODE = re.compile(r"(`+)(?:.+?)\1")  # a span of code
_LINK = re.compile(r"(?P<mark>!?)\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]\((?P<target>[^()\s]+)\)")
_BAR = "\\|"  # how a bar is written in a cell of a table, even in code
_SIGNS = str.maketrans({sign: f"&#{ord(sign)};" for sign in "|*_[]`\\"})  # that mean something outside of code
_SOURCE = re.compile(r'src="([^"]*)"')


@lazy_dataclass()
class Documents:
    """The documents of a folder. ``pages``: the path of each in the site, as Markdown; ``files``: other files that
    they show."""

    folder: Path
    games: frozenset[str]
    boards: Boards
    pages: dict[Path, str] = field(default_factory=dict)
    files: dict[str, Path] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for path in sorted(self.folder.rglob("*.md")):
            self.pages[path] = _page(self.folder, path)
        first = self.folder.parent / "README.md"
        if first.is_file() and "index.md" not in self.pages.values():
            self.pages[first] = "index.md"

    def sources(self) -> Mapping[str, str]:
        """The text of every page by its path. This includes pages beside the folder that a page of the folder links
        to.

        Raises ``OSError`` and ``UnicodeDecodeError``."""
        found: dict[str, str] = {}
        while left := [path for path, page in self.pages.items() if page not in found]:
            for path in left:
                found[self.pages[path]] = self._changed(path)
        return found

    def _changed(self, path: Path) -> str:
        lines: list[str] = []
        block: list[str] = []
        opened: re.Match[str] | None = None
        for line in path.read_text(encoding="utf-8").splitlines():
            fence = _FENCE.match(line)
            if opened is not None:
                if fence is not None and fence["fence"] == opened["fence"] and not fence["words"].strip():
                    after = "" if opened["indent"] else self.boards.below(self.pages[path], opened["words"], block)
                    lines += [*block, line, *after.splitlines()]
                    opened, block = None, []
                else:
                    block.append(line)
            elif fence is not None:
                opened = fence
                lines.append(f"{fence['indent']}{fence['fence']}{_fence_words(fence['words'])}")
            else:
                lines.append(self._linked(line, path))
        return "\n".join([*lines, *block, ""])

    def _linked(self, line: str, path: Path) -> str:
        """A line outside code blocks with its links changed, but not in spans of code that hold a whole link."""
        kept: list[str] = []
        in_table = line.lstrip().startswith("|")

        def keep(found: re.Match[str]) -> str:
            kept.append(_cell_code(found[0]) if in_table and _BAR in found[0] else found[0])
            return f"\0{len(kept) - 1}\0"

        line = _CODE.sub(keep, line)
        line = _LINK.sub(lambda m: self._link(m, path), line)
        line = _SOURCE.sub(lambda m: f'src="{self._target(m[1], path) or ""}"', line)
        return re.sub(r"\0(\d+)\0", lambda m: kept[int(m[1])], line)

    def _link(self, found: re.Match[str], path: Path) -> str:
        target = self._target(found["target"], path)
        text = _LINK.sub(lambda m: self._link(m, path), found["text"])
        return text if target is None else f"{found['mark']}[{text}]({target})"

    def _target(self, link: str, path: Path) -> str | None:
        if link.startswith("#") or re.match(r"[a-z]+:", link):
            return link
        place, mark, anchor = link.partition("#")
        found = self._found(Path(normpath(path.parent / place)))
        here = PurePosixPath(self.pages[path]).parent
        return None if found is None else f"{relpath(found, here)}{mark}{anchor}"

    def _found(self, target: Path) -> str | None:
        if target.is_dir():
            target = next((target / name for name in ("README.md", "index.md") if (target / name).is_file()), target)
        if target.suffix == ".md" and target.parent == self.folder.parent and target.is_file():
            self.pages.setdefault(target, target.name)
        if target in self.pages:
            return self.pages[target]
        if target.suffix in RULES and target.stem in self.games:
            return f"games/{target.stem}.md"
        if target.is_file() and target.is_relative_to(self.folder):
            copied = target.relative_to(self.folder).as_posix()
            self.files[copied] = target
            return copied
        return None


def _page(folder: Path, path: Path) -> str:
    """The first page of a folder is its README, or its index if there is none."""
    inside = path.relative_to(folder)
    name = "index" if inside.stem == "README" else inside.stem
    if inside.stem == "index" and path.with_name("README.md").is_file():
        name = "index-page"
    return str(PurePosixPath(*inside.parts[:-1], f"{name}.md"))


def _cell_code(span: str) -> str:
    """A span of code in a cell, as HTML: the renderer would show the backslash before a bar."""
    return f"<code>{escape(span.strip('`').replace(_BAR, '|')).translate(_SIGNS)}</code>"


def _fence_words(words: str) -> str:
    """The words after the signs of a code block, as the renderer reads them: the language, and the file as its title."""
    language, *others = words.split() or [""]
    titles = [word.partition("=")[2] for word in others if word.startswith(("file=", "from="))]
    if not titles:
        return language
    return f' {{ .{language or "text"} title="{titles[0]}" }}'
