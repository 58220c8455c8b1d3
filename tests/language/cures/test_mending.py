"""`check --fix`: what it corrects, what it leaves alone, and how the file looks afterwards."""

from __future__ import annotations

import io
import json
import random
import re
from pathlib import Path

import pytest

from gamedsl.cli.main import main
from gamedsl.language.cures import cured, mend_file
from gamedsl.language.rules import check_file, shipped
from gamedsl.language.source import Edit, Source, Span, apply_edits
from gamedsl.language.syntax import parse_ruleset
from gamedsl.language.syntax.foreign_words import FOREIGN_OPERATORS

GAME = """\
# A game of my own
players X, O
board grid 3 by 3
peice mark of player   # misspelled

move place(c: cell)
  when c in empty
  put mark[me] on c

play
  turns from X
    me plays place
    if   count(empty) == 0
      draw
"""
MENDED = GAME.replace("peice", "piece").replace("==", "=")


def test_safe_fixes_keep_everything_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.gdl"
    path.write_text(GAME, encoding="utf-8")
    assert main(["check", str(path), "--fix"]) == 0
    assert path.read_text(encoding="utf-8") == MENDED
    said = capsys.readouterr().err
    assert "mine.gdl:4: Change `peice` to `piece`" in said
    assert "mine.gdl:13: Write `=`" in said


@pytest.mark.parametrize(("word", "operator"), FOREIGN_OPERATORS.items())
def test_operators_that_other_languages_write_as_words(word: str, operator: str) -> None:
    text = f"define both = one {word} two\n"
    [found] = parse_ruleset(Source("mine.gdl", text))[1]
    assert (found.code, found.near) == ("E0101", (operator,))
    [fix] = cured([found])[0].fixes
    mended = apply_edits(text, fix.edits)
    assert (mended, parse_ruleset(Source("mine.gdl", mended))[1]) == (f"define both = one {operator} two\n", ())


def test_a_word_that_no_operator_can_replace_has_no_such_cure() -> None:
    [found] = parse_ruleset(Source("mine.gdl", "players X, O minus P\n"))[1]
    assert found.near == ()


def test_line_ends_and_byte_order_mark_stay(tmp_path: Path) -> None:
    path = tmp_path / "mine.gdl"
    path.write_bytes(b"\xef\xbb\xbf" + GAME.replace("\n", "\r\n").encode())
    assert main(["check", str(path), "--fix"]) == 0
    assert path.read_bytes() == b"\xef\xbb\xbf" + MENDED.replace("\n", "\r\n").encode()


def test_what_another_program_writes_in_the_meantime_is_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.gdl"
    path.write_text(GAME, encoding="utf-8")
    monkeypatch.setattr("os.fsync", lambda _: path.write_text("# theirs\n", encoding="utf-8"))
    assert main(["check", str(path), "--fix"]) == 5
    assert "cannot be written: another program has changed it in the meantime" in capsys.readouterr().err
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("mine.gdl", "# theirs\n")]


def test_an_unsafe_fix_is_left_to_the_author(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.gdl"
    wrong = MENDED.replace("put mark[me]", "put mrak[me]")
    path.write_text(wrong, encoding="utf-8")
    before = path.stat()
    assert main(["check", str(path), "--fix"]) == 1
    assert (path.stat().st_ino, path.read_text(encoding="utf-8")) == (before.st_ino, wrong)
    assert "mine.gdl: 1 more with `gamedsl check --fix --unsafe`" in capsys.readouterr().err
    assert main(["check", str(path), "--fix", "--unsafe"]) == 0
    assert "--unsafe" not in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == MENDED


def test_the_word_that_was_meant_is_the_first_fix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same edit may be found in two ways; it stays where it was found first."""
    path = tmp_path / "mine.gdl"
    path.write_text(shipped()["hex"].read_text(encoding="utf-8").replace("  put ", "  putt ", 1), encoding="utf-8")
    assert main(["check", "--fix", "--unsafe", str(path)]) == 0
    assert "Change `putt` to `put`" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == shipped()["hex"].read_text(encoding="utf-8")


def test_unsafe_alone_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "mine.gdl", "--unsafe"]) == 2
    assert "--fix" in capsys.readouterr().err


def test_standard_input_is_not_a_file_to_correct(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file with the name `-` was written."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(GAME.encode())))
    assert main(["check", "-", "--fix"]) == 2
    assert "`-` is the standard input" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_fix_in_another_file_is_not_made_here(tmp_path: Path) -> None:
    """The used file has the mistake; correcting the one that uses it changes neither."""
    (tmp_path / "part.gdl").write_text(GAME, encoding="utf-8")
    path = tmp_path / "mine.gdl"
    path.write_text('use "part.gdl" as part\nplayers X, O\nplay\n  play part\n  draw\n', encoding="utf-8")
    text = path.read_text(encoding="utf-8")
    assert mend_file(path, unsafe=True).applied == []
    assert path.read_text(encoding="utf-8") == text
    assert (tmp_path / "part.gdl").read_text(encoding="utf-8") == GAME


def test_json_and_sarif_carry_the_edits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.gdl"
    path.write_text(GAME, encoding="utf-8")
    main(["check", str(path), "--format", "json"])
    found = json.loads(capsys.readouterr().out)["files"][0]["diagnostics"][0]
    place = {"path": str(path), "line": 4, "column": 1, "end_line": 4, "end_column": 6}
    edits = [{"place": place, "text": "piece"}]
    assert found["fixes"] == [{"title": "Change `peice` to `piece`", "safe": True, "edits": edits}]
    main(["check", str(path), "--format", "sarif"])
    result = json.loads(capsys.readouterr().out)["runs"][0]["results"][0]
    region = {"startLine": 4, "startColumn": 1, "endLine": 4, "endColumn": 6}
    assert result["fixes"][0]["description"] == {"text": "Change `peice` to `piece`"}
    assert result["fixes"][0]["artifactChanges"][0]["replacements"] == [
        {"deletedRegion": region, "insertedContent": {"text": "piece"}}
    ]


def test_edits_that_overlap_are_refused() -> None:
    source = Source("x", "abcd")
    with pytest.raises(ValueError, match="overlap"):
        apply_edits("abcd", [Edit(Span(source, 0, 3), ""), Edit(Span(source, 2, 4), "")])


def _spoiled(text: str, chance: random.Random) -> str:
    """A text with one word misspelled, doubled, or left out."""
    words = [
        m
        for m in re.finditer(r"(?m)\w+|[^\w\s]", text)
        if "#" not in text[text.rfind("\n", 0, m.start()) + 1 : m.start()]
    ]
    word = chance.choice(words)
    how = chance.randrange(3)
    new = "" if how == 0 else f"{word.group()} {word.group()}" if how == 1 else word.group()[::-1]
    return text[: word.start()] + new + text[word.end() :]


def _mend_spoiled(name: str, path: Path, times: int) -> None:
    """Mending never makes more mistakes, and never fails, whatever word is wrong."""
    original = path.read_text(encoding="utf-8")
    chance = random.Random(name)
    copy = path.with_name(f"spoiled_{name}.gdl")
    for _ in range(times):
        copy.write_text(_spoiled(original, chance), encoding="utf-8")
        before = [d for d in cured(check_file(copy)[1]) if d.is_error]
        left = [d for d in mend_file(copy, unsafe=True).left if d.is_error]
        assert len(left) <= len(before) or before[0].code.startswith("E01")
        assert [d.code for d in check_file(copy)[1] if d.is_error] == [d.code for d in left]


QUICK = ("reversi", "hex", "backgammon")


@pytest.mark.parametrize(
    "name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in sorted(shipped())]
)
def test_mending_spoiled_rulesets(name: str, tmp_path: Path) -> None:
    _mend_spoiled(name, _copied(name, tmp_path), 3)


def _copied(name: str, folder: Path) -> Path:
    """A copy of a ruleset with the files beside it."""
    for file in shipped()[name].parent.glob("*"):
        if file.is_file():
            (folder / file.name).write_bytes(file.read_bytes())
    return folder / shipped()[name].name
