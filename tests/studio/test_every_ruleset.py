"""Every shipped ruleset in the studio: the board is drawn, figures arrive, and the page has nothing to complain about."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from typing import Any

import pytest

from gamedsl.language.rules import shipped
from gamedsl.language.source import resource_path
from tests.patience import PATIENCE
from tests.play.web.browser import browser, needs_browser

from .running import Studio

needs_browser()
from playwright.sync_api import expect  # noqa: E402  (only where there is a browser)

NAMES = sorted(shipped())


def wait_for(page: Any, what: str) -> None:
    """Until an expression of the page is true. The page lets nobody evaluate text in it."""
    end = time.monotonic() + PATIENCE
    while not page.evaluate(what):
        assert time.monotonic() < end, what
        page.wait_for_timeout(50)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A page that keeps its complaints in ``page.faults``."""
    folder = tmp_path_factory.mktemp("games")
    for path in shipped().values():
        for one in path.parent.glob(f"{path.stem}.*"):
            shutil.copy(one, folder)
    shutil.copytree(resource_path("rulesets", "clauses"), folder / "clauses")
    studio = Studio(tmp_path_factory.mktemp("data"), str(folder))
    with browser() as chrome:
        found = chrome.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce").new_page()
        found.set_default_timeout(1000 * PATIENCE)
        found.faults = []
        found.on("pageerror", lambda error: found.faults.append(str(error)))
        found.on("console", lambda line: found.faults.append(line.text) if line.type in ("error", "warning") else None)
        found.goto(studio.link)
        expect(found.locator(".cm-content").first).to_be_visible()
        yield found
    studio.stop()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_ruleset_has_board_and_figures(page: Any, name: str) -> None:
    page.faults.clear()
    page.get_by_label("ruleset", exact=True).select_option(f"{name}.gdl")
    expect(page.get_by_role("textbox", name=f"{name}.gdl")).to_be_visible()
    wait_for(page, f"Boolean(studio.table.file === '{name}.gdl' && studio.table.data)")
    expect(page.locator(".health")).to_have_text("No mistakes")
    expect(page.locator(".parted")).to_be_hidden()
    expect(page.frame_locator("iframe").locator("#page > *").first).to_be_visible()
    drawn = page.frame_locator("iframe").locator(".board-svg, .table-scene, .gamedsl")
    expect(drawn.first).to_be_visible()
    wait_for(page, "Boolean(studio.figures.summary || studio.figures.failed)")
    assert page.evaluate("studio.figures.failed ?? null") is None
    tabs = page.locator(".facts-pane .tabs button")
    assert len({round(box["y"]) for box in (tab.bounding_box() for tab in tabs.all())}) == 1, "the tabs are one row"
    assert page.faults == []
