"""Compiled code kept on disk: found again, and never used when it is damaged, cut short or another's."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl.core.nodes import Program
from gamedsl.native import binding
from gamedsl.native.binding import Native

COUNTS = {"tic-tac-toe": (5, 9 * 8 * 7 * 6 * 5), "nim": (1, 3 + 4 + 5)}  # depth, sequences


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GAMEDSL_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


@pytest.fixture
def compiles(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The programs that were compiled, not found."""
    seen: list[str] = []
    write = binding.write

    def counted(program: Program, *rest: object) -> object:
        seen.append(program.name)
        return write(program, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(binding, "write", counted)
    return seen


def works(name: str = "tic-tac-toe") -> None:
    """A new process' way: nothing is remembered but what is on the disk."""
    depth, sequences = COUNTS[name]
    assert Native(gamedsl.load(name).program).perft(None, depth) == sequences


def only_file(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


def test_what_is_kept_is_found_again(folder: Path, compiles: list[str]) -> None:
    works()
    works()
    assert compiles == ["tic-tac-toe"]


def damage_middle(data: bytes) -> bytes:
    at = len(data) // 2
    return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]


DAMAGES = {
    "one bit": damage_middle,
    "cut short": lambda data: data[: len(data) * 2 // 3],
    "empty": lambda data: b"",
    "longer": lambda data: data + b"\0",
    "no head": lambda data: data[data.index(b"\n") :],
    "not json": lambda data: b"{" + data,
    "a list for a head": lambda data: b"[1, 2]\n" + data,
    "zeros": lambda data: bytes(len(data)),
    "other format": lambda data: data.replace(b"gamedsl code", b"gamedsl core", 1),
    "text": lambda data: "verse über Vögel\n".encode() * 50,
}


@pytest.mark.parametrize("how", DAMAGES)
def test_damaged_code_is_made_anew(how: str, folder: Path, compiles: list[str]) -> None:
    works()
    file = only_file(folder)
    whole = file.read_bytes()
    file.write_bytes(DAMAGES[how](whole))
    works()
    assert compiles == ["tic-tac-toe"] * 2
    assert only_file(folder).read_bytes() == whole


def test_code_of_other_rules_is_not_used(folder: Path, compiles: list[str]) -> None:
    works("nim")
    other = only_file(folder).read_bytes()
    works()
    mine = next(f for f in folder.iterdir() if f.read_bytes() != other)
    mine.write_bytes(other)
    works()
    assert compiles == ["nim", "tic-tac-toe", "tic-tac-toe"]


def test_a_folder_in_the_files_place(folder: Path) -> None:
    works()
    file = only_file(folder)
    file.unlink()
    file.mkdir()
    works()


def test_a_folder_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("GAMEDSL_CACHE", str(blocked / "below"))
    works()


def test_nothing_is_kept_when_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiles: list[str]) -> None:
    monkeypatch.setenv("GAMEDSL_CACHE", "off")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    works()
    works()
    assert len(compiles) == 2 and not (tmp_path / "home").exists()


def test_options_are_kept_apart(folder: Path) -> None:
    for n in (2, 3):
        game = gamedsl.load("m-n-k", m=n, n=n, k=2)
        assert Native(game.program).perft(None, 2) == n * n * (n * n - 1)
    assert len(list(folder.iterdir())) == 2
