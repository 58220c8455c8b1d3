"""Compiles the Core to machine code that gives the same answers as the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "ANSWERS",
    "BASELINE_PLAYS",
    "BLOCK",
    "CHOICE",
    "CTX_ARENA",
    "CTX_CAPACITY",
    "CTX_USED",
    "GAMMA",
    "HANDLE",
    "I64",
    "LONG_ARENA",
    "M1",
    "M2",
    "MASK",
    "QUICK",
    "STATE_ENTRIES",
    "Answer",
    "CallExpander",
    "Code",
    "CompilationReport",
    "Context",
    "CountedPlays",
    "Counts",
    "Field",
    "Fn",
    "Frame",
    "MoveCodes",
    "Native",
    "NativeError",
    "NativeGame",
    "NativeState",
    "PlayoutCursor",
    "Reals",
    "Rows",
    "RunField",
    "Tally",
    "Todo",
    "VersionNative",
    "WasmKernels",
    "WasmModule",
    "Words",
    "allocating_kernel",
    "boolean",
    "cached_data",
    "call2",
    "call3",
    "call4",
    "call5",
    "compilation_report",
    "compile_program",
    "compile_to_wasm",
    "compile_versions",
    "const",
    "has_cpu_feature",
    "is_pure",
    "kernel",
    "kernel_text",
    "mix",
    "mix64",
    "mixed",
    "move_tables",
    "new_unit",
    "object_code",
    "pack",
    "peek",
    "peek_half",
    "poke",
    "poke_half",
    "popcount",
    "position_size",
    "prefetch",
    "set_words",
    "step_function",
    "switch_on_stop",
    "tables_of",
    "utility_levels",
    "walk_code",
    "why_not_observed",
]

if TYPE_CHECKING:
    from gamedsl.compiler.analysis.call_expansion import CallExpander
    from gamedsl.compiler.analysis.constant_tables import is_pure
    from gamedsl.compiler.analysis.outcome_bounds import utility_levels
    from gamedsl.compiler.compile.compile_report import CompilationReport, compilation_report
    from gamedsl.compiler.compile.lowerings import new_unit
    from gamedsl.compiler.compile.machine import Code, has_cpu_feature, object_code
    from gamedsl.compiler.compile.walks import walk_code
    from gamedsl.compiler.emit.entries.move_codes import MoveCodes
    from gamedsl.compiler.emit.expression_code import boolean, set_words
    from gamedsl.compiler.emit.lanes.lane_run import ANSWERS, Answer, RunField, Todo
    from gamedsl.compiler.emit.llvm_module import CTX_ARENA, CTX_CAPACITY, CTX_USED, I64, Fn, const
    from gamedsl.compiler.emit.memory_layout import Frame
    from gamedsl.compiler.emit.noted_positions import position_size
    from gamedsl.compiler.emit.splitmix import GAMMA, M1, M2, MASK, mix, mixed
    from gamedsl.compiler.emit.stop_code import switch_on_stop
    from gamedsl.compiler.emit.successors.packed_states import BLOCK, CHOICE, HANDLE, Field, Rows
    from gamedsl.compiler.host.binding import Native, compile_program
    from gamedsl.compiler.host.calling import (
        Reals,
        Words,
        allocating_kernel,
        call2,
        call3,
        call4,
        call5,
        kernel,
        mix64,
        peek,
        peek_half,
        poke,
        poke_half,
        popcount,
        prefetch,
    )
    from gamedsl.compiler.host.code_cache import cached_data
    from gamedsl.compiler.host.compiled_game import STATE_ENTRIES
    from gamedsl.compiler.host.context import Context
    from gamedsl.compiler.host.convert import pack
    from gamedsl.compiler.host.counted_plays import BASELINE_PLAYS, LONG_ARENA, CountedPlays, Counts
    from gamedsl.compiler.host.game_tables import tables_of, why_not_observed
    from gamedsl.compiler.host.move_tables import move_tables
    from gamedsl.compiler.host.native_game import NativeGame
    from gamedsl.compiler.host.native_state import NativeState
    from gamedsl.compiler.host.playout_cursor import PlayoutCursor
    from gamedsl.compiler.host.result_tally import Tally
    from gamedsl.compiler.host.step_function import step_function
    from gamedsl.compiler.host.version_code import VersionNative, compile_versions
    from gamedsl.compiler.native_errors import NativeError
    from gamedsl.compiler.playouts.generic import QUICK
    from gamedsl.compiler.wasm.build_wasm import WasmKernels, WasmModule, compile_to_wasm
    from gamedsl.compiler.wasm.kernel_code import kernel_text
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "analysis.call_expansion": "CallExpander",
            "analysis.constant_tables": "is_pure",
            "analysis.outcome_bounds": "utility_levels",
            "compile.lowerings": "new_unit",
            "compile.machine": "Code has_cpu_feature object_code",
            "compile.compile_report": "CompilationReport compilation_report",
            "compile.walks": "walk_code",
            "emit.entries.move_codes": "MoveCodes",
            "emit.expression_code": "set_words boolean",
            "emit.lanes.lane_run": "ANSWERS Answer RunField Todo",
            "emit.llvm_module": "CTX_ARENA CTX_CAPACITY CTX_USED Fn I64 const",
            "emit.noted_positions": "position_size",
            "emit.splitmix": "GAMMA M1 M2 MASK mix mixed",
            "emit.memory_layout": "Frame",
            "emit.stop_code": "switch_on_stop",
            "emit.successors.packed_states": "BLOCK CHOICE Field HANDLE Rows",
            "native_errors": "NativeError",
            "host.binding": "Native compile_program",
            "host.calling": (
                "Reals Words call2 call3 call4 call5 prefetch mix64 allocating_kernel kernel popcount peek peek_half poke poke_half"
            ),
            "host.code_cache": "cached_data",
            "host.context": "Context",
            "host.convert": "pack",
            "host.counted_plays": "BASELINE_PLAYS LONG_ARENA CountedPlays Counts",
            "host.compiled_game": "STATE_ENTRIES",
            "host.native_game": "NativeGame",
            "host.native_state": "NativeState",
            "host.game_tables": "tables_of why_not_observed",
            "host.move_tables": "move_tables",
            "host.step_function": "step_function",
            "host.playout_cursor": "PlayoutCursor",
            "host.result_tally": "Tally",
            "host.version_code": "VersionNative compile_versions",
            "playouts.generic": "QUICK",
            "wasm.kernel_code": "kernel_text",
            "wasm.build_wasm": "WasmKernels WasmModule compile_to_wasm",
        },
    )
