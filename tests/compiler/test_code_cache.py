"""The cache of compiled code: entries are found again; damaged, truncated or foreign ones are never used."""

from __future__ import annotations

import ctypes
import os
import resource
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import numba
import pytest

import gamedsl
from gamedsl.compiler import cutoffs
from gamedsl.compiler.compile import machine
from gamedsl.compiler.compile.compiler import ProgramForms, Text, Wanted
from gamedsl.compiler.host import cache_folder, calling, kernel_cache
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
        changed.setattr(cutoffs, "TABLE_WORK", cutoffs.TABLE_WORK * 2)
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
RUN = (
    "import sys; sys.path.insert(0, sys.argv[1])\n"
    "import sample.beside; from sample.caller import run; from gamedsl.compiler.host.kernel_cache import digest\n"
    "print(run(20), len(run.stats.cache_hits), digest('sample.caller'))\n"
)


def called(package: Path) -> tuple[int, bool, str]:
    """In a process of its own: what the kernel gives, whether it was kept, the digest that it is kept by."""
    command = [sys.executable, "-c", RUN, str(package.parent)]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return int(found[0]), found[1] == "1", found[2]


def test_a_kernel_is_compiled_anew_when_what_it_calls_has_changed(tmp_path: Path) -> None:
    package = tmp_path / "sample"
    package.mkdir()
    for name, text in PACKAGE.items():
        (package / name).write_text(text, encoding="utf-8")
    result, was_kept, first = called(package)
    assert (result, was_kept) == (42, False)
    assert called(package) == (42, True, first)
    (package / "beside.py").write_text("ANYTHING = 2\n", encoding="utf-8")
    (package / "constants.py").write_text("STEP = 2\nOTHER = 4\n", encoding="utf-8")
    assert called(package) == (42, True, first)
    (package / "constants.py").write_text("STEP = 3\n", encoding="utf-8")
    result, was_kept, second = called(package)
    assert (result, was_kept, second != first) == (43, False, True)
    callee = PACKAGE["callee.py"].replace("2 * x", "3 * x")
    (package / "callee.py").write_text(callee, encoding="utf-8")
    result, was_kept, third = called(package)
    assert (result, was_kept, third != second) == (63, False, True)
    folders = list((package / "__pycache__").glob("caller-kernels-*"))
    assert len(folders) == 1, "what an older source gave is removed"


def test_kernels_of_a_package_that_cannot_be_written_to(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are kept in the private folder, not where numba would put them; nowhere when there is none."""

    def sample(where: Path) -> FunctionType:
        code = compile("def sample(x): return x", str(where / "sample.py"), "exec")
        found: dict[str, FunctionType] = {}
        exec(code, {"__name__": calling.__name__}, found)
        return found["sample"]

    beside, away = sample(tmp_path), sample(tmp_path / "package")
    where = kernel_cache.kernel_folder(beside)
    assert where is not None and where.parent == tmp_path / "__pycache__"
    where = kernel_cache.kernel_folder(beside, str(tmp_path / "chosen"))
    assert where is not None and where.parent == tmp_path / "chosen"
    where = kernel_cache.kernel_folder(away)
    assert where is not None and where.parent == folder / "kernels"
    with kernel_cache.kept(away) as is_kept:
        assert is_kept
        assert str(where) == numba.config.CACHE_DIR
    assert numba.config.CACHE_DIR == ""
    folder.chmod(0o777)
    with kernel_cache.kept(away) as is_kept:
        assert not is_kept


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
    assert len(inner.signatures) == 1  # type: ignore[attr-defined]


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
