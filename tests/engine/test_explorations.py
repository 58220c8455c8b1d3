"""Explorations as files: those of earlier versions, those of other rules, and hostile ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gamedsl
from gamedsl.cli.main import main
from gamedsl.engine import Record, differences, read_exploration
from gamedsl.language.source import Source

from .exploration_files import SMALL, WRITTEN, hostile, text_of, with_node


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_files_of_earlier_versions_are_opened(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By the shipped rules, and by those that the file holds."""
    found = read_exploration(Source(str(path), path.read_text("utf-8")))
    assert path.stem.startswith(f"{found.engine}-") and len(found.branches) > 3
    assert main(["replay", str(path)]) == 0
    shown = capsys.readouterr().out
    assert all(branch.text in shown and branch.comment[:20] in shown for branch in found.branches)
    steps = found.steps(gamedsl.load(found.game, **found.options))
    ends = [state.is_terminal for state, _ in steps]
    assert ends == [branch.end is not None for branch in found.branches]


def test_the_files_cover_what_games_have() -> None:
    kinds = {ply.split(": ")[0] for path in WRITTEN for ply in [json.loads(path.read_text("utf-8"))["game"]]}
    assert {
        "tic-tac-toe",
        "pig",
        "rock-paper-scissors",
        "abs-trac-toe",
    } <= kinds  # moves, chance, choices at once, drawings


@pytest.mark.parametrize(("name", "text"), list(hostile()), ids=[name for name, _ in hostile()])
def test_hostile_files_are_refused(name: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    assert main(["replay", str(path), "-o", str(tmp_path / "x.html")]) != 0
    said = capsys.readouterr()
    assert "E0531" in said.err and "Traceback" not in said.err and not said.out
    assert "\x1b" not in said.err and "\u202e" not in said.err and len(said.err) < 2000
    assert not (tmp_path / "x.html").exists()


def test_what_differs_is_said() -> None:
    game = gamedsl.load("tic-tac-toe")
    ended = [*SMALL["nodes"][:2], {"parent": 1, "who": "O", "ply": "a1", "end": ["O"]}]
    text = text_of(engine="0.1.0", game="noughts", options={"n": "3"}, nodes=ended)
    found = read_exploration(Source("x", text))
    said = list(differences(game, "0.2.0", found, found.steps(game)))
    assert said[:3] == [
        "It was made by gamedsl 0.1.0; this is 0.2.0.",
        "It was made for noughts; these are the rules of tic-tac-toe.",
        "Its options are n=3; here they are not set.",
    ]
    assert said[3].startswith("Its rules differ from these in ") and said[3].endswith("All its moves are legal here.")
    assert said[4:] == ["After b2, a1, the winner was O there, and the game went on here."]
    same = text_of(digest=game.digest[:16])
    found = read_exploration(Source("x", same))
    assert not list(differences(game, "0.2.0", found, found.steps(game)))


def test_moves_that_no_longer_exist_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.json"
    for node, words in (
        ({"ply": "a1"}, "a1 after b2, a1"),
        ({"ply": "z9"}, "z9 after b2, a1"),
        ({"who": "O"}, "c3 after b2, a1"),
        ({"who": "Z"}, "there is no player"),
    ):
        path.write_text(with_node(**node), encoding="utf-8")
        assert main(["replay", str(path)]) == 1
        said = capsys.readouterr()
        assert "E0535" in said.err and words in said.err and not said.out
        assert f"{path}:1:" in said.err


def test_the_main_line_is_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = Record.parse(text_of())
    assert [(entry.kind, entry.text) for entry in record.entries] == [
        ("comment", "<img src=x onerror=alert(1)>"),
        ("ply", "b2"),
        ("ply", "a1"),
    ]
    path = tmp_path / "x.json"
    path.write_text(text_of(), encoding="utf-8")
    assert main(["position", "tic-tac-toe", "--from", str(path)]) == 0
    assert '"O . ."' in capsys.readouterr().out
    assert main(["play", "--resume", str(path)]) == 2  # it would be overwritten by one game
    assert "is an exploration" in capsys.readouterr().err
    assert path.read_text("utf-8") == text_of()


def test_it_is_shown_with_its_variations(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, page = tmp_path / "x.json", tmp_path / "x.html"
    path.write_text(text_of(), encoding="utf-8")
    assert main(["replay", str(path), "-o", str(page)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Tic-Tac-Toe, an exploration of 3 plies"
    first = lines.index("1. X: b2")
    assert lines[first : first + 6] == [
        "1. X: b2",
        "   marks: a1, a1 → c3",
        "2. O: a1",
        "    2. O: b1",
        "       “two”",
        "       “lines”",
    ]
    html = page.read_text("utf-8")
    assert "\\u003cimg src=x" in html and "<img" not in html
    assert main(["replay", str(path), "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["parent"] for one in told["branches"]] == [None, 0, 1, 1] and told["at"] == 2
    for wrong in (["--seat", "X"], ["--step"], ["--limit", "1"], ["-o", "x.record"], ["--format", "sarif"]):
        assert main(["replay", str(path), *wrong]) == 2
        assert "exploration" in capsys.readouterr().err


def test_rules_that_are_not_here_are_taken_from_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.json"
    rules = Path(gamedsl.load("nim").program.schemas[0].guards[0].span.source.path).read_text("utf-8")
    nodes = [{}]
    path.write_text(text_of(game="not-here", rules={"not-here.gdl": rules}, nodes=nodes, at=0), encoding="utf-8")
    assert main(["replay", str(path)]) == 0
    said = capsys.readouterr()
    assert "the rules in the file are used" in said.err and "The first position" in said.out
    for rules_of in ({}, {"../../not-here.gdl": rules}):
        path.write_text(text_of(game="not-here", rules=rules_of, nodes=nodes, at=0), encoding="utf-8")
        assert main(["replay", str(path)]) == 2
        assert "`--game" in capsys.readouterr().err
