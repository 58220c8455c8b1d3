"""Pictures of ten pages of the site, in light, in dark and on a phone, to be looked at; and what a program can see in them.

    gamedsl site -o SITE --docs docs && python benchmarks/site_pictures.py SITE FOLDER [PAGE ...]

Reported, with exit code 1: a page that is wider than its screen, an element that its box cuts off, and what axe-core calls
serious or critical, such as letters with too little contrast.

Needs a system Chromium and the extra `dev`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    "index.html",
    "guide/first-game.html",
    "tutorial/1-rules.html",
    "guide/index.html",
    "cookbook/ko.html",
    "guide/look.html",
    "reference/commands.html",
    "reference/errors/E02.html",
    "explanation/machine-code.html",
    "games/index.html",
]
LOOKS = {
    "light": ({"width": 1280, "height": 900}, "light"),
    "dark": ({"width": 1280, "height": 900}, "dark"),
    "phone": ({"width": 390, "height": 844}, "light"),
}
# of the theme's scripts: its switch of colors, and code that only a finger can scroll on a screen without a pointer
THEME = {"aria-hidden-focus", "scrollable-region-focusable"}
HIGHEST = 6000  # pixels of a picture
CUT_OFF = """
() => {
  const found = [];
  const { clientWidth, scrollWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push(`wider than the screen: ${scrollWidth} pixels`);
  for (const e of document.querySelectorAll("article *")) {
    const box = e.getBoundingClientRect();
    if (![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) || !box.width || e.closest("svg")) continue;
    for (let inner = e; inner.tagName !== "ARTICLE"; inner = inner.parentElement) {
      const outer = inner.parentElement, how = getComputedStyle(outer).overflowX;
      if (how === "auto" || how === "scroll") break;
      if ((how === "hidden" || how === "clip") && box.right > outer.getBoundingClientRect().right + 1)
        found.push(`cut off: ${e.textContent.trim().slice(0, 60)}`);
    }
  }
  return found;
}
"""


def picture(chrome: Any, place: Path, look: str, target: Path) -> list[str]:
    """Writes a picture of a page, and returns what is wrong with it."""
    from axe_playwright_python.sync_playwright import Axe

    size, scheme = LOOKS[look]
    context = chrome.new_context(
        offline=True, viewport=size, color_scheme=scheme, is_mobile=look == "phone", has_touch=look == "phone"
    )
    page = context.new_page()
    page.goto(place.as_uri())
    page.wait_for_load_state("load")
    for frame in page.frames[1:]:
        frame.wait_for_load_state("load")
    found: list[str] = page.evaluate(CUT_OFF)
    faults = Axe().run(page).response["violations"]
    found += [
        f"{f['id']}: {f['nodes'][0]['html'][:150]}"
        for f in faults
        if f["impact"] in ("serious", "critical") and f["id"] not in THEME
    ]
    height = min(HIGHEST, page.evaluate("document.documentElement.scrollHeight"))
    page.set_viewport_size({"width": size["width"], "height": height})  # frames below are drawn, too
    page.wait_for_timeout(500)
    page.screenshot(path=target)
    context.close()
    return found


def main() -> int:
    sys.path.insert(0, str(ROOT))
    from tests.play.web.browser import browser

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("pages", nargs="*", default=PAGES)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    faults = 0
    with browser() as chrome:
        for name in args.pages:
            for look in LOOKS:
                target = args.folder / f"{name.removesuffix('.html').replace('/', '-')}-{look}.png"
                for fault in picture(chrome, (args.site / name).resolve(), look, target):
                    print(f"{name}, {look}: {fault}", flush=True)
                    faults += 1
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
