"""Screenshots of the page: every shipped ruleset (or those named), in three sizes and two color schemes, and contact sheets of them.

    python benchmarks/screenshots.py FOLDER [NAME ...] [--plies N] [--size SIZE] [--scheme SCHEME]
    python benchmarks/screenshots.py docs/pictures chess hex ... --boards

Each picture is FOLDER/NAME-SIZE-SCHEME.png; the sheets are FOLDER/sheet-SIZE-SCHEME-NUMBER.png, with up to 24 games each.
`--boards`: only the boards, small, as the README and the docs show them.

Needs a system Chromium and the extra `dev`.
"""

from __future__ import annotations

import argparse
import sys
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import gamedsl  # noqa: E402
from tests.play.web.browser import SIZES, browser, open_page  # noqa: E402
from tests.play.web.dev_table import DevTable  # noqa: E402

SCHEMES = ("light", "dark")
TABLET = {"tablet": {"width": 820, "height": 1100}}
ON_A_SHEET, ACROSS = 24, {"desktop": 4, "tablet": 6, "phone": 8}
SHEET_WIDTH = 1600


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


def take(found: Any, table: DevTable, size: str, scheme: str, file: Path) -> None:
    """A picture of the page; what fails in the page is printed."""
    page = open_page(found, table, size, scheme)
    page.screenshot(path=file)
    if page.faults:
        print(f"{file.stem}: {page.faults[:2]}", flush=True)
    page.context.close()


def make_sheet(found: Any, files: Sequence[Path], across: int, sheet: Path) -> None:
    """One picture of many, each with its name."""
    page = found.new_context(viewport={"width": SHEET_WIDTH, "height": 800}).new_page()
    wide = SHEET_WIDTH // across - 8
    figures = "".join(
        f'<figure style="margin:3px;display:inline-block;vertical-align:top;width:{wide}px;font:12px sans-serif">'
        f'<img style="width:100%" src="data:image/png;base64,{b64encode(file.read_bytes()).decode()}">{file.stem}</figure>'
        for file in files
    )
    page.set_content(f'<body style="margin:0;background:#999">{figures}')
    page.screenshot(path=sheet, full_page=True)
    page.context.close()


def take_boards(found: Any, names: Sequence[str], plies: int, folder: Path) -> None:
    """The boards alone, as a phone shows them."""
    for name in names:
        page = open_page(found, table_of(name, plies), "phone")
        board = page.locator(".board-svg")
        if board.is_visible():
            board.screenshot(path=folder / f"{name}.png")
        page.context.close()


def main() -> None:
    SIZES.update(TABLET)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--plies", type=int, default=16)
    parser.add_argument("--size", choices=SIZES, action="append")
    parser.add_argument("--scheme", choices=SCHEMES, action="append")
    parser.add_argument("--boards", action="store_true")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    rulesets = [*ROOT.glob("rulesets/*.gdl"), *ROOT.glob("rulesets/classics/*.gdl")]
    names = args.names or sorted(p.stem for p in rulesets)
    with browser() as found:
        if args.boards:
            take_boards(found, names, args.plies, args.folder)
            return
        sizes, schemes = args.size or list(SIZES), args.scheme or SCHEMES
        for name in names:
            table = table_of(name, args.plies)
            for size in sizes:
                for scheme in schemes:
                    take(found, table, size, scheme, args.folder / f"{name}-{size}-{scheme}.png")
        for size in sizes:
            for scheme in schemes:
                for first in range(0, len(names), ON_A_SHEET):
                    files = [args.folder / f"{n}-{size}-{scheme}.png" for n in names[first : first + ON_A_SHEET]]
                    sheet = args.folder / f"sheet-{size}-{scheme}-{first // ON_A_SHEET + 1}.png"
                    make_sheet(found, files, ACROSS[size], sheet)


if __name__ == "__main__":
    main()
