"""LLVM objects are freed explicitly and in reverse order, so that none is left when Python exits."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from llvmlite.binding import ffi
from llvmlite.binding.newpassmanagers import ModulePassManager

import gamedsl
from gamedsl.compiler.compile import machine
from gamedsl.compiler.compile.compiler import ProgramForms, Wanted, write

ROOT = Path(__file__).parents[2]
THREE = "define i64 @three() {\n ret i64 3\n}"
MADE_FIRST = ["TargetMachine", "ModuleRef", "TargetData", "PipelineTuningOptions", "PassBuilder", "ModulePassManager"]


@pytest.fixture
def living(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What has been made and not been freed, with ``freed`` in the order of freeing."""
    found: list[str] = []
    begin, close = ffi.ObjectRef.__init__, ffi.ObjectRef.close

    def made(self: Any, ptr: Any) -> None:
        begin(self, ptr)
        if type(self).__name__ in MADE_FIRST:
            found.append(type(self).__name__)

    def freed(self: Any) -> None:
        if not self.closed and type(self).__name__ in MADE_FIRST:
            later = found[found.index(type(self).__name__) + 1 :]
            assert not later, f"{type(self).__name__} is freed before {later}"
            found.pop()
        close(self)

    machine.features()
    monkeypatch.setattr(ffi.ObjectRef, "__init__", made)
    monkeypatch.setattr(ffi.ObjectRef, "close", freed)
    return found


def test_compiling_leaves_nothing(living: list[str]) -> None:
    assert machine.object_code(THREE)
    assert living == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_interrupted_compiling_leaves_nothing(
    error: type[BaseException], living: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though the error, with the frames that it came through, is kept."""

    def stopped(*_: Any) -> None:
        raise error

    monkeypatch.setattr(ModulePassManager, "run", stopped)
    with pytest.raises(error) as kept:
        machine.object_code(THREE)
    assert kept.tb is not None and living == []


def test_code_that_is_none() -> None:
    for junk in (b"junk", b""):
        with pytest.raises(ValueError, match="not machine code"):
            machine.Code(junk, ["three"])
    with pytest.raises(ValueError, match="lacks four"):
        machine.Code(machine.object_code(THREE), ["three", "four"])
    assert machine.Code(machine.object_code(THREE), ["three"]).addresses["three"]


LOAD = "import gamedsl; g = gamedsl.load('tic-tac-toe', backend='native'); s = g.initial_state(); loop = [g]; loop.append(loop)"
ENDS = {
    "error": f"{LOAD}\nraise SystemExit('over')",
    "thread": f"import threading\nthreading.Thread(target=lambda: exec({LOAD!r}, globals())).start()\nraise SystemExit('over')",
    "daemon": "import threading\nfrom gamedsl.compiler.compile.machine import object_code\n"
    f"def work():\n  while True: object_code({THREE!r})\n"
    "threading.Thread(target=work, daemon=True).start()\nraise SystemExit('over')",
}


@pytest.mark.parametrize("end", ENDS)
def test_python_ends_quietly(end: str) -> None:
    found = subprocess.run([sys.executable, "-c", ENDS[end]], capture_output=True, text=True, timeout=100)
    assert (found.returncode, found.stdout, found.stderr) == (1, "", "over\n")


@pytest.mark.skipif(sys.platform != "linux", reason="the numbers of the system call are those of Linux")
def test_code_and_its_tables_are_loaded_together() -> None:
    """Also where the address space is full of holes, as when other arrays take gigabytes."""
    done = subprocess.run([sys.executable, "-m", "tests.compiler.far_holes"], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str([20] * 7)


@pytest.mark.parametrize(("side", "functions"), [(11, 0), (12, 1)])
def test_floods_of_large_boards_share_a_function(side: int, functions: int) -> None:
    """121 points fit into two words, and 144 do not. The rules of Go ask for floods of both colors' stones under one relation,
    and so does each copy of a move for its mover."""
    text = write(ProgramForms(gamedsl.load("go", n=side).program), Wanted("quick")).ir
    assert text.count('define internal {i64, i64, i64} @"flood') == functions
    assert (text.count('call {i64, i64, i64} @"flood') > 8) == bool(functions)
