"""The page of an error code: its message, what it means, and a broken and a corrected example."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher, get_close_matches
from functools import cache
from pathlib import Path

from gamedsl.language.source.diagnostic import UsageError

PAGES = Path(__file__).parent / "pages"
CHANGED = "changed"  # the mark of a line of the corrected example that the broken one does not have
_HASH_COMMENTS = frozenset({"gdl", "py", "sh", "yaml", "examples"})
_BLOCK = re.compile(r"^## (?P<title>\w+)[^\n]*\n+```(?P<language>\w*)\n(?P<text>.*?)^```$", re.M | re.S)


@cache
def codes() -> tuple[str, ...]:
    """Returns all codes that have a page, in order."""
    return tuple(sorted(path.stem for path in PAGES.glob("[EW][0-9][0-9][0-9][0-9].md")))


def explain(code: str) -> str:
    """Returns the page of a code (Markdown). Raises ``UsageError`` if there is none."""
    wanted = code.strip().upper()
    if short := re.fullmatch(r"([EW]?)([0-9]{1,4})", wanted):
        wanted = f"{short[1] or 'E'}{short[2]:0>4}"
    if wanted not in codes():
        near = tuple(get_close_matches(wanted, codes(), n=3, cutoff=0.7))
        raise UsageError(f"there is no code {code[:40]!r}", code="E0007", near=near)
    return (PAGES / f"{wanted}.md").read_text(encoding="utf-8")


def title(code: str) -> str:
    """Returns the first line of a code's page, without the code."""
    return explain(code).splitlines()[0].removeprefix("# ").removeprefix(code).strip()


def marked(page: str) -> str:
    """Returns the page with a mark at every line of the corrected example that was changed or added."""
    broken, fixed = example(page, "Broken"), example(page, "Fixed")
    if broken is None or fixed is None:
        return page
    language, text = fixed
    mark = f"  # {CHANGED}" if language in _HASH_COMMENTS else f"  <- {CHANGED}"
    lines, changed = text.splitlines(), set(_changed_lines(broken[1], text))
    wide = max((len(lines[n]) for n in changed), default=0)
    new = "".join((f"{line:{wide}}{mark}" if n in changed else line) + "\n" for n, line in enumerate(lines))
    head, heading, rest = page.partition("## Fixed")
    return head + heading + rest.replace(text, new, 1)


def _changed_lines(broken: str, fixed: str) -> Iterator[int]:
    """Yields the numbers, from 0, of the lines of ``fixed`` that ``broken`` lacks; blank lines and indentation are
    ignored.
    """
    old = [line.strip() for line in broken.splitlines() if line.strip()]
    new = [(n, line.strip()) for n, line in enumerate(fixed.splitlines()) if line.strip()]
    for kind, _, _, start, end in SequenceMatcher(None, old, [line for _, line in new], autojunk=False).get_opcodes():
        if kind in ("replace", "insert"):
            yield from (n for n, _ in new[start:end])


def example(page: str, heading: str) -> tuple[str, str] | None:
    """Returns the language and text of the example under a heading of a page (``Broken`` or ``Fixed``); None if
    it has none.
    """
    for found in _BLOCK.finditer(page):
        if found["title"] == heading:
            return found["language"], found["text"]
    return None
