"""Kernels within kernels: a kernel that another one calls is compiled into it as a part.

numba compiles every function to machine code of its own, with two wrappers for calls from outside, and optimizes it
with everything below it; whatever calls it then optimizes all of that once more. A part is only translated to LLVM's
intermediate code: the kernel that is called from Python is optimized once, as a whole. This halves the time of
compiling.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, cast

from numba import njit, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class _PartLibrary(JITCodeLibrary):
    """Code that is neither optimized nor made executable, for linking only."""

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        cast(Any, self)._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0

    @property
    def codegen(self) -> Any:
        """Takes the environment of a part, which has no address yet. No kernel uses one: it would be for Python
        objects."""
        return _NoEnvironment()


class _NoEnvironment:
    def set_env(self, name: str, environment: object) -> None:
        pass


class _PartCompiler(Compiler):
    def compile_extra(self, func: Callable[..., Any]) -> Any:
        library: Any = _PartLibrary
        self.state.library = library(self.state.targetctx.codegen(), func.__qualname__)
        return cast(Any, super()).compile_extra(func)


def dispatcher(function: Callable[..., Any], **options: Any) -> Any:
    """numba's dispatcher of a function, which other kernels compile as a part (``.part`` is the dispatcher of these)."""
    compiler: Any = partial(njit, nogil=True, error_model="numpy", no_cfunc_wrapper=True, **options)
    made = compiler()(function)
    made.part = _by_types(compiler(no_cpython_wrapper=True, pipeline_class=_PartCompiler)(function))
    made.get_call_template, made.get_overload = made.part.get_call_template, made.part.get_overload
    return made


def _by_types(part: Any) -> Any:
    """Makes other kernels call it by the types of its arguments, even if these are constants or short integers. By
    default numba compiles a function, and everything that it calls, once more for each."""
    template = part.get_call_template

    def get_call_template(args: tuple[types.Type, ...], kws: dict[str, types.Type]) -> Any:
        return template(tuple(map(_plain, args)), {name: _plain(t) for name, t in kws.items()})

    part.get_call_template = get_call_template
    return part


def _plain(kind: types.Type) -> types.Type:
    found: Any = cast(Any, types).unliteral(kind)
    return types.int64 if isinstance(found, types.Integer) and cast(Any, found).signed else found
