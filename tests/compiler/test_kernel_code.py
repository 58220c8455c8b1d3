"""Kernels for WebAssembly call no library: older versions of numba call one for a square root."""

from __future__ import annotations

import llvmlite.binding as llvm
import pytest
from llvmlite import ir

from gamedsl.compiler.compile.machine import optimize_for_wasm
from gamedsl.compiler.wasm.kernel_code import _define_square_root

ROOT = """define double @f(double %x) {
  %y = call double @sqrt(double %x)
  ret double %y
}
declare double @sqrt(double) local_unnamed_addr #1
attributes #1 = { nounwind }
"""


@pytest.mark.parametrize("declared", ["", "declare double @llvm.sqrt.f64(double)\n"])
def test_a_square_root_is_an_instruction(declared: str) -> None:
    library = ir.Module()
    _define_square_root(library)
    with llvm.parse_assembly(ROOT + declared) as module:
        module.link_in(llvm.parse_assembly(str(library)))
        optimize_for_wasm(module, "f")
        module.verify()
        assert [f.name for f in module.functions] == ["f", "llvm.sqrt.f64"]
