"""Forty searches on the site, as a reader types them, and the first page that each finds.

    gamedsl site -o SITE && python benchmarks/site_searches.py SITE [--write]

`--write` writes the page `docs/reference/site-searches.md`. A search fails if the expected page is not among its first three hits.
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
    # rules that many games share
    "ko": "cookbook/ko",
    "pie rule": "cookbook/pie-rule",
    "castling": "cookbook/castling",
    "trick": "cookbook/trick-taking",
    "auction": "cookbook/auctions",
    "hidden ranks": "cookbook/hidden-ranks",
    "simultaneous moves": "cookbook/simultaneous-moves",
    "three players": "cookbook/three-players",
    "last one": "cookbook/last-one-out",
    "score limit": "cookbook/score-limit",
    # codes and commands
    "E0201": "reference/errors/E02",
    "W0901": "reference/errors/W09",
    "gamedsl verify": "reference/commands",
    "gamedsl export": "reference/commands",
    # words of the language
    "neighbors": "reference/builtins",
    "component": "reference/builtins",
    "connected": "reference/builtins",
    "seen by": "reference/language/seen-by",
    "shuffle": "reference/language/shuffle",
    "placings": "guide/shapes",
    # themes
    "dice": "guide/dice",
    "deck": "guide/bags-and-cards",
    "stack": "guide/stacks",
    "capture": "guide/captures",
    "repetition": "guide/repetition",
    "countdown": "guide/countdowns",
    "option": "guide/variants",
    "notation": "guide/notations",
    # work on a game
    "claims": "guide/claims",
    "examples": "guide/examples",
    "mutants": "guide/mutants",
    "perft": "guide/perft",
    "tournament": "guide/tournaments",
    "simulate": "guide/simulate",
    "exploitability": "guide/equilibria",
    "systemd": "guide/deploy",
    "pettingzoo": "guide/openspiel-and-pettingzoo",
    "gymnasium": "guide/reinforcement-learning",
    "install": "guide/install",
    "ludii": "guide/coming-from",
}
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
        marked = ", ".join(dict.fromkeys(" ".join(word.lower().split()) for word in found[0].marked))
        rows.append(f"| `{question}` | `{SEARCHES[question]}` | `{links[0]}` | {place or '-'} | {marked} |\n")
        if not 0 < place <= FIRST:
            failed.append(question)
    return rows, failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
