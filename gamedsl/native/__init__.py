"""The Core compiled to machine code, with the same answers as the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.source import offered

__all__ = [
    "BLOCK",
    "CHOICE",
    "CTX_ARENA",
    "CTX_CAPACITY",
    "CTX_USED",
    "GAMMA",
    "HANDLE",
    "I64",
    "KINDS",
    "M1",
    "M2",
    "MASK",
    "Account",
    "CallExpander",
    "Code",
    "Context",
    "Field",
    "Fn",
    "Frame",
    "Native",
    "NativeError",
    "NativeGame",
    "Reals",
    "Rows",
    "Tally",
    "Words",
    "account",
    "by_stop",
    "call2",
    "call3",
    "call4",
    "call5",
    "compile_program",
    "const",
    "fetch",
    "finished",
    "has_cpu_feature",
    "kernel",
    "members",
    "mix",
    "mixed",
    "new_unit",
    "object_code",
    "ones",
    "pack",
    "peek",
    "peek_half",
    "poke",
    "poke_half",
    "position_size",
    "pure",
    "truth",
    "utility_levels",
    "walk_code",
    "write_all",
]

if TYPE_CHECKING:
    from gamedsl.native.analysis.call_expansion import CallExpander
    from gamedsl.native.analysis.constant_tables import pure
    from gamedsl.native.analysis.outcome_bounds import utility_levels
    from gamedsl.native.compile.lowerings import new_unit, write_all
    from gamedsl.native.compile.machine import Code, has_cpu_feature, object_code
    from gamedsl.native.compile.report import Account, account
    from gamedsl.native.compile.walks import walk_code
    from gamedsl.native.emit.expressions import members, truth
    from gamedsl.native.emit.module_builder import CTX_ARENA, CTX_CAPACITY, CTX_USED, I64, Fn, const
    from gamedsl.native.emit.noted_positions import position_size
    from gamedsl.native.emit.splitmix import GAMMA, M1, M2, MASK, mix, mixed
    from gamedsl.native.emit.state_layout import Frame
    from gamedsl.native.emit.stops import KINDS, by_stop
    from gamedsl.native.emit.successors.packed_states import BLOCK, CHOICE, HANDLE, Field, Rows
    from gamedsl.native.errors import NativeError
    from gamedsl.native.host.binding import Native, compile_program
    from gamedsl.native.host.calling import (
        Reals,
        Words,
        call2,
        call3,
        call4,
        call5,
        fetch,
        finished,
        kernel,
        ones,
        peek,
        peek_half,
        poke,
        poke_half,
    )
    from gamedsl.native.host.context import Context
    from gamedsl.native.host.convert import pack
    from gamedsl.native.host.game import NativeGame
    from gamedsl.native.host.tally import Tally
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "analysis.call_expansion": "CallExpander",
            "analysis.constant_tables": "pure",
            "analysis.outcome_bounds": "utility_levels",
            "compile.lowerings": "new_unit write_all",
            "compile.machine": "Code has_cpu_feature object_code",
            "compile.report": "Account account",
            "compile.walks": "walk_code",
            "emit.expressions": "members truth",
            "emit.module_builder": "CTX_ARENA CTX_CAPACITY CTX_USED Fn I64 const",
            "emit.noted_positions": "position_size",
            "emit.splitmix": "GAMMA M1 M2 MASK mix mixed",
            "emit.state_layout": "Frame",
            "emit.stops": "KINDS by_stop",
            "emit.successors.packed_states": "BLOCK CHOICE Field HANDLE Rows",
            "errors": "NativeError",
            "host.binding": "Native compile_program",
            "host.calling": (
                "Reals Words call2 call3 call4 call5 fetch finished kernel ones peek peek_half poke poke_half"
            ),
            "host.context": "Context",
            "host.convert": "pack",
            "host.game": "NativeGame",
            "host.tally": "Tally",
        },
    )
