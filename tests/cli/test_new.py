"""``gamedsl new``: what it writes is checked, formatted, played and holds its examples and claims."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamedsl.cli.main import main
from gamedsl.language.source import resource_path

KINDS = resource_path("templates", "kinds.txt").read_text(encoding="utf-8").split()


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_game_is_whole(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "my-game", "--like", kind]) == 0
    assert "next: gamedsl play my-game/my-game.gdl" in capsys.readouterr().out
    file = "my-game/my-game.gdl"
    assert sorted(p.name for p in Path("my-game").iterdir()) == ["README.md", "my-game.examples.yaml", "my-game.gdl"]
    assert main(["fmt", "--check", file]) == 0
    assert main(["check", file]) == 0
    assert main(["test", file]) == 0
    # proved, or not refuted within these bounds
    assert main(["verify", file, "--no-save", "--games", "50", "--limit", "2000"]) in (0, 4)
    capsys.readouterr()
    assert main(["play", file, "--seats", "random,random", "--seed", "1", "--plain"]) == 0
    assert "result:" in capsys.readouterr().out
    assert main(["rules", file]) == 0
    assert "My Game" in capsys.readouterr().out


def test_every_template_is_offered() -> None:
    assert sorted(KINDS) == sorted(p.name for p in resource_path("templates").iterdir() if p.is_dir())


@pytest.mark.parametrize("kind", KINDS)
def test_every_template_has_an_option_and_a_rulebook(kind: str) -> None:
    text = (resource_path("templates") / kind / "rules.gdl").read_text(encoding="utf-8")
    assert "\noption " in text and "\ninfo\n" in text and "\nclaim " in text


def test_nothing_is_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine").mkdir()
    Path("mine/mine.gdl").write_text("keep")
    assert main(["new", "mine"]) == 2
    assert Path("mine/mine.gdl").read_text() == "keep"
    assert "already" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["", "../evil", "a/b", "-x", "a b", "x" * 70, "☺"])
def test_names_that_are_no_names(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "--", name]) == 2
    assert list(tmp_path.iterdir()) == []
    assert "Traceback" not in capsys.readouterr().err


def test_a_kind_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "mine", "--like", "chess-boxing"]) == 2
    assert not Path("mine").exists()
