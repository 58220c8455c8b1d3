"""Forty searches on the site, as a reader types them, and the first page that each finds.

    gamedsl site -o SITE && python benchmarks/site_searches.py SITE [--write]

`--write` writes the page `docs/reference/site-searches.md`. A search fails if the expected page is not among its first three hits,
except for those of `NOT_YET`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "site-searches.md"
FIRST = 3
# what is typed, and a part of the address of a page that must be among the first hits
SEARCHES = {
    "ko": "cookbook/ko",
    "pie rule": "cookbook/pie-rule",
    "castling": "castling",
    "trick": "cookbook/trick-taking",
    "auction": "cookbook/auctions",
    "hidden ranks": "cookbook/hidden-ranks",
    "three players": "cookbook/three-players",
    "last one": "cookbook/last-one-out",
    "score limit": "cookbook/score-limit",
    "E0201": "reference/errors/E02",
    "E0106": "reference/errors/E01",
    "E0463": "reference/errors/E04",
    "W0901": "reference/errors/W09",
    "gamedsl verify": "guide/verify",
    "gamedsl simulate": "guide/simulate",
    "gamedsl serve": "guide/",
    "gamedsl export": "guide/",
    "exploitability": "guide/hidden-information",
    "perft": "guide/positions",
    "tournament": "guide/agents",
    "neighbors": "reference/builtins",
    "connected": "connect",
    "component": "reference/builtins",
    "placings": "guide/shapes",
    "repetition": "guide/repetition",
    "dice": "dice",
    "stack": "guide/stacks",
    "deck": "guide/bags-and-cards",
    "shuffle": "shuffle",
    "capture": "guide/captures",
    "seen by": "reference/language/seen-by",
    "countdown": "countdown",
    "option": "option",
    "claims": "claims",
    "examples": "examples",
    "mutants": "guide/",
    "pettingzoo": "guide/openspiel-and-pettingzoo",
    "gymnasium": "guide/",
    "install": "guide/install",
    "ludii": "guide/coming-from",
}
NOT_YET = {"perft", "neighbors", "component", "placings"}  # the page has them in a table among many others
HEAD = """# Forty searches

Written by `python benchmarks/site_searches.py SITE --write`, which types them into the site; do not edit.
A dash: the expected page is not among the hits.

| typed | expected | first hit | place of the expected page | marked |
|---|---|---|---:|---|
"""


def main(arguments: list[str]) -> int:
    sys.path.insert(0, str(ROOT))
    from tests.play.web.browser import browser

    site = Path(arguments[0]).resolve()
    with browser() as chrome:
        context = chrome.new_context(offline=True)
        rows, failed = table(context.new_page(), site, list(SEARCHES))
    text = HEAD + "".join(rows)
    if "--write" in arguments:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text)
    for question in failed:
        print(f"not among the first {FIRST}: {question}: {SEARCHES[question]}", file=sys.stderr)
    return bool(failed)


def table(page: Any, site: Path, questions: list[str]) -> tuple[list[str], list[str]]:
    """A row for every search, and the searches whose page is not among the first hits."""
    from tests.play.web.site_search import hits

    rows, failed = [], []
    page.goto((site / "index.html").as_uri())
    for question in questions:
        found = hits(page, question)
        links = [hit.link.removeprefix(site.as_uri() + "/").partition("?")[0] for hit in found]
        place = next((n for n, link in enumerate(links, 1) if SEARCHES[question] in link), 0)
        marked = ", ".join(dict.fromkeys(word.lower() for word in found[0].marked))
        rows.append(f"| `{question}` | `{SEARCHES[question]}` | `{links[0]}` | {place or '-'} | {marked} |\n")
        if not 0 < place <= FIRST and question not in NOT_YET:
            failed.append(question)
    return rows, failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
