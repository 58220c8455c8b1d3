"""A page in the system's Chromium: files of ``gamedsl/play/web/static`` under an address of their own, from this process."""

from __future__ import annotations

import json
import os
import shutil
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import gamedsl
from gamedsl.play.web.single_script import one_script
from tests.patience import PATIENCE

from .dev_table import DevTable

STATIC = Path(gamedsl.__file__).parent / "play" / "web" / "static"
HERE = Path(__file__).parent
HOST = "table.test"
ADDRESS = f"http://{HOST}/"
SIZES = {"desktop": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'"  # the page needs no more
START = """
const table = await openDevTable();
globalThis.shown = $page.mount(document.getElementById("page"), table);
document.title = table.game.title;
"""
BROWSERS = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"


def chromium() -> str | None:
    """The browser of the system; None if there is none. Without a window of its own it takes a third of the time."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


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
        rules = f"--host-resolver-rules=MAP {HOST} 127.0.0.1:{_port()}"
        found = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", rules])
        yield found
        found.close()


# Pages of the browser of this process that nobody uses: a window of its own takes as long to open as a table to show.
_unused: defaultdict[tuple[str, str], list[Any]] = defaultdict(list)


def open_page(found: Any, table: DevTable, size: str = "desktop", scheme: str = "light") -> Any:
    """A page that shows the table, perhaps in a window that another test has given back."""
    if _unused[size, scheme]:
        page = _unused[size, scheme].pop()
        page.set_viewport_size(SIZES[size])
        page.evaluate("localStorage.clear()")
        page.faults, page.asked = [], []
    else:
        page = new_page(new_context(found, size, color_scheme=scheme))
        page.expose_function("devTable", lambda method, args: json.dumps(_called(page.table, method, json.loads(args))))
        page.window = size, scheme
    page.table = table
    page.goto(ADDRESS)
    page.wait_for_selector(".gamedsl main")
    return page


def open_file(found: Any, file: Path, size: str = "desktop", *, ready: str = "globalThis.shown") -> Any:
    """A page without a network that shows a file, in a window of its own: the browser keeps what files keep longer than they ask."""
    page = new_page(new_context(found, size, offline=True, reduced_motion="no-preference"))
    page.goto(file.as_uri())
    wait_until(page, ready)
    return page


def new_context(found: Any, size: str, **more: Any) -> Any:
    """A window of its own, as of another person."""
    phone = size == "phone"
    chosen = {"viewport": SIZES[size], "has_touch": phone, "is_mobile": phone, "reduced_motion": "reduce", **more}
    return found.new_context(**chosen)


def new_page(context: Any) -> Any:
    """An empty page whose `faults` are what goes wrong in it, questions of the browser included, unless it `agrees` to them; its
    `asked`, the addresses that it reads."""
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.faults, page.asked, page.window, page.agrees = [], [], None, False
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.on("console", lambda message: page.faults.append(message.text) if message.type == "error" else None)
    page.on("dialog", lambda dialog: _answer(page, dialog))
    page.on("request", lambda request: page.asked.append(request.url))
    return page


def _answer(page: Any, dialog: Any) -> None:
    """Answers a question of the browser, to which nobody else may listen."""
    if page.agrees:
        dialog.accept()
    else:
        page.faults.append(dialog.message)
        dialog.dismiss()


def give_back(page: Any) -> list[str]:
    """Empties a page of a table for the next who opens one, or closes its window; returns what went wrong in it."""
    faults = list(page.faults)
    if page.window is None:
        page.context.close()
        return faults
    page.mouse.move(-1, -1)
    page.goto(f"{ADDRESS}blank.html", wait_until="commit")
    page.table = None
    _unused[page.window].append(page)
    return faults


def is_unused(context: Any) -> bool:
    """Whether a page of the window waits for the next who opens a table."""
    return any(page in pages for page in context.pages for pages in _unused.values())


def _called(table: DevTable, method: str, args: list[Any]) -> Any:
    return table.update() if method == "update" else table.call(method, *args)


@cache
def _port() -> int:
    """Where the files are served. (Playwright's own answers, and forty modules instead of one script, take twice as long.)"""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Files)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


class _Files(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # one connection for many files

    def do_GET(self) -> None:
        body, headers = _file(self.path.removeprefix("/") or "index.html")
        self.send_response(200 if headers else 404)
        kept = {"Cache-Control": "max-age=3600", "Content-Length": str(len(body))}  # with its compiled code
        for name, value in {**headers, **kept}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@cache
def _file(name: str) -> tuple[bytes, dict[str, str]]:
    """The body and the headers of the answer; no headers if there is no such file."""
    if name == "blank.html":
        return b"<!doctype html>", {"Content-Type": TYPES[".html"]}
    if name == "start.js":
        table = (HERE / "dev_table.js").read_text(encoding="utf-8").replace("export ", "")
        return f"{one_script('page')}\n{table}{START}".encode(), {"Content-Type": TYPES[".js"]}
    path = next((p for p in (STATIC / name, HERE / name) if p.is_file()), None)
    if path is None:
        return b"", {}
    text = path.read_text(encoding="utf-8")
    if name == "index.html":
        text = text.replace("</html>", '<script type="module" src="start.js"></script>\n</html>')
    return text.encode(), {"Content-Type": TYPES[path.suffix], "Content-Security-Policy": POLICY}


def wait_until(page: Any, condition: str) -> None:
    """Playwright's own function needs `eval`, which the page forbids."""
    for _ in range(int(PATIENCE / 0.025)):
        if page.evaluate(f"Boolean({condition})"):
            return
        page.wait_for_timeout(25)
    raise AssertionError(condition)
