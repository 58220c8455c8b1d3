"""A page in the system's Chromium, without a network: files of ``gamedsl/play/web/static`` under an address of their own."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import gamedsl
from tests.patience import PATIENCE

from .dev_table import DevTable

STATIC = Path(gamedsl.__file__).parent / "play" / "web" / "static"
HERE = Path(__file__).parent
ADDRESS = "http://table.test/"
SIZES = {"desktop": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'"  # the page needs no more
START = """
import { mount } from "./page.js";
import { openDevTable } from "./dev_table.js";
const table = await openDevTable();
globalThis.shown = mount(document.getElementById("page"), table);
document.title = table.game.title;
"""


def chromium() -> str | None:
    """The browser of the system; None if there is none."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def needs_browser() -> None:
    """Skips a module of tests on a machine without a browser; fails it where GAMEDSL_NEEDS_BROWSER is set."""
    missing = "" if chromium() else "there is no Chromium on this machine"
    if find_spec("playwright") is None:
        missing = "Playwright is not installed (extra `dev`)"
    if missing and os.environ.get("GAMEDSL_NEEDS_BROWSER"):
        pytest.fail(missing, pytrace=False)
    if missing:
        pytest.skip(missing, allow_module_level=True)


@contextmanager
def browser() -> Iterator[Any]:
    from playwright.sync_api import expect, sync_playwright  # only those who test pages need it

    expect.set_options(timeout=1000 * PATIENCE)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield found
        found.close()


def open_page(found: Any, table: DevTable, size: str = "desktop", scheme: str = "light") -> Any:
    """A page that shows the table; errors in the page raise in ``check``."""
    phone = size == "phone"
    context = found.new_context(
        viewport=SIZES[size], has_touch=phone, is_mobile=phone, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("console", lambda message: page.errors.append(message.text) if message.type == "error" else None)
    page.expose_function("devTable", lambda method, args: json.dumps(_called(table, method, json.loads(args))))
    serve(page)
    page.goto(ADDRESS)
    page.wait_for_selector(".gamedsl main")
    return page


def serve(page: Any) -> None:
    """Answers the page's requests from the files here; everything else is refused."""
    page.route("**/*", _answer)


def _called(table: DevTable, method: str, args: list[Any]) -> Any:
    return table.update() if method == "update" else table.call(method, *args)


def _answer(route: Any) -> None:
    name = route.request.url.removeprefix(ADDRESS) or "index.html"
    if name == "blank.html":
        route.fulfill(body="<!doctype html>", content_type="text/html")
        return
    if name == "start.js":
        route.fulfill(body=START, content_type="text/javascript")
        return
    path = next((p for p in (STATIC / name, HERE / name) if p.is_file()), None)
    if path is None or not route.request.url.startswith(ADDRESS):
        route.fulfill(status=404, body="")
        return
    text = path.read_text(encoding="utf-8")
    if name == "index.html":
        text = text.replace("</html>", '<script type="module" src="start.js"></script>\n</html>')
    route.fulfill(body=text, content_type=TYPES[path.suffix], headers={"Content-Security-Policy": POLICY})


def wait_until(page: Any, condition: str) -> None:
    """Playwright's own function needs `eval`, which the page forbids."""
    for _ in range(int(PATIENCE / 0.025)):
        if page.evaluate(f"Boolean({condition})"):
            return
        page.wait_for_timeout(25)
    raise AssertionError(condition)
