"""`fmt` and `export`: the canonical form on disk, and the way through the data forms and back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gamedsl.cli.form_commands import read_form, write_form
from gamedsl.cli.main import main
from gamedsl.language.rules.files import shipped
from tests.shipped_sample import sampled

UGLY = "players   X,O\n\n\n# why\nboard grid 3 by   3   # how\nplay\n    draw   @1.01\n"
Capture = pytest.CaptureFixture[str]
SHIPPED = list(shipped().values())


@pytest.fixture
def ugly(tmp_path: Path) -> Path:
    path = tmp_path / "ugly.gdl"
    path.write_text(UGLY, encoding="utf-8")
    return path


def test_fmt_writes_the_canonical_form(ugly: Path, capsys: Capture) -> None:
    assert main(["fmt", str(ugly)]) == 0
    text = ugly.read_text(encoding="utf-8")
    assert text.startswith("players X, O\n")
    assert "# why" in text
    assert "# how" in text
    assert "@1.01" in text
    assert main(["fmt", "--check", str(ugly)]) == 0
    assert main(["fmt", str(ugly)]) == 0
    assert "0 of 1" in capsys.readouterr().out


def test_check_and_diff_write_nothing(ugly: Path, capsys: Capture) -> None:
    assert main(["fmt", "--check", str(ugly)]) == 1
    assert main(["fmt", "--diff", str(ugly)]) == 1
    assert "+players X, O" in capsys.readouterr().out
    assert ugly.read_text(encoding="utf-8") == UGLY


def test_a_broken_file_stays_and_the_others_are_formatted(ugly: Path, tmp_path: Path, capsys: Capture) -> None:
    broken = tmp_path / "broken.gdl"
    broken.write_text("players X,,O\n")
    assert main(["fmt", str(broken), str(ugly)]) == 1
    assert broken.read_text() == "players X,,O\n"
    assert ugly.read_text() != UGLY
    assert "error[E01" in capsys.readouterr().err


def test_the_mode_of_a_file_is_kept(ugly: Path) -> None:
    os.chmod(ugly, 0o640)
    main(["fmt", str(ugly)])
    assert ugly.stat().st_mode & 0o777 == 0o640
    assert [p.name for p in ugly.parent.iterdir()] == ["ugly.gdl"]


def test_line_ends_of_other_systems_are_mended(tmp_path: Path) -> None:
    path = tmp_path / "dos.gdl"
    path.write_bytes(b"players X, O\r\n\r\nplay\r\n  draw\r\n")
    assert main(["fmt", str(path)]) == 0
    assert path.read_bytes() == b"players X, O\n\nplay\n  draw\n"


@pytest.mark.parametrize("form", ["json", "yaml"])
@pytest.mark.parametrize("path", sampled(SHIPPED, "test_shipped_rulesets_survive_the_data_forms"), ids=lambda p: p.stem)
def test_shipped_rulesets_survive_the_data_forms(path: Path, form: str, tmp_path: Path, capsys: Capture) -> None:
    data = tmp_path / f"{path.stem}.{form}"
    assert main(["export", str(path), "--to", form, "--output", str(data)]) == 0
    assert main(["fmt", "--check", str(data)]) == 0
    capsys.readouterr()
    assert main(["export", str(data), "--to", "gdl"]) == 0
    assert capsys.readouterr().out == write_form(read_form(str(path)).tree, "gdl")


def test_a_data_file_is_formatted(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"kind": "ruleset", "decls": [{"kind":"players_named","names":["X"], "notes": {}}]}')
    assert main(["fmt", str(path)]) == 0
    assert '"notes"' not in path.read_text()
    commented = tmp_path / "x.yaml"
    commented.write_text("# mine\nkind: ruleset\ndecls: [{kind: players_named, names: [X]}]\n")
    assert main(["fmt", str(commented)]) == 1
    assert "E0613" in capsys.readouterr().err
    assert commented.read_text().startswith("# mine")


def test_export_says_what_is_wrong(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("kind: ruleset\ndecls: [{kind: players_namd}]\n")
    assert main(["export", str(path), "--to", "gdl"]) == 1
    err = capsys.readouterr().err
    assert "pointer: /decls/0/kind" in err
    assert "did you mean: players_named" in err
    assert main(["export", str(path), "--to", "gdl", "--output", str(tmp_path / "no" / "x.gdl")]) == 1


def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert main(["export", "tic-tac-toe", "--to", "gdl", "--output", str(pipe)]) == 0
    assert os.read(reader, 4) == b"game"
    os.close(reader)
    assert not pipe.is_file()
    assert main(["export", "tic-tac-toe", "--to", "gdl", "--output", str(tmp_path)]) == 5
