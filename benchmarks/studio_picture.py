"""The picture of the studio in the docs: a small game, a move that is refused, and the figures.

    python benchmarks/studio_picture.py [FILE] [--dark] [--width N]

A narrow screen shows one part at a time: FILE is the board, and FILE-text and FILE-facts beside it are the other parts.
Needs a system Chromium and the extra `dev`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from gamedsl.studio import template_files  # noqa: E402
from tests.play.web.browser import browser  # noqa: E402
from tests.play.web.clicking import place  # noqa: E402
from tests.studio.running import Studio  # noqa: E402

MOVES = ("b3", "c2", "c3", "b2", "d3")
REFUSED = "c3"


def take(file: Path, width: int, scheme: str) -> None:
    """Take the picture."""
    with tempfile.TemporaryDirectory() as folder, browser() as chrome:
        games = Path(folder) / "games"
        games.mkdir()
        for name, text in template_files("trio", "tic-tac-toe").items():
            (games / name).write_text(text, encoding="utf-8")
        studio = Studio(Path(folder) / "data", str(games))
        try:
            page = chrome.new_context(
                viewport={"width": width, "height": 820}, color_scheme=scheme, device_scale_factor=1.5
            ).new_page()
            page.set_default_timeout(300_000)
            page.goto(studio.link)
            page.get_by_label("parts of the studio").wait_for(state="attached")
            parts = page.get_by_label("parts of the studio").get_by_role("button")
            is_narrow = parts.first.is_visible()
            if is_narrow:
                parts.filter(has_text="Board").click()
            _play(page)
            page.get_by_text("20,000 random games", exact=True).wait_for(state="attached")
            page.screenshot(path=file)
            for part in ("Text", "Facts") if is_narrow else ():
                parts.filter(has_text=part).click()
                page.screenshot(path=file.with_stem(f"{file.stem}-{part.lower()}"))
        finally:
            studio.stop()


def _play(page: Any) -> None:
    board = page.frame_locator("iframe")
    board.locator(".board-svg").wait_for()
    (frame,) = page.main_frame.child_frames
    for number, name in enumerate(MOVES, 1):
        place(frame, name).click()
        board.locator(".ply").nth(number - 1).wait_for()
    place(frame, REFUSED).click()
    page.locator(".marked-refusing").wait_for(state="attached")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", nargs="?", type=Path, default=ROOT / "docs" / "pictures" / "studio.png")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--width", type=int, default=1600)
    given = parser.parse_args()
    take(given.file, given.width, "dark" if given.dark else "light")


if __name__ == "__main__":
    main()
