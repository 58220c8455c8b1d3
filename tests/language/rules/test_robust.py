"""What an author may trip over, and what somebody hostile may try: diagnostics with a place, never a hang or a traceback."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gamedsl.cli.main import main
from gamedsl.engine.records.record import Record
from gamedsl.lab.base.options import option_values
from gamedsl.lab.examples.example_reader import examples_in
from gamedsl.language.rules import check_file, load_lowered
from gamedsl.language.rules.files import shipped
from gamedsl.language.source.diagnostic import Diagnostic, FileError, GameDSLError
from gamedsl.language.source.render import render_all
from gamedsl.language.source.text import Source
from tests.shipped_sample import sampled

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
        assert main([*command, str(folder / name)]) in (1, 2, 5), (command, name)
    assert main(["perft", "tic-tac-toe", "--from", str(folder / name)]) in (1, 2, 5)
    assert "internal error" not in capsys.readouterr().err


def test_examples_and_records_that_are_pipes(folder: Path) -> None:
    (folder / "game.gdl").write_text(PLAY)
    os.mkfifo(folder / "game.examples.yaml")
    assert main(["test", str(folder / "game.gdl")]) == 5
    with pytest.raises(GameDSLError, match="it is a pipe"):
        Record.read(folder / "pipe.gdl")
    with pytest.raises(FileError, match="it is a pipe"):
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


# ------------------------------------------------------------------------------------------- what takes too long

BOARD = """\
players X, O
board grid 30 by 30
piece mark of player
{}

move place(c: cell)
  when c in empty
  when asked(c)
  {}

play
  turns from X
    me plays place
      stuck
        draw
"""
PUT = "put mark[me] on c"


def doubling(first: str, use: str, last: str) -> str:
    """Sixty definitions, each of which uses the one before twice."""
    chain = [first, *(use.format(this=f"a{i}", that=f"a{i - 1}(c)") for i in range(1, 61))]
    return "\n".join([*chain, f"define asked(c: cell) = {last}"])


DOUBLING = {
    "conditions": doubling("define a0(c: cell) = c in empty", "define {this}(c: cell) = {that} or {that}", "a60(c)"),
    "sets": doubling("define a0(c: cell) = empty - {c}", "define {this}(c: cell) = {that} | {that}", "c in a60(c)"),
    "numbers": doubling(
        "define a0(c: cell): 0..1 = count(mark[X] & {c})",
        "define {this}(c: cell): 0..1 = max({that}, {that})",
        "a60(c) = 0",
    ),
}


@pytest.mark.parametrize("kind", DOUBLING)
def test_definitions_that_double_each_other(kind: str, tmp_path: Path) -> None:
    [d] = [d for d in found(tmp_path, BOARD.format(DOUBLING[kind], PUT)) if d.is_error]
    assert d.code == "E0461" and "`a2" in d.help and "more" in d.help
    line = (tmp_path / "tried.gdl").read_text().splitlines()[d.span.line - 1]
    assert line.startswith("define a3")  # 2^30 and more of them


def test_few_that_double_are_fine(tmp_path: Path) -> None:
    lines = DOUBLING["conditions"].splitlines()
    assert codes(tmp_path, BOARD.format("\n".join([*lines[:13], "define asked(c: cell) = a12(c)"]), PUT)) == []


QUANTIFIED = "define asked(c: cell) = {} x, y, z, w in {}: x != y and z != w"


@pytest.mark.parametrize("kind", ["some", "every", "no", "count"])
@pytest.mark.parametrize("over", ["cell", "empty", "mark[X]"])
def test_loops_inside_loops(kind: str, over: str, tmp_path: Path) -> None:
    asked = QUANTIFIED.format(kind, over)
    if kind == "count":
        asked = asked.replace("= count", "= (count") + ") > 3"
    assert codes(tmp_path, BOARD.format(asked, PUT)) == ["E0461"]


def test_two_loops_are_fine(tmp_path: Path) -> None:
    assert codes(tmp_path, BOARD.format("define asked(c: cell) = some x, y in cell: x != y", PUT)) == []


def test_loops_in_effects(tmp_path: Path) -> None:
    loops = "".join(f"{'  ' * i}for {name} in cell\n  " for i, name in enumerate("xyzw")) + "        " + PUT
    assert codes(tmp_path, BOARD.format("define asked(c: cell) = yes", loops)) == ["E0461"]


def test_too_many_moves(tmp_path: Path) -> None:
    text = BOARD.format("define asked(c: cell) = yes", PUT).replace(
        "(c: cell)\n", "(c: cell, d: cell, e: cell, f: cell)\n"
    )
    assert codes(tmp_path, text) == ["E0462"]


def test_positions_that_fill_the_memory(tmp_path: Path) -> None:
    """2,000 maps over 361 cells are 722,000 values in each of up to 361 positions: 2 GB, from a text of 40 kB. The limit
    is reached at the 181st: 2**19 bytes are 65,536 values of eight bytes, and 181 maps have 65,341 of them."""
    text = BOARD.format("define asked(c: cell) = yes", PUT).replace("30 by 30", "19 by 19")
    maps = "".join(f"  m{i}: cell -> 0..9\n" for i in range(1, 2001))
    found_ = [d for d in found(tmp_path, text.replace("\nmove", f"\nstate\n{maps}\nmove", 1)) if d.is_error]
    assert [d.code for d in found_] == ["E0463"]
    assert 3 < found_[0].span.line < 190


@pytest.mark.parametrize(
    "path", sampled(shipped().values(), "test_shipped_rulesets_take_no_such_time"), ids=lambda p: p.stem
)
def test_shipped_rulesets_take_no_such_time(path: Path) -> None:
    """With the largest value of every option."""
    values = option_values(load_lowered(path))
    largest = {name: found[-1] for name, found in values.items() if len(found) > 1}
    assert not {d.code for d in check_file(path, largest)[1]} & {"E0461", "E0462", "E0463"}
