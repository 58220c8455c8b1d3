"""A static site: complete, with links that lead somewhere; opened from the disk; all of it is written, or nothing."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from gamedsl.cli.main import main

from .browser import give_back, open_file
from .site_search import hits

ROOT = Path(__file__).parents[3]


README = """# A project

See [how](docs/how/), [a part](docs/how/README.md#the-second-part), [chess](rules/chess.gdl), [changes](CHANGES.md),
[the program](src/main.py), `[code](README.md)`.

<img src="docs/how/dot.png">

| option | meaning |
|---|---|
| `--when always\\|never` | `a*b`, `*a\\|b*` |
"""
HOW = """# How to

Up to [the project](../../README.md).

## The second part

```gdl file=toss.gdl
game "Toss"

players red, blue

board grid 2 by 2

piece stone of player

move place(c: cell) written "{c}"
  when c in empty
  put stone[me] on c

play
  turns from red
    me plays place
      stuck
        draw
```

```gdl
put stone[me] on c
```

```text file=notes.txt
[not a link](nowhere.md)
```
"""


class Links(HTMLParser):
    """The links and anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            if name == "id" and value:
                self.anchors.add(value)


def parsed(page: Path) -> Links:
    found = Links()
    found.feed(page.read_text(encoding="utf-8"))
    return found


def dead_links(site: Path) -> list[str]:
    pages = {p: parsed(p) for p in site.rglob("*.html")}
    found = []
    for page, links in pages.items():
        for link in links.links:
            if re.match(r"[a-z]+:", link):
                continue
            place, _, anchor = link.partition("#")
            target = (page.parent / unquote(place)).resolve() if place else page
            if not target.is_file() or (anchor and anchor not in pages[target].anchors):
                found.append(f"{page.relative_to(site)}: {link}")
    return found


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sites") / "site"
    docs = tmp_path_factory.mktemp("project") / "docs"
    (docs / "how").mkdir(parents=True)
    (docs.parent / "README.md").write_text(README, "utf-8")
    (docs.parent / "CHANGES.md").write_text("# Changes\n\nMany.\n", "utf-8")
    (docs.parent / "SECRET.md").write_text("# Not linked\n", "utf-8")
    (docs / "how" / "README.md").write_text(HOW, "utf-8")
    (docs / "how" / "dot.png").write_bytes(b"PNG")
    (docs / ".nav.yml").write_text("nav: [index.md, {Do it: how}, CHANGES.md, games]\n", "utf-8")
    games = ["nim", "chess", "kuhn-poker"]
    assert main(["site", "-o", str(folder), *games, "--docs", str(docs), "--title", "Our <games>"]) == 0
    return folder


def test_all_links_lead_somewhere(site: Path) -> None:
    assert dead_links(site) == []


def test_every_game_and_document_has_its_page(site: Path) -> None:
    assert {p.stem for p in (site / "play").glob("*.html")} == {"nim", "chess", "kuhn-poker"}
    assert {p.stem for p in (site / "games").glob("*.html")} == {"nim", "chess", "kuhn-poker", "index"}
    assert "Our &lt;games&gt;" in (site / "index.html").read_text("utf-8")
    assert "Checkmate" in (site / "games" / "chess.html").read_text("utf-8")
    assert (site / "how" / "index.html").is_file() and not (site / "SECRET.html").exists()


def test_links_lead_into_the_site_or_are_left_out(site: Path) -> None:
    links = parsed(site / "index.html").links
    assert {"how/index.html", "how/index.html#the-second-part", "games/chess.html", "CHANGES.html"} <= set(links)
    assert "how/dot.png" in links and not [link for link in links if "main.py" in link]
    text = (site / "index.html").read_text("utf-8")
    assert "the program" in text and "[code](README.md)" in text
    assert "[not a link](nowhere.md)" in re.sub("<[^>]+>", "", (site / "how" / "index.html").read_text("utf-8"))


def test_a_bar_in_the_code_of_a_table_has_no_backslash(site: Path) -> None:
    text = (site / "index.html").read_text("utf-8").replace("&#124;", "|").replace("&#42;", "*")
    assert "<code>--when always|never</code>" in text and "<code>*a|b*</code>" in text and "<code>a*b</code>" in text


def test_a_ruleset_of_a_document_has_its_board_and_its_colors(site: Path) -> None:
    page = (site / "how" / "index.html").read_text("utf-8")
    assert re.findall(r'<iframe[^>]* src="([^"]+)"', page) == ["../play/how/index-1.html"]
    assert (site / "play" / "how" / "index-1.html").is_file()
    assert "toss.gdl" in page and '<span class="k">game</span>' in page


def test_navigation_is_that_of_the_folder_with_the_games_in_families(site: Path) -> None:
    page = (site / "CHANGES.html").read_text("utf-8")
    assert page.index("Do it") < page.index("Games")
    assert "Previous" in page and "Next" in page


def test_it_is_opened_from_the_disk(site: Path, chrome: Any) -> None:
    page = open_file(chrome, site / "how" / "index.html", ready="true")
    page.frame_locator("iframe[title=Toss]").locator(".gamedsl main svg.board-svg").wait_for()
    page.goto((site / "games" / "index.html").as_uri())
    page.wait_for_selector("[data-game=chess] svg.board-svg .piece")
    page.wait_for_selector("[data-game=nim] li")
    [first, *_] = hits(page, "checkmate")
    assert first.link.endswith("games/chess.html?h=checkmate#goal") and first.marked, first
    page.goto(first.link)
    page.click("a.play")
    page.wait_for_selector(".gamedsl main svg.board-svg")
    assert all(url.startswith((site.as_uri(), "blob:", "data:")) for url in page.asked)
    assert not give_back(page)


# ------------------------------------------------------------------------------------------------ all or nothing


def test_a_site_is_replaced_and_other_folders_are_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "letter.txt").write_text("keep me")
    assert main(["site", "-o", str(own), "nim"]) == 2
    assert [p.name for p in tmp_path.rglob("*")] == ["own", "letter.txt"]
    target = tmp_path / "site"
    assert main(["site", "-o", str(target), "nim"]) == 0
    monkeypatch.chdir(tmp_path)
    assert main(["site", "-o", "site", "tic-tac-toe"]) == 0  # from where the user stands
    assert {p.stem for p in (target / "games").iterdir()} == {"tic-tac-toe"}
    assert sorted(p.name for p in tmp_path.iterdir()) == ["own", "site"]
    assert "other files" in capsys.readouterr().err


def test_a_broken_ruleset_leaves_the_site_as_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target, rules = tmp_path / "site", tmp_path / "rules"
    rules.mkdir()
    (rules / "good.gdl").write_text((ROOT / "rulesets" / "tic-tac-toe.gdl").read_text("utf-8"), "utf-8")
    assert main(["site", "-o", str(target), str(rules)]) == 0
    (rules / "odd.gdl").write_text('game "Odd"\nplayers X, O\nplay\n  nonsense\n', "utf-8")
    assert main(["site", "-o", str(target), str(rules)]) == 1
    assert {p.stem for p in (target / "games").iterdir()} == {"good"}
    assert sorted(p.name for p in tmp_path.iterdir()) == ["rules", "site"]
    assert "odd.gdl" in capsys.readouterr().err


def test_a_dead_anchor_is_reported_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    docs = tmp_path / "project" / "docs"
    docs.mkdir(parents=True)
    (docs / "README.md").write_text("# One\n\nSee [two](two.md#nowhere).\n", "utf-8")
    (docs / "two.md").write_text("# Two\n", "utf-8")
    assert main(["site", "-o", str(tmp_path / "site"), "nim", "--docs", str(docs)]) == 2
    error = capsys.readouterr().err
    assert "index.md:3:" in error and "anchor" in error and "\x1b" not in error and len(error) < 300
    assert not (tmp_path / "site").exists()


def test_an_index_beside_a_readme_is_a_page_of_its_own(tmp_path: Path) -> None:
    docs = tmp_path / "project" / "docs"
    docs.mkdir(parents=True)
    (docs / "README.md").write_text("# All forms\n\n[index](index.md)\n", "utf-8")
    (docs / "index.md").write_text("# The form `index`\n\n[all](README.md)\n", "utf-8")
    assert main(["site", "-o", str(tmp_path / "site"), "nim", "--docs", str(docs)]) == 0
    assert "All forms" in (tmp_path / "site" / "index.html").read_text("utf-8")
    assert dead_links(tmp_path / "site") == []


@pytest.mark.parametrize("words", [["nim", "--docs", "nowhere"], ["nowhere"], ["nowhere.gdl"]])
def test_what_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert main(["site", "-o", str(tmp_path / "site"), *words]) in (2, 5)
    error = capsys.readouterr().err
    assert "nowhere" in error and "Traceback" not in error
    assert not (tmp_path / "site").exists()


@pytest.mark.slow
def test_the_whole_site(tmp_path: Path) -> None:
    """All shipped games, with the documents of this program and their boards."""
    assert main(["site", "-o", str(tmp_path / "site")]) == 0
    assert dead_links(tmp_path / "site") == []
    games = {p.stem for p in ROOT.glob("rulesets/**/*.gdl")}
    assert {p.stem for p in (tmp_path / "site" / "play").glob("*.html")} == games
