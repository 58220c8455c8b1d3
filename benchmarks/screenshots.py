"""Screenshots of the page: every shipped ruleset (or those named), on a desktop and on a phone.

    python benchmarks/screenshots.py FOLDER [NAME ...] [--plies N] [--dark]
    python benchmarks/screenshots.py docs/pictures chess hex ... --boards

`--boards`: only the boards, small, as the README and the docs show them.

Needs a system Chromium and the extra `dev`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import gamedsl  # noqa: E402
from tests.play.web.browser import SIZES, browser, open_page  # noqa: E402
from tests.play.web.dev_table import DevTable  # noqa: E402


def table_of(name: str, plies: int, seed: int = 3) -> DevTable:
    """A table some plies into a random play."""
    table, rng = DevTable(gamedsl.load(name), seed=seed), Random(seed)
    for _ in range(plies):
        state = table.state
        if state.is_terminal:
            break
        move = state.propose(rng)
        if state.apply(move).is_terminal:
            break
        table._add(move)
        table._let_chance()
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--plies", type=int, default=12)
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--boards", action="store_true")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    files = [*ROOT.glob("rulesets/*.gdl"), *ROOT.glob("rulesets/classics/*.gdl")]
    with browser() as found:
        for name in args.names or sorted(p.stem for p in files):
            for size in ["phone"] if args.boards else SIZES:
                page = open_page(found, table_of(name, args.plies), size, "dark" if args.dark else "light")
                board = page.locator(".board-svg")
                if args.boards and board.is_visible():
                    board.screenshot(path=args.folder / f"{name}.png")
                elif not args.boards:
                    page.screenshot(path=args.folder / f"{name}-{size}.png", full_page=size == "phone")
                if page.errors:
                    print(f"{name} {size}: {page.errors[:2]}", flush=True)
                page.context.close()


if __name__ == "__main__":
    main()
