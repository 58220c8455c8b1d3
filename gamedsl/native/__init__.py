"""The Core compiled to machine code, with the same answers as the engine."""

from __future__ import annotations

from gamedsl.native.binding import Native, NativeError, Tally, compile_program

__all__ = ["Native", "NativeError", "Tally", "compile_program"]
