"""The page of an error code: what it means, with a broken and a corrected example."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from gamedsl.language.source.diagnostic import UsageError

PAGES = Path(__file__).parent / "pages"
_BLOCK = re.compile(r"^## (?P<title>\w+)[^\n]*\n+```(?P<language>\w*)\n(?P<text>.*?)^```$", re.M | re.S)


@cache
def codes() -> tuple[str, ...]:
    """Returns all codes that have a page, in order."""
    return tuple(sorted(path.stem for path in PAGES.glob("[EW][0-9][0-9][0-9][0-9].md")))


def explain(code: str) -> str:
    """Returns the page of a code (Markdown). Raises ``UsageError`` if there is none."""
    wanted = code.strip().upper()
    if re.fullmatch(r"[0-9]{4}", wanted):
        wanted = "E" + wanted
    if wanted not in codes():
        near = tuple(get_close_matches(wanted, codes(), n=3, cutoff=0.7))
        raise UsageError(f"there is no code {code[:40]!r}", code="E0007", near=near)
    return (PAGES / f"{wanted}.md").read_text(encoding="utf-8")


def title(code: str) -> str:
    """Returns the first line of a code's page, without the code."""
    return explain(code).splitlines()[0].removeprefix("# ").removeprefix(code).strip()


def example(page: str, heading: str) -> tuple[str, str] | None:
    """Returns the language and text of the example under a heading of a page (``Broken`` or ``Fixed``)."""
    for found in _BLOCK.finditer(page):
        if found["title"] == heading:
            return found["language"], found["text"]
    return None
