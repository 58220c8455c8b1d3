"""What an author may trip over, and what somebody hostile may try: diagnostics with a place, never a hang or a traceback."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gamedsl.check.examples_file import examples_in
from gamedsl.cli.main import main
from gamedsl.engine.records import Record
from gamedsl.rules import check_file
from gamedsl.source.diagnostic import Diagnostic, GameDSLError, UsageError
from gamedsl.source.render import render_all
from gamedsl.source.text import Source

PLAY = "players A, B\nplay\n  draw\n"


def found(folder: Path, text: str) -> list[Diagnostic]:
    path = folder / "tried.gdl"
    path.write_text(text, encoding="utf-8")
    return check_file(path)[1]


def codes(folder: Path, text: str) -> list[str]:
    return [d.code for d in found(folder, text) if d.is_error]


# ------------------------------------------------------------------------------------------------ round for ever


@pytest.mark.parametrize(
    "body",
    [
        "again",
        "skip",
        "set v to 1",
        "if v = 1\n      again\n    again",
        "if v = 0\n      skip",
        "repeat 3 times\n      skip",
        "if v = 0\n      again\n    else\n      skip",
    ],
)
def test_turns_in_which_nobody_ever_acts(body: str, tmp_path: Path) -> None:
    text = f"players A, B\nstate\n  v: 0..1\nplay\n  turns from A\n    {body}\n"
    [d] = [d for d in found(tmp_path, text) if d.is_error]
    assert d.code == "E0423" and d.span.line == 5


def test_turns_that_end_are_fine(tmp_path: Path) -> None:
    assert (
        codes(tmp_path, "players A, B\nstate\n  v: 0..1\nplay\n  turns from A, 3 times\n    set v to 1\n  draw\n") == []
    )
    text = "players A, B\nstate\n  v: 0..1\nplay\n  turns from A until v = 1\n    set v to 1\n  draw\n"
    assert codes(tmp_path, text) == []


# --------------------------------------------------------------------------------------------------- other files

NAMES = [
    "a" * 5000 + ".gdl",
    "a/" * 3000 + "x.gdl",
    "folder",
    "pipe.gdl",
    "ring.gdl",
    "nothing.gdl",
    "",
    ".",
    "large.gdl",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With things in it that are no rulesets."""
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe.gdl")
    os.symlink("ring.gdl", tmp_path / "ring.gdl")
    (tmp_path / "large.gdl").write_bytes(b"#" * 2_000_001)
    return tmp_path


@pytest.mark.parametrize("name", NAMES)
def test_a_used_file_that_is_none(name: str, folder: Path) -> None:
    for text in (f'use "{name}" as other\nplayers A, B\nplay\n  play other\n  draw\n', f'variant of "{name}"\n'):
        problems = [d for d in found(folder, text) if d.is_error]
        assert {d.code for d in problems} <= {"E0435", "E0436", "E0447"} and problems[0].span.line == 1
        assert len(problems[0].message) < 250


@pytest.mark.parametrize("name", NAMES)
def test_an_index_of_clauses_that_is_none(name: str, folder: Path) -> None:
    [d] = [d for d in found(folder, f'game "G"\n  clauses "{name}"\n{PLAY}') if d.is_error]
    assert d.code in ("E0435", "E0444") and d.span.line == 2 and len(d.message) < 250


def test_a_name_with_a_null_character(tmp_path: Path) -> None:
    data = '{"kind": "ruleset", "decls": [{"kind": "variant", "file": "a\\u0000b.gdl", "bindings": []}]}'
    path = tmp_path / "x.json"
    path.write_text(data)
    assert [d.code for d in check_file(path)[1] if d.is_error]


@pytest.mark.parametrize("name", [n for n in NAMES if n])
def test_commands_that_are_given_no_file(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["check"], ["test"], ["fmt", "--check"], ["core"], ["replay"], ["clauses"]):
        assert main([*command, str(folder / name)]) in (1, 2), (command, name)
    assert main(["perft", "tic-tac-toe", "--from", str(folder / name)]) in (1, 2)
    assert "internal error" not in capsys.readouterr().err


def test_examples_and_records_that_are_pipes(folder: Path) -> None:
    (folder / "game.gdl").write_text(PLAY)
    os.mkfifo(folder / "game.examples.yaml")
    assert main(["test", str(folder / "game.gdl")]) == 2
    with pytest.raises(GameDSLError, match="it is a pipe"):
        Record.read(folder / "pipe.gdl")
    with pytest.raises(UsageError, match="it is a pipe"):
        check_file(folder / "pipe.gdl")


def test_a_record_from_a_pipe_that_is_open(tmp_path: Path) -> None:
    """``gamedsl replay /dev/stdin``, ``gamedsl replay <(command)``."""
    read, write = os.pipe()
    os.write(write, b"X: a1\n")
    os.close(write)
    try:
        assert [e.text for e in Record.read(f"/dev/fd/{read}").plies] == ["a1"]
    finally:
        os.close(read)


# ---------------------------------------------------------------------------------------- characters that deceive

BIDI = [chr(c) for c in (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))]
PLACES = [
    'game "a{}b"\n',
    "# a{}b\n",
    "players A, B  # a{}b\n",
    'info\n  about "a{}b"\n',
    'move m by mistake written "{}"\n  when yes "a{}b"\n',
    "define a{}b = 1\n",
]


@pytest.mark.parametrize("text", PLACES)
def test_characters_that_turn_the_direction(text: str, tmp_path: Path) -> None:
    for character in BIDI:
        problems = [d for d in found(tmp_path, text.format(*[character] * 2) + PLAY) if d.is_error]
        assert {d.code for d in problems} <= {"E0103", "E0129"} and problems
        shown = render_all(problems)
        assert character not in shown and f"{ord(character):04X}" in shown


@pytest.mark.parametrize("escaped", [r"\u202e", r"\u2066", r"\u001b", r"\u0085"])
@pytest.mark.parametrize("form", ["json", "yaml"])
def test_characters_in_data(escaped: str, form: str, tmp_path: Path) -> None:
    data = '{"kind": "ruleset", "decls": [{"kind": "game_decl", "title": "a@b"}]}'.replace("@", escaped)
    (tmp_path / f"x.{form}").write_text(data)
    assert [d.code for d in check_file(tmp_path / f"x.{form}")[1]] == ["E0626"]
    examples = 'examples: [{"name": "a@b", "legal_count": 9}]'.replace("@", escaped)
    with pytest.raises(GameDSLError, match="E0612"):
        examples_in(Source("x.examples.yaml", examples))


@pytest.mark.parametrize("escaped", [r"\u202e", r"\u2066", r"\u001b"])
def test_characters_in_an_index_of_clauses(escaped: str, tmp_path: Path) -> None:
    for row in ('{number: "1", text: "a@b"}', '{number: "1@", text: "b"}'):
        (tmp_path / "index.yaml").write_text(f"- {row}\n".replace("@", escaped))
        assert codes(tmp_path, f'game "G"\n  clauses "index.yaml"\n{PLAY}') == ["E0444"]


def test_a_path_with_a_control_character(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[2Jb.gdl"
    path.write_text("nothing\n")
    assert "\x1b" not in render_all(check_file(path)[1])
