"""The cache of compiled code: entries are found again; damaged, truncated or foreign ones are never used."""

from __future__ import annotations

import ctypes
import importlib
import os
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gamedsl
from gamedsl.compiler import cutoffs
from gamedsl.compiler.compile import machine
from gamedsl.compiler.compile.compiler import ProgramForms, Text, Wanted
from gamedsl.compiler.host import cache_folder, kernel_cache
from gamedsl.compiler.host import code_cache as store
from gamedsl.compiler.host.binding import Native
from gamedsl.compiler.host.calling import kernel

MOVES = {"tic-tac-toe": 9, "nim": 3 + 4 + 5}  # legal at the start


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own. Its code is not optimized, which takes most of the time: the tests are about the files."""
    optimized = machine.object_code
    monkeypatch.setattr(machine, "object_code", lambda text, level: optimized(text, min(level, 0)))
    monkeypatch.setenv("GAMEDSL_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


@pytest.fixture
def compiles(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The programs that were compiled, not found."""
    seen: list[str] = []
    write = store.write

    def counted(forms: ProgramForms, wanted: Wanted) -> Text:
        seen.append(forms.program.name)
        return write(forms, wanted)

    monkeypatch.setattr(store, "write", counted)
    return seen


def works(name: str = "tic-tac-toe") -> None:
    """A new process' way: nothing is remembered but what is on the disk."""
    assert first_moves(gamedsl.load(name)) == MOVES[name]


def first_moves(game: gamedsl.Game) -> int:
    native = Native(game.program)
    context = native.context()
    return native.entry("count")(context.pointer, ctypes.addressof(native.initial(context)))


def only_file(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


def test_what_is_kept_is_found_again(folder: Path, compiles: list[str]) -> None:
    works("nim")
    works("nim")
    assert compiles == ["nim"]


def test_other_cutoffs_have_code_of_their_own(
    folder: Path, compiles: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    works("nim")
    with monkeypatch.context() as changed:
        changed.setattr(cutoffs, "WORK", cutoffs.WORK * 2)
        works("nim")
    works("nim")
    assert compiles == ["nim", "nim"] and len(list(folder.iterdir())) == 2


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
    "deep json": lambda data: b"[" * 100_000,
    "a number of many digits": lambda data: b"1" * 100_000,
    "no unicode": lambda data: b"\xff\xfe" * 100,
    "text": lambda data: "verse über Vögel\n".encode() * 50,
}


def test_damaged_code_is_made_anew(folder: Path, compiles: list[str]) -> None:
    works("nim")
    file = only_file(folder)
    whole = file.read_bytes()
    for tried, damage in enumerate(DAMAGES.values(), start=2):
        file.write_bytes(damage(whole))
        works("nim")
        assert compiles == ["nim"] * tried
        assert only_file(folder).read_bytes() == whole


def test_code_of_other_rules_is_not_used(folder: Path, compiles: list[str]) -> None:
    works("nim")
    other = only_file(folder).read_bytes()
    works("tic-tac-toe")
    mine = next(f for f in folder.iterdir() if f.read_bytes() != other)
    mine.write_bytes(other)
    works("tic-tac-toe")
    assert compiles == ["nim", "tic-tac-toe", "tic-tac-toe"]


def test_a_folder_in_the_files_place(folder: Path) -> None:
    works("nim")
    file = only_file(folder)
    file.unlink()
    file.mkdir()
    works("nim")


def test_a_folder_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("GAMEDSL_CACHE", str(blocked / "below"))
    works("nim")


def test_a_pipe_in_the_files_place_is_not_waited_for(folder: Path, compiles: list[str]) -> None:
    works("nim")
    file = only_file(folder)
    file.unlink()
    os.mkfifo(file)
    works("nim")
    assert compiles == ["nim"] * 2
    assert file.is_file()


def test_a_link_in_the_files_place_is_not_followed(folder: Path, tmp_path: Path, compiles: list[str]) -> None:
    works("nim")
    file = only_file(folder)
    file.rename(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    works("nim")
    assert compiles == ["nim"] * 2
    assert not file.is_symlink()


def test_a_link_to_the_folder_is_followed(folder: Path, tmp_path: Path, compiles: list[str]) -> None:
    """A user may keep the cache on another disk: what counts is who can change the folder that it leads to."""
    (tmp_path / "disk").mkdir(mode=0o700)
    folder.symlink_to(tmp_path / "disk")
    works("nim")
    works("nim")
    assert compiles == ["nim"]


def test_only_the_user_can_read_or_change_what_is_kept(folder: Path) -> None:
    before = os.umask(0)
    try:
        works()
    finally:
        os.umask(before)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert only_file(folder).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o755, 0o701])
def test_a_folder_that_is_not_private_is_not_used(
    mode: int, folder: Path, compiles: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing is loaded from it nor put into it; one line says so, with the cure."""
    works("nim")
    folder.chmod(mode)
    cache_folder._note.cache_clear()
    works("nim")
    works("nim")
    assert compiles == ["nim"] * 3
    assert len(list(folder.iterdir())) == 1
    assert caplog.messages == [f"note: compiled code is not kept in {folder}: it is not private (`chmod 700 {folder}`)"]


def test_a_folder_that_others_can_exchange_is_not_used(
    folder: Path, compiles: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who can write to a folder above can put another in its place; where only the owner can remove (/tmp) nobody can."""
    above = folder.parent / "above"
    for mode, kept in ((0o777, 2), (0o1777, 1)):
        compiles.clear()
        above.mkdir(exist_ok=True)
        above.chmod(mode)
        monkeypatch.setenv("GAMEDSL_CACHE", str(above / "kept"))
        works()
        works()
        assert len(compiles) == kept


def test_what_belongs_to_another_user_is_not_used(
    folder: Path, compiles: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    works("nim")
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    works("nim")
    assert compiles == ["nim"] * 2


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_can_change_is_not_used(mode: int, folder: Path, compiles: list[str]) -> None:
    works("nim")
    only_file(folder).chmod(mode)
    works("nim")
    assert compiles == ["nim"] * 2
    assert only_file(folder).stat().st_mode & 0o777 == 0o600


def test_a_full_disk_leaves_nothing_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store.os, "replace", full)
    works("nim")
    assert list(folder.iterdir()) == []


PACKAGE = {
    "__init__.py": "",
    "constants.py": "STEP = 2\nOTHER = 3\n",
    "callee.py": "from gamedsl.compiler.host.calling import kernel\n\n\n@kernel\ndef twice(x):\n    return 2 * x\n",
    "caller.py": (
        "from gamedsl.compiler.host.calling import kernel\nfrom sample.callee import twice\nfrom sample.constants import STEP\n"
        "\n\n@kernel\ndef run(x):\n    return twice(x) + STEP\n"
    ),
    "beside.py": "ANYTHING = 1\n",
}


def package_in(place: Path) -> Path:
    """A package of two kernels, one of which calls the other."""
    package = place / "sample"
    package.mkdir(parents=True)
    for name, text in PACKAGE.items():
        (package / name).write_text(text, encoding="utf-8")
    return package


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], tuple[int, bool]]:
    """A function that imports a package anew: what its kernel gives, and whether it was in the cache."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def call(package: Path) -> tuple[int, bool]:
        for name in [name for name in sys.modules if name.partition(".")[0] == "sample"]:
            del sys.modules[name]
        kernel_cache._contents.cache_clear()
        with monkeypatch.context() as patch:
            patch.syspath_prepend(str(package.parent))
            run = importlib.import_module("sample.caller").run
            return run(20), run.stats.cache_hits.total() == 1

    return call


def test_a_kernel_is_compiled_anew_when_what_it_calls_has_changed(tmp_path: Path, folder: Path, called: Any) -> None:
    package = package_in(tmp_path)
    assert called(package) == (42, False)
    (package / "beside.py").write_text("ANYTHING = 2\n", encoding="utf-8")
    (package / "constants.py").write_text("STEP = 2\nOTHER = 4\n", encoding="utf-8")
    assert called(package) == (42, True)
    (package / "constants.py").write_text("STEP = 3\n", encoding="utf-8")
    assert called(package) == (43, False)
    callee = PACKAGE["callee.py"].replace("2 * x", "3 * x")
    (package / "callee.py").write_text(callee, encoding="utf-8")
    assert called(package) == (63, False)


def test_another_copy_of_the_source_uses_the_same_kernels(tmp_path: Path, folder: Path, called: Any) -> None:
    """Only the kernel called from Python is kept: what it calls is part of it. A damaged file is never unpickled."""
    assert called(package_in(tmp_path / "first")) == (42, False)
    other = package_in(tmp_path / "second")
    assert called(other) == (42, True)
    kept = only_file(folder)
    assert not list(tmp_path.rglob("*.nbi"))
    kept.write_bytes(kept.read_bytes()[:-1])
    assert called(other) == (42, False)
    assert called(other) == (42, True)


def test_nothing_is_kept_when_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiles: list[str]) -> None:
    monkeypatch.setenv("GAMEDSL_CACHE", "off")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    works("nim")
    works("nim")
    assert len(compiles) == 2 and not (tmp_path / "home").exists()


def test_options_are_kept_apart(folder: Path) -> None:
    for n in (2, 3):
        game = gamedsl.load("m-n-k", m=n, n=n, k=2)
        assert first_moves(game) == n * n
    assert len(list(folder.iterdir())) == 2


def test_a_constant_is_no_reason_to_compile_a_kernel_again() -> None:
    @kernel
    def inner(n: int) -> int:
        return 2 * n + 1

    @kernel
    def outer(most: int) -> int:
        n = 1
        while n < most:
            n = inner(n)
        return n + inner(0)

    assert outer(6) == 8  # 1, 3, 7
    assert len(inner.part.signatures) == 1  # type: ignore[attr-defined]
    assert not inner.signatures  # type: ignore[attr-defined]  # machine code only for calls from Python


def test_a_kernel_that_cannot_be_cached_runs_all_the_same() -> None:
    @kernel
    def doubled(n: int) -> int:
        return 2 * n

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16, before[1]))  # as if the disk were full
    try:
        assert doubled(21) == 42
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
