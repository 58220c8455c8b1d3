"""The report: one file that needs no other, with the numbers that the parts of it have; graphs against the explorer."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import pytest

import gamedsl
from gamedsl.cli.main import main
from gamedsl.lab.coverage.coverage_page import as_html
from gamedsl.lab.coverage.runs import coverage
from gamedsl.lab.explore.explorer import explore
from gamedsl.lab.report.charts import curve, histogram, share_bars
from gamedsl.lab.report.contents import make_report
from gamedsl.lab.report.report_page import as_page
from gamedsl.lab.report.state_graphs import as_dot, as_svg, state_graph

VOID = {"meta", "br", "hr"}


class Reader(HTMLParser):
    """Reads a page, and notes what it asks other places for and whether its elements are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [v or "" for k, v in attrs if k in ("src", "href", "action")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    return reader


@pytest.mark.parametrize("name", ["tic-tac-toe", "pig", "rock-paper-scissors", "phantom-tic-tac-toe"])
def test_a_page_needs_no_other_file(name: str) -> None:
    page = as_page(make_report(name, plays=20, limit=500))
    assert read(page).links == [] and "<script" not in page and "url(" not in page and "@import" not in page
    assert gamedsl.load(name).digest in page


def test_a_page_tells_what_its_parts_tell() -> None:
    found = make_report("nim", {"a": 1, "b": 2, "c": 0}, plays=50, seed=3)
    page = as_page(found)
    assert "first wins in 3 plies" in page and "50 random games" in page
    assert found.simulation.plan.seed == 3
    wins = [s.wins for s in found.simulation.summary.seats]
    assert sum(wins) == 50 and all(f'<td class="n">{w}</td>' in page for w in wins)
    assert found.graph is not None and f"{len(found.graph.nodes)} positions" in page
    for svg in re.findall(r"<svg.*?</svg>", page, re.S):
        ET.fromstring(svg)


def test_code_in_a_verdict_is_set_as_code() -> None:
    """Backticks were shown as they are. With one game most claims are unknown, and their verdicts quote rules."""
    page = as_page(make_report("breakthrough", plays=1, limit=10, seconds=0.1))
    text = re.sub(r"<style>.*?</style>|<table class=.lines.>.*", "", page, flags=re.S)
    assert "`" not in text and "95% interval" in text


def test_large_games_have_no_graph_and_no_guess_at_a_value() -> None:
    found = make_report("tic-tac-toe", plays=5, limit=100)
    assert found.solved is None and found.graph is None
    assert "Best play" not in as_page(found)


def test_a_graph_has_every_position_and_every_way() -> None:
    game = gamedsl.load("nim", a=2, b=2, c=0)
    whole = explore(game)
    graph = state_graph(game.initial_state())
    assert graph.whole
    assert len(graph.nodes) == len(whole) and len(graph.edges) == len(whole.target)
    assert [n.over for n in graph.nodes] == [bool(k == 0) for k in whole.kinds()]
    dot = as_dot(graph)
    assert dot.count(" -> ") == len(graph.edges) and dot.count("[label=") == len(graph.edges) + len(graph.nodes)


def test_a_cut_graph_says_where(tmp_path: Path) -> None:
    graph = state_graph(gamedsl.load("tic-tac-toe").initial_state(), 10)
    assert not graph.whole and len(graph.nodes) == 10
    assert any(n.open for n in graph.nodes) and "dashed" in as_dot(graph) and "stroke-dasharray" in as_svg(graph)


def test_svg_is_well_formed_and_all_is_inside() -> None:
    for name, options in (("nim", {"a": 1, "b": 2, "c": 0}), ("rock-paper-scissors", {}), ("hex", {"n": 2})):
        graph = state_graph(gamedsl.load(name, **options).initial_state())
        tree = ET.fromstring(as_svg(graph))
        width, height = (float(tree.attrib[k]) for k in ("width", "height"))
        boxes = [e for e in tree.iter() if e.tag.endswith("rect")]
        assert len(boxes) == len(graph.nodes)
        for b in boxes:
            x, y, w, h = (float(b.attrib[k]) for k in ("x", "y", "width", "height"))
            assert 0 <= x <= x + w <= width and 0 <= y <= y + h <= height


def test_positions_do_not_lie_on_each_other() -> None:
    tree = ET.fromstring(as_svg(state_graph(gamedsl.load("hex", n=2).initial_state())))
    places = [(e.attrib["x"], e.attrib["y"]) for e in tree.iter() if e.tag.endswith("rect")]
    assert len(set(places)) == len(places)


def test_pictures_measure_what_they_show() -> None:
    def widths(svg: str, key: str) -> list[float]:
        return [float(e.attrib[key]) for e in ET.fromstring(svg).iter() if e.tag.endswith("rect")]

    a, b = widths(share_bars([("x", [("won", 0.25, "#000"), ("lost", 0.75, "#111")])], "t"), "width")
    assert b == pytest.approx(3 * a, rel=0.01)
    one, two, none = widths(histogram([(1, 1, 10), (2, 2, 5), (3, 4, 0)], "t"), "height")
    assert (one, none) == (pytest.approx(2 * two, rel=0.01), 0)
    assert curve([(1, 1.0)], "t") == "" and "polyline" in curve([(1, 3.0), (2, 0.0)], "t")


def test_texts_of_rulesets_are_escaped(tmp_path: Path) -> None:
    path = tmp_path / "odd.gdl"
    path.write_text(ODD, encoding="utf-8")
    page = as_page(make_report(str(path), plays=5))
    read(page)
    assert "<b>" not in page and "<title>Odd &lt;b&gt; &amp; " in page and "<h1>Odd &lt;b&gt; &amp; " in page
    covered = as_html(coverage(str(path), plays=2))
    read(covered)
    assert "<b>" not in covered and "<title>Coverage of Odd &lt;b&gt;" in covered
    assert '\\"' in as_dot(state_graph(gamedsl.load(path).initial_state())) or "&lt;b&gt;" in page


ODD = """game "Odd <b> & 'others'"
  by "somebody <i>"

players a, b

state
  left: 0..2 = 2

move take written "take <b>"
  take 1 from left

play
  turns from a
    me plays take
    if left = 0
      win me

info
  about "<b>bold</b> & <script>"
"""


def test_at_the_prompt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert (
        main(["report", "nim", "-s", "a=1", "-s", "b=1", "-s", "c=0", "-o", "page.html", "--games", "10", "--plain"])
        == 0
    )
    assert "Nim" in Path("page.html").read_text(encoding="utf-8")
    assert main(["report", "nim", "--graph", "-o", "out.dot", "--limit", "20"]) == 0
    assert Path("out.dot").read_text(encoding="utf-8").startswith('digraph "Nim"')
    assert main(["report", "nim", "-s", "a=1", "--graph", "-o", "out.svg"]) == 0
    ET.parse("out.svg")
    assert main(["report", "nim", "--graph", "-o", "out.png"]) == 2
    assert main(["report", "nim", "-o", "nowhere/page.html", "--games", "3", "--plain"]) == 5
    assert "cannot be written" in capsys.readouterr().err
