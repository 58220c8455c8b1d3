"""What the commands print, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gamedsl.cli.main import main
from gamedsl.language.rules.files import shipped
from gamedsl.language.rules.library_index import entries
from gamedsl.language.source.index import read_index

Capture = pytest.CaptureFixture[str]
SHIPPED = list(shipped())
BROKEN = "players X, O\ndefine f = nothing_such\nplay\n  win Y\n"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.gdl"
    path.write_text(BROKEN, encoding="utf-8")
    return path


# ------------------------------------------------------------------------------------------------------- check


def test_check_says_all_that_is_wrong(broken: Path, capsys: Capture) -> None:
    assert main(["check", str(broken), "tic-tac-toe"]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    assert "broken.gdl:2:12" in out
    assert "broken.gdl:4:7" in out
    assert "2 errors" in out
    assert "tic-tac-toe: fine" in out
    assert "\x1b" not in out


def test_check_as_json(broken: Path, capsys: Capture) -> None:
    assert main(["check", "--format", "json", str(broken), "tic-tac-toe"]) == 1
    first, second = json.loads(capsys.readouterr().out)["files"]
    assert not first["fine"]
    assert [(d["code"], d["place"]["line"]) for d in first["diagnostics"]] == [("E0201", 2), ("E0201", 4)]
    assert second == {"file": "tic-tac-toe", "fine": True, "diagnostics": []}


def test_check_with_an_option(capsys: Capture) -> None:
    assert main(["check", "x-s-and-lines", "--set", "n=4"]) == 0
    assert main(["check", "x-s-and-lines", "--set", "n=-4"]) == 2
    assert "E0006" in capsys.readouterr().err


def test_check_of_a_data_form(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(
        "kind: ruleset\ndecls:\n  - kind: players_named\n    names: [X]\n  - {kind: play_decl, body: [{kind: draw_game}]}\n"
    )
    assert main(["check", str(path)]) == 0
    path.write_text(path.read_text().replace("names", "naems"))
    assert main(["check", "--format", "json", str(path)]) == 1
    (found,) = json.loads(capsys.readouterr().out.partition("fine\n")[2])["files"][0]["diagnostics"]
    assert found["pointer"] == "/decls/0/naems"
    assert found["near"] == ["names"]
    assert found["place"]["line"] == 4


# ---------------------------------------------------------------------------------------- explain, list, rules, core


def test_explain(capsys: Capture) -> None:
    assert main(["explain", "E0201"]) == 0
    assert capsys.readouterr().out.startswith("# E0201")
    assert main(["explain", "e0201", "302", "turns"]) == 0
    titles = [line for line in capsys.readouterr().out.splitlines() if line.startswith("# ")]
    assert [title.split()[1] for title in titles] == ["E0201", "E0302", "turns"]
    assert main(["explain", "E0302"]) == 0
    assert "  add 1 to wins[X]  # changed" in capsys.readouterr().out.splitlines()
    assert main(["explain"]) == 0
    assert "E0201  " in capsys.readouterr().out


def test_list(capsys: Capture) -> None:
    assert main(["list", "--format", "json"]) == 0
    games = json.loads(capsys.readouterr().out)["games"]
    assert sorted(g["name"] for g in games) == sorted(SHIPPED)
    assert all(g["title"] and g["about"] and g["family"] for g in games)
    assert main(["list"]) == 0
    out = capsys.readouterr().out
    assert all(f"\n  {name}  " in out for name in SHIPPED)


@pytest.mark.parametrize("columns", [50, 80, 120])
def test_the_list_is_in_two_columns(columns: int, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(["list"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith(" ")]
    column = len(next(line for line in lines if line.startswith("   "))) - len(
        next(line for line in lines if line.startswith("   ")).lstrip()
    )
    assert max(map(len, lines)) <= columns
    for line in lines:
        name = line[:column].strip()
        assert line[column - 2 : column] == "  " or line.strip() in SHIPPED, line
        assert name in ("", *SHIPPED) or line.strip() in SHIPPED, line


def test_the_index_is_fresh() -> None:
    """`python -m gamedsl.language.rules.library_index` brings it up to date."""
    listed = [entry for games in read_index().values() for entry in games]
    assert sorted(listed, key=lambda e: e.name) == sorted(entries(), key=lambda e: e.name)


@pytest.mark.parametrize("name", SHIPPED)
def test_rules_fit_eighty_columns(name: str, capsys: Capture) -> None:
    assert main(["rules", name]) == 0
    out = capsys.readouterr().out
    assert out.count("\n") > 10
    assert max(map(len, out.splitlines())) <= 80


def test_core(capsys: Capture) -> None:
    assert main(["core", "tic-tac-toe"]) == 0
    assert "place" in capsys.readouterr().out


# ----------------------------------------------------------------------------------------------------- clauses


@pytest.mark.parametrize("name", [n for n, path in shipped().items() if path.parent.name == "rulesets"])
def test_clauses_of_shipped_rulesets(name: str, capsys: Capture) -> None:
    assert main(["clauses", name, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["uncited"] == []
    assert data["unknown"] == []
    assert all(row["text"] and row["lines"] for row in data["clauses"])


def test_clauses_that_are_not_cited(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "index.yaml").write_text('- {number: "1", text: one}\n- {number: "2", text: two}\n')
    path = tmp_path / "x.gdl"
    path.write_text(
        'game "X"\n  clauses "index.yaml"\nplayers X, O  @1\nplay\n  draw  @1\ninfo\n  presentation "p" @1\n'
    )
    assert main(["clauses", str(path)]) == 1
    out = capsys.readouterr().out
    assert "not cited: 2" in out
    assert "x.gdl 3, 5 (presentation 7)" in out


# ------------------------------------------------------------------------------------------------------- perft


@pytest.mark.parametrize(("depth", "count"), [(0, 1), (1, 9), (2, 72), (3, 504)])
def test_perft(depth: int, count: int, capsys: Capture) -> None:
    assert main(["perft", "tic-tac-toe", "--depth", str(depth)]) == 0
    assert capsys.readouterr().out == f"{count}\n"


def test_perft_from_moves(capsys: Capture) -> None:
    assert main(["core", "tic-tac-toe"]) == 0
    capsys.readouterr()
    assert main(["perft", "tic-tac-toe", "--depth", "1", "--divide", "--format", "json"]) == 0
    first, *_ = json.loads(capsys.readouterr().out)["divide"]
    assert main(["perft", "tic-tac-toe", "--depth", "2", "--from", f" {first} ;", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["count"] == 8 * 7


def test_perft_divides(capsys: Capture) -> None:
    assert main(["perft", "tic-tac-toe", "--depth", "2", "--divide"]) == 0
    *parts, total = capsys.readouterr().out.splitlines()
    assert total == "72"
    assert [p.rpartition(": ")[2] for p in parts] == ["8"] * 9


@pytest.mark.parametrize(
    ("game", "depth"),
    [("rock-paper-scissors", 3), ("pig", 4), ("kalah", 3), ("t-tic-t-tac-toe-game", 1), ("tic-tac-toe", 0)],
)
def test_perft_of_both_backends(game: str, depth: int, capsys: Capture) -> None:
    found = []
    for backend in ("native", "interpreter"):
        assert main(["perft", game, "--depth", str(depth), "--divide", "--format", "json", "--backend", backend]) == 0
        data = json.loads(capsys.readouterr().out)
        assert data.pop("backend") == backend and data.pop("seconds") >= 0
        found.append(data)
    assert found[0] == found[1]
    assert sum(found[0]["divide"].values()) == found[0]["count"]


def test_perft_of_drawings_is_refused(capsys: Capture) -> None:
    assert main(["perft", "abs-trac-toe", "--depth", "1"]) == 1
    assert "E0507" in capsys.readouterr().err


def test_perft_says_what_is_no_move(capsys: Capture) -> None:
    assert main(["perft", "tic-tac-toe", "--depth", "1", "--from", "z9"]) == 1
    assert "E0501" in capsys.readouterr().err


def test_perft_with_an_option(capsys: Capture) -> None:
    assert main(["perft", "x-s-and-lines", "--depth", "2", "--set", "n=3"]) == 0
    assert capsys.readouterr().out == "72\n"
