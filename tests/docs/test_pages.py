"""The lint of rendered pages (`.ci/pages`) finds what it is for; the documents, rendered, have nothing of it."""

from __future__ import annotations

import importlib.util
import runpy
from pathlib import Path

import pytest

from gamedsl.cli.main import main
from tests.play.web.browser import browser, needs_browser

ROOT = Path(__file__).resolve().parents[2]
SEARCHES = runpy.run_path(str(ROOT / "benchmarks" / "site_searches.py"), run_name="site_searches")
LINT = runpy.run_path(str(ROOT / ".ci" / "pages"), run_name="pages")
TABLE = "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr>{}</table>"


def found(body: str) -> list[str]:
    return list(LINT["findings"](f"<html><body><nav><p>[^x]</p></nav><article>{body}</article></body></html>"))


@pytest.mark.parametrize(
    ("body", "finding"),
    [
        (TABLE.format("<tr><td>3</td></tr>"), "1 cells in a row of 2"),
        (TABLE.format("<tr><td></td><td> </td></tr>"), "an empty row"),
        ("<p>| a | b |</p>", "a row of a table left as text"),
        ("<p>as shown[^1] there</p>", "a footnote left as text"),
        (TABLE.format(r"<tr><td><code>a\|b</code></td><td>c</td></tr>"), r"a backslash before a bar: a\|b"),
        ("<p>see [the page](page.md)</p>", "a link left as text"),
        ("<p>These are:\n- one\n- two</p>", "a list item left as text"),
        ("<ul><li>one\n## Two</li></ul>", "a heading left as text"),
        ("<p>```gdl game</p>", "signs of a code block left as text"),
        ("<p>it is **bold</p>", "signs of bold text left as text"),
        ("<h2>A</h2><h3>x</h3><p>1</p><h3>x</h3>", "two headings of one name: x"),
        ('<p id="a">1</p><p id="a">2</p>', "id given twice: a"),
        (f"<pre><code>{'x' * 201}</code></pre>", "a code line of 201 characters"),
        ("<pre><code>\n</code></pre>", "a code block without a line"),
    ],
)
def test_a_fault_is_found(body: str, finding: str) -> None:
    assert [line[: len(finding)] for line in found(body)] == [finding]


@pytest.mark.parametrize(
    "body",
    [
        TABLE.format('<tr><td colspan="2">3</td></tr>'),
        "<p>write <code>[^1]</code> and <code>[a](b)</code></p><pre><code>| a |\n- b\n**c**</code></pre>",
        "<h2>A</h2><h3>x</h3><h2>B</h2><h3>x</h3><h2>1. First</h2>",
        '<p><a id="a"></a></p><h2 id="a">A</h2>',
        "<p>1 - 2 is less, and 3 * 4 * 5</p><ul><li>one<ul><li>two</li></ul></li></ul>",
        f'<div class="language-gdl highlight"><pre><code>{"x" * 300}</code></pre></div>',
    ],
)
def test_a_sound_page(body: str) -> None:
    assert found(body) == []


@pytest.mark.slow
def test_the_documents_of_this_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if importlib.util.find_spec("zensical") is None:
        pytest.skip("Zensical is not installed (extra `docs`)")
    site = tmp_path / "site"
    assert main(["site", "-o", str(site), "nim", "--docs", str(ROOT / "docs"), "--no-boards"]) == 0
    capsys.readouterr()
    assert LINT["main"]([str(site)]) == 0, capsys.readouterr().out
    needs_browser()
    with browser() as chrome:
        context = chrome.new_context(offline=True)
        rows, failed = SEARCHES["table"](
            context.new_page(), site, ["ko", "pie rule", "E0201", "gamedsl verify", "dice"]
        )
    assert failed == [], rows
