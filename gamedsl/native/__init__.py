"""The Core compiled to machine code, with the same answers as the engine."""

from __future__ import annotations

from gamedsl.native.errors import NativeError
from gamedsl.native.host.binding import Native, compile_program
from gamedsl.native.host.tally import Tally

__all__ = ["Native", "NativeError", "Tally", "compile_program"]
