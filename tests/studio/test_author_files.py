"""The author's files: bounds of the folder, saves that overwrite nothing, unsaved text that nobody can forge, past saves."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from gamedsl.studio.author_files import AuthorFiles, Changed, FileRefused, stamp_of
from gamedsl.studio.text_merge import merged


@pytest.fixture
def files(tmp_path: Path) -> AuthorFiles:
    (tmp_path / "games").mkdir()
    return AuthorFiles(tmp_path / "games", tmp_path / "data")


def test_nothing_outside_the_folder_is_read_or_written(files: AuthorFiles, tmp_path: Path) -> None:
    secret = tmp_path / "secret.gdl"
    secret.write_text("secret")
    (files.root / "link.gdl").symlink_to(secret)
    (files.root / "way").symlink_to(tmp_path)
    wrong = (
        "../secret.gdl",
        "link.gdl",
        "way/secret.gdl",
        str(secret),
        "a/../../secret.gdl",
        "x.txt",
        "",
        "a\0.gdl",
        "a\u202eldg.gdl",
        "a\\..\\b.gdl",
        "c:/x.gdl",
        "a//b.gdl",
        " a.gdl",
        ".a/b.gdl",
        ".gdl",
    )
    for name in wrong:
        with pytest.raises(FileRefused):
            files.read(name)
        with pytest.raises(FileRefused):
            files.save(name, "mine", "")
        with pytest.raises(FileRefused):
            files.keep(name, "mine", "")
    assert secret.read_text() == "secret"
    assert files.names() == []


@pytest.mark.parametrize(
    "name", ["Mühle.gdl", "mu\u0308hle.gdl", "шашки/игра.gdl", "将棋 (9x9), it's #1 & 100 %.gdl", "🎲.gdl"]
)
def test_a_file_may_have_any_name_that_can_be_read(files: AuthorFiles, name: str) -> None:
    (files.root / name).parent.mkdir(exist_ok=True)
    files.save(name, "mine", "")
    assert files.read(name) == "mine" and files.names() == [name]


def test_what_cannot_be_opened_is_not_listed(files: AuthorFiles) -> None:
    """Neither a folder nor a pipe, nor a name that is refused: the first of the list is opened when the page opens."""
    (files.root / "a.gdl").mkdir()
    os.mkfifo(files.root / "b.gdl")
    (files.root / "<c>.gdl").write_text("x")
    (files.root / "d.gdl").write_text("x")
    assert files.names() == ["d.gdl"]


def test_a_save_overwrites_no_change_of_somebody_else(files: AuthorFiles) -> None:
    stamp = files.save("a.gdl", "one", "")
    (files.root / "a.gdl").write_text("theirs")
    with pytest.raises(Changed) as changed:
        files.save("a.gdl", "mine", stamp)
    assert changed.value.text == "theirs"
    assert (files.root / "a.gdl").read_text() == "theirs"
    files.save("a.gdl", "mine", stamp_of("theirs"))
    assert (files.root / "a.gdl").read_text() == "mine"


@pytest.mark.parametrize("theirs", ["theirs", None])
def test_what_somebody_else_writes_during_a_save_is_not_overwritten(
    files: AuthorFiles, monkeypatch: pytest.MonkeyPatch, theirs: str | None
) -> None:
    """The new text goes to the disk before it is renamed, which may take long."""
    path, stamp = files.root / "a.gdl", files.save("a.gdl", "one", "")
    monkeypatch.setattr("os.fsync", lambda _: path.write_text(theirs) if theirs else path.unlink(missing_ok=True))
    with pytest.raises(Changed) as changed:
        files.save("a.gdl", "mine", stamp)
    assert changed.value.text == theirs == files.read("a.gdl")
    assert [p.name for p in files.root.iterdir()] == (["a.gdl"] if theirs else [])


def test_a_text_that_the_file_has_already_is_not_written_again(files: AuthorFiles) -> None:
    files.save("a.gdl", "one", "")
    before = files.trace("a.gdl")
    assert files.save("a.gdl", "one", "") == stamp_of("one")  # as when a page asks twice
    assert files.trace("a.gdl") == before


def test_line_ends_of_a_file_stay_as_they_are(files: AuthorFiles) -> None:
    (files.root / "a.gdl").write_bytes(b"one\r\ntwo\r\n")
    assert files.read("a.gdl") == "one\ntwo\n"
    files.save("a.gdl", "one\nthree\n", stamp_of("one\ntwo\n"))
    assert (files.root / "a.gdl").read_bytes() == b"one\r\nthree\r\n"


def test_every_kind_of_line_end_is_read_as_the_editor_of_the_page_reads_it(files: AuthorFiles) -> None:
    """A lone carriage return ends a line there too: the file would be changed as soon as it is shown."""
    (files.root / "a.gdl").write_bytes(b"one\rtwo\r\nthree\n\rfour")
    assert files.read("a.gdl") == "one\ntwo\nthree\n\nfour"


def test_what_changes_with_a_file_changes_with_every_write(files: AuthorFiles) -> None:
    assert files.trace("a.gdl") is None
    stamp = files.save("a.gdl", "one", "")
    first = files.trace("a.gdl")
    assert first is not None and files.trace("a.gdl") == first
    files.save("a.gdl", "two", stamp)
    assert files.trace("a.gdl") != first


def test_a_text_that_is_too_long_is_refused(files: AuthorFiles) -> None:
    with pytest.raises(FileRefused, match="200,001 characters, and a file in the studio has at most 200,000"):
        files.save("a.gdl", "x" * 200_001, "")
    assert files.read("a.gdl") is None


def test_unsaved_text_comes_back_and_goes_with_the_save(files: AuthorFiles, tmp_path: Path) -> None:
    stamp = files.save("a.gdl", "one", "")
    files.keep("a.gdl", "one two", stamp, "one")
    again = AuthorFiles(files.root, tmp_path / "data").kept("a.gdl")  # as after a crash
    assert again is not None and (again.text, again.stamp, again.base) == ("one two", stamp, "one")
    files.save("a.gdl", "one two", stamp)
    assert files.kept("a.gdl") is None
    assert sorted(p.name for p in files.root.iterdir()) == ["a.gdl"]  # nothing of this among the author's files


@pytest.mark.parametrize("how", ["text", "base", "code", "cut", "other file", "nested", "no object"])
def test_forged_or_damaged_unsaved_text_is_refused_and_put_aside(files: AuthorFiles, how: str) -> None:
    files.keep("a.gdl", "one", "")
    files.keep("b.gdl", "two", "")
    path, other = (files._kept(name) for name in ("a.gdl", "b.gdl"))
    data = json.loads(path.read_text())
    forged = {
        "text": json.dumps(data | {"text": "evil"}),
        "base": json.dumps(data | {"base": "evil"}),
        "code": json.dumps(data | {"code": "A" * 22}),
        "cut": path.read_text()[:30],
        "other file": other.read_text(),
        "nested": "[" * 100_000,
        "no object": "7",
    }
    path.write_text(forged[how])
    with pytest.raises(FileRefused, match="damaged or written by another program"):
        files.kept("a.gdl")
    assert files.kept("a.gdl") is None
    assert path.with_suffix(".damaged").read_text() == forged[how]


def test_every_save_can_be_read_again(files: AuthorFiles) -> None:
    stamp = ""
    for text in ("one", "two", "two"):
        stamp = files.save("a.gdl", text, stamp)
    times = files.saves("a.gdl")
    assert [files.saved("a.gdl", when) for when in times] == ["two", "one"]
    with pytest.raises(FileRefused):
        files.saved("a.gdl", 5)


def test_a_file_that_is_gone_is_written_again_only_by_whoever_knows_that_it_is_gone(files: AuthorFiles) -> None:
    stamp = files.save("a.gdl", "one", "")
    (files.root / "a.gdl").unlink()
    with pytest.raises(Changed) as changed:
        files.save("a.gdl", "two", stamp)
    assert changed.value.text is None
    files.save("a.gdl", "two", stamp_of(changed.value.text))
    assert (files.root / "a.gdl").read_text() == "two"


def test_the_text_of_somebody_else_that_a_save_overwrites_is_among_the_saves(files: AuthorFiles) -> None:
    files.save("a.gdl", "one", "")
    (files.root / "a.gdl").write_text("theirs")
    files.save("a.gdl", "mine", stamp_of("theirs"))
    assert [files.saved("a.gdl", when) for when in files.saves("a.gdl")] == ["mine", "theirs", "one"]


def test_what_one_page_keeps_another_one_does_not_forget(files: AuthorFiles) -> None:
    stamp = files.save("a.gdl", "one", "")
    files.keep("a.gdl", "typed in one page", stamp)
    files.forget("a.gdl", None)
    files.save("a.gdl", "typed in another", stamp, None)
    kept = files.kept("a.gdl")
    assert kept is not None and kept.text == "typed in one page"
    files.save("a.gdl", "typed in one page, to its end", stamp_of("typed in another"), kept.text)
    assert files.kept("a.gdl") is None


def test_every_text_that_can_be_saved_can_be_kept(files: AuthorFiles) -> None:
    """As JSON, these are up to six times as long."""
    for text in ("\n" * 200_000, "\u00e4" * 200_000, "\\" * 200_000):
        files.keep("a.gdl", text, "")
        kept = files.kept("a.gdl")
        assert kept is not None and kept.text == text
    with pytest.raises(FileRefused, match="200,001 characters, and a file in the studio has at most 200,000"):
        files.keep("a.gdl", "x" * 200_001, "")


@pytest.mark.parametrize("how", ["file", "strange names", "folders"])
def test_a_damaged_history_hinders_no_save(files: AuthorFiles, how: str) -> None:
    stamp = files.save("a.gdl", "one", "")
    folder = files._saves("a.gdl")
    if how == "file":
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
        folder.write_text("x")
    elif how == "strange names":
        for name in ("\u00b2\u00b2", "5", "9" * 200, "x", "-1"):
            (folder / f"{name}.txt").write_text("x")
    else:
        (folder / "999999999999999.txt").mkdir()
    files.save("a.gdl", "two", stamp)
    assert (files.root / "a.gdl").read_text() == "two"
    expected = [] if how == "file" else ["two", "one"]
    assert [files.saved("a.gdl", when) for when in files.saves("a.gdl")] == expected


def test_a_mark_at_the_beginning_stays_and_one_line_end_does_not_change_all(files: AuthorFiles) -> None:
    path = files.root / "a.gdl"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\nthree\nfour\n")
    stamp = stamp_of(files.read("a.gdl"))
    files.save("a.gdl", "one\ntwo\nthree\nfive\n", stamp)
    assert path.read_bytes() == b"\xef\xbb\xbfone\ntwo\nthree\nfive\n"


def test_the_key_of_a_folder_is_the_same_after_a_restart(files: AuthorFiles, tmp_path: Path) -> None:
    again = AuthorFiles(files.root, tmp_path / "data")
    assert again.opens(files.key) and not again.opens("") and not again.opens("ä" * 22)
    assert AuthorFiles(tmp_path, tmp_path / "data").key != files.key
    assert (tmp_path / "data" / "secret").stat().st_mode & 0o077 == 0


def test_two_changes_become_one_text_unless_they_touch() -> None:
    base = "a\nb\nc\nd\ne\n"
    assert merged(base, "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n") == "A\nb\nc\nd\nE\n"
    assert merged(base, "a\nb\nc\nd\ne\nf\n", "0\na\nb\nc\nd\ne\n") == "0\na\nb\nc\nd\ne\nf\n"
    assert merged(base, "a\nX\nc\nd\ne\n", "a\nX\nc\nd\ne\n") == "a\nX\nc\nd\ne\n"  # the same change
    assert merged(base, "a\nX\nc\nd\ne\n", "a\nY\nc\nd\ne\n") is None
    assert merged(base, "a\nc\nd\ne\n", "a\nb\nY\nd\ne\n") is None  # neighbors
    assert merged("", "mine", "theirs") is None
