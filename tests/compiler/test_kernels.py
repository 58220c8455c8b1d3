"""Kernels that borrow their arrays, and kernels that own some: laws of the source, because a breach would corrupt memory."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numba.core.errors import NumbaError

from gamedsl.compiler.host.calling import allocating_kernel, kernel

ROOT = Path(__file__).parents[2] / "gamedsl"
PLAIN = {"int", "bool", "float", "None", "Any", "np.uint64"}


def kernels(decorator: str) -> Iterator[ast.FunctionDef]:
    """The functions with this decorator."""
    for path in sorted(ROOT.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if f"@{decorator}" not in text:
            continue  # parsing the whole package takes seconds
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                if any(isinstance(d, ast.Name) and d.id == decorator for d in node.decorator_list):
                    yield node


def test_kernels_that_own_arrays_call_none_that_lends_some() -> None:
    """What a ``kernel`` returns is not counted, and an ``allocating_kernel`` would free it."""
    lending = {f.name for f in kernels("kernel") if f.returns is None or ast.unparse(f.returns) not in PLAIN}
    assert "particle_at" in lending
    for owner in kernels("allocating_kernel"):
        called = {n.func.id for n in ast.walk(owner) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
        assert not called & lending, owner.name


def test_kernels_need_nothing_of_python() -> None:
    """What is compiled into another kernel has no environment of Python objects, from which it would raise or print."""
    for decorator in ("kernel", "allocating_kernel"):
        for f in kernels(decorator):
            for node in ast.walk(f):
                assert not isinstance(node, ast.Raise | ast.Assert | ast.Try | ast.With), f.name
                assert not (isinstance(node, ast.Name) and node.id in ("print", "objmode")), f.name


def test_a_kernel_cannot_make_arrays() -> None:
    @kernel
    def made(n: int) -> int:
        return len(np.zeros(n))

    with pytest.raises(NumbaError):
        made(3)


def test_a_kernel_may_call_one_that_makes_arrays() -> None:
    @allocating_kernel
    def made(n: int) -> int:
        return len(np.zeros(n))

    @kernel
    def twice(n: int) -> int:
        return 2 * made(n)

    assert twice(3) == 6
