"""The code of the kernels that pages call is shipped, and is that of the sources."""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from gamedsl.agents.wasm_search import all_kernels
from gamedsl.compiler.wasm import kernel_code
from scripts import wasm_kernels

LOCKED = Path(__file__).parents[2] / "constraints.txt"


def test_they_are_those_of_the_sources() -> None:
    """`python -m scripts.wasm_kernels` compiles them anew."""
    names = {kernel_code.shipped_file(kernels).name for kernels in all_kernels()}
    assert names == {file.name for file in kernel_code.SHIPPED.iterdir()}


def test_those_of_a_newer_llvm_are_compiled_here(monkeypatch: pytest.MonkeyPatch) -> None:
    kernels, _ = all_kernels()
    monkeypatch.setattr(kernel_code, "_cached_text", lambda _: "compiled")
    assert kernel_code.kernel_text(kernels).startswith("; LLVM ")
    monkeypatch.setattr(llvm, "llvm_version_info", (11, 1, 0))
    assert kernel_code.kernel_text(kernels) == "compiled"


def test_other_kernels_are_compiled_here(monkeypatch: pytest.MonkeyPatch) -> None:
    kernels, _ = all_kernels()
    monkeypatch.setattr(kernel_code, "_cached_text", lambda _: "compiled")
    assert kernel_code.kernel_text({"other name": kernels["run_iterations"]}) == "compiled"


@pytest.mark.slow
def test_they_are_compiled_to_the_same_bytes(tmp_path: Path) -> None:
    locked = LOCKED.read_text(encoding="utf-8").splitlines()
    if not all(f"{name}=={version(name)}" in locked for name in ("numba", "llvmlite")):
        pytest.skip("they are compiled with the locked versions")
    assert wasm_kernels.main([str(tmp_path)]) == 0
    contents = [
        {file.name: file.read_bytes() for file in folder.iterdir()} for folder in (tmp_path, kernel_code.SHIPPED)
    ]
    assert contents[0] == contents[1], sys.version
