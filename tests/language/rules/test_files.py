"""Files that rulesets name: where they are looked for, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamedsl.language.rules import check_file
from gamedsl.language.rules.files import shipped
from gamedsl.language.source.diagnostic import FileError, UsageError
from gamedsl.language.syntax.data.dump import dump_yaml
from gamedsl.language.syntax.parser import parse_text
from tests.shipped_sample import sampled


def codes(path: Path) -> list[str]:
    return [d.code for d in check_file(path)[1]]


@pytest.mark.parametrize("name", sampled(sorted(shipped()), "test_a_shipped_ruleset_can_be_taken_elsewhere"))
def test_a_shipped_ruleset_can_be_taken_elsewhere(name: str, tmp_path: Path) -> None:
    """What it names (parts, an index of clauses) is found among the shipped files; as text and as data."""
    text = shipped()[name].read_text(encoding="utf-8")
    (tmp_path / "copy.gdl").write_text(text, encoding="utf-8")
    (tmp_path / "copy.yaml").write_text(dump_yaml(parse_text(text)), encoding="utf-8")
    assert codes(tmp_path / "copy.gdl") == []
    assert codes(tmp_path / "copy.yaml") == []


PLAY = "players A, B\nplay\n  draw\n"


def test_files_outside_the_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.gdl").write_text(PLAY, encoding="utf-8")
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "game.gdl").write_text('use "../secret.gdl" as other\n' + PLAY, encoding="utf-8")
    assert codes(inner / "game.gdl") == ["E0435"]
    (inner / "game.gdl").write_text('game "G"\n  clauses "../secret.gdl"\n' + PLAY, encoding="utf-8")
    assert codes(inner / "game.gdl") == ["E0435"]


def test_a_ring_of_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.gdl").write_text('use "b.gdl" as b\nplayers A, B\nplay\n  play b\n  draw\n', encoding="utf-8")
    (tmp_path / "b.gdl").write_text('use "a.gdl" as a\nplayers A, B\nplay\n  play a\n  draw\n', encoding="utf-8")
    assert codes(tmp_path / "a.gdl")
    (tmp_path / "c.gdl").write_text('variant of "d.gdl"\n', encoding="utf-8")
    (tmp_path / "d.gdl").write_text('variant of "c.gdl"\n', encoding="utf-8")
    assert codes(tmp_path / "c.gdl") == ["E0437"]


def test_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        check_file(tmp_path)
    with pytest.raises(FileError):
        check_file("/dev/zero")
    with pytest.raises(UsageError):
        check_file("x" * 5000)
    with pytest.raises(UsageError) as caught:
        check_file("tic-tac-to")
    assert caught.value.diagnostics[0].near[0] == "tic-tac-toe"
