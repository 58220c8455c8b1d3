"""Kernels for WebAssembly call no library: older versions of numba call one for a square root."""

from __future__ import annotations

import llvmlite.binding as llvm
import pytest

from gamedsl.compiler.wasm.kernel_code import _with_instructions

ROOT = """define double @f(double %x) {
  %y = call double @sqrt(double %x)
  ret double %y
}
declare double @sqrt(double) local_unnamed_addr #1
attributes #1 = { nounwind }
"""


@pytest.mark.parametrize("declared", ["", "declare double @llvm.sqrt.f64(double)\n"])
def test_a_square_root_is_an_instruction(declared: str) -> None:
    with llvm.parse_assembly(_with_instructions(ROOT + declared)) as module:
        module.verify()
        assert [f.name for f in module.functions] == ["f", "llvm.sqrt.f64"]
