"""A link that holds a game: what comes out is what went in, and nothing else is taken for one."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64encode
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamedsl.language.rules import shipped
from gamedsl.language.source import UsageError
from gamedsl.studio import template_files
from gamedsl.studio.shared_link import files_of_link, link_of

from .running import RULES, Studio, Talk


@given(st.text(max_size=300), st.text(max_size=100))
def test_what_comes_out_is_what_went_in(rules: str, examples: str) -> None:
    rules, examples = (text.encode("utf-8", "replace").decode() for text in (rules, examples))
    texts = {"my-game.gdl": rules, "my-game.examples.yaml": examples, "clauses/rules.yaml": "1: a"}
    link = link_of("my-game", texts)
    assert files_of_link(link) == ("my-game", texts)
    assert files_of_link(f" {link}\n") == ("my-game", texts)
    assert link.isascii() and not set(link) & set(" \"'<>\\&")


@pytest.mark.parametrize("name", ["straße", "เกมส์", "ゲーム_2", "игра-7"])
def test_names_may_have_letters_of_every_script(name: str) -> None:
    texts = template_files(name, "hex")
    assert set(texts) == {f"{name}.gdl", f"{name}.examples.yaml", "README.md"}
    del texts["README.md"]
    link = link_of(name, texts)
    assert files_of_link(link) == (name, texts) and link.isascii()


@pytest.mark.parametrize("name", ["", "a b", "-a", "_a", "a/b", "a.b", "a\u200bb", "☺", "a" * 61])
def test_other_names_are_refused_with_the_rule(name: str) -> None:
    with pytest.raises(UsageError) as refused:
        template_files(name, "hex")
    assert "letters and digits of any script" in refused.value.diagnostics[0].help


def test_every_shipped_ruleset_fits_into_a_link() -> None:
    lengths = {name: len(link_of(name, {f"{name}.gdl": path.read_text()})) for name, path in shipped().items()}
    assert max(lengths.values()) < 8000, "a link can be sent in a message"


def packed(data: bytes, name: str = "a") -> str:
    return f"gamedsl:{name}#{urlsafe_b64encode(zlib.compress(data)).decode()}"


@pytest.mark.parametrize(
    "link",
    [
        "", "gamedsl:", "gamedsl:a", "gamedsl:a#", "gamedsl:a#!!", "gamedsl:a#AAAA", "http://x/#a", packed(b"7"), packed(b"[]"),
        packed(b"{}"), packed(b'{"a.gdl": 7}'), packed(b'{"b.gdl": "x"}'), packed(b"[" * 100_000), packed(b" " * 50_000_000),
        packed(json.dumps({"a.gdl": "", "../b.gdl": ""}).encode()), packed(json.dumps({"a.gdl": "", "/etc/b.gdl": ""}).encode()),
        packed(json.dumps({"a.gdl": "", "b.sh": ""}).encode()), packed(json.dumps({"a.gdl": "", "clauses/../x.yaml": ""}).encode()),
        packed(json.dumps({"../a.gdl": ""}).encode(), "../a"), packed(b'{"a.gdl": "x"}')[:-6],
        packed(json.dumps({f"a{i or ''}.gdl": "" for i in range(30)}).encode()), "gamedsl:a#" + "A" * 500_000,
    ],
    ids=lambda link: link[:24],
)  # fmt: skip
def test_anything_else_is_refused(link: str) -> None:
    with pytest.raises(UsageError):
        files_of_link(link)


def test_what_does_not_fit_makes_no_link() -> None:
    for name, texts in (("a", {"a.gdl": "x" * 200_001}), ("a", {"../a.gdl": ""}), ("../a", {"a.gdl": ""})):
        with pytest.raises(UsageError):
            link_of(name, texts)


@pytest.mark.slow
def test_a_link_holds_what_a_ruleset_uses_and_opens_in_another_folder(tmp_path: Path) -> None:
    (tmp_path / "games" / "clauses").mkdir(parents=True)
    (tmp_path / "games" / "row.gdl").write_text(RULES.replace('game "Row"', 'game "Row"\n  clauses "clauses/row.yaml"'))
    (tmp_path / "games" / "clauses" / "row.yaml").write_text('"1": place a mark\n')
    (tmp_path / "games" / "wide.gdl").write_text('variant of "row.gdl" with n = 5\n')
    (tmp_path / "games" / "other.gdl").write_text(RULES)
    studio = Studio(tmp_path / "data", str(tmp_path / "games"))
    talk = Talk(studio)
    made = talk.ask(do="link", file="wide.gdl")
    assert made["files"] == ["clauses/row.yaml", "row.gdl", "wide.gdl"]
    assert not talk.ask(do="link", file="../x.gdl")["ok"]
    assert not talk.ask(do="new", link=made["link"])["ok"]  # these files exist
    studio.stop()
    (tmp_path / "elsewhere").mkdir()
    opened = Studio(tmp_path / "data", made["link"], folder=tmp_path / "elsewhere")
    talk = Talk(opened)
    assert talk.welcome["first"] == "wide.gdl"
    position = talk.ask(do="position", file="wide.gdl", plies=[[0, "e5"]])
    assert position["ok"] and position["plies"] == [[0, "e5"]]
    opened.stop()
    again = Studio(tmp_path / "data", folder=tmp_path)  # the gallery, without a folder
    made = Talk(again).ask(do="new", link=made["link"])
    assert made["ok"] and (tmp_path / "wide" / "clauses" / "row.yaml").exists()
    again.stop()
