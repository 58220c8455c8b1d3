"""``memset`` and ``memcpy``, which LLVM calls by these names to fill and copy many bytes.

With them a module needs nothing from outside, so its code and its tables can be loaded into one reserved piece of
memory (see ``machine.Code``). They are not optimized: LLVM would recognize a loop in them as the operation itself, and
turn it into a recursive call.
"""

from __future__ import annotations

_CLOBBERED = "~{memory},~{dirflag},~{fpsr},~{flags}"
_FUNCTIONS = f"""
define ptr @memset(ptr %to, i32 %value, i64 %size) noinline optnone {{
  %byte = trunc i32 %value to i8
  %end = call {{ ptr, i64 }} asm sideeffect "rep stosb",
    "={{di}},={{cx}},{{al}},0,1,{_CLOBBERED}"(i8 %byte, ptr %to, i64 %size)
  ret ptr %to
}}

define ptr @memcpy(ptr %to, ptr %from, i64 %size) noinline optnone {{
  %end = call {{ ptr, ptr, i64 }} asm sideeffect "rep movsb",
    "={{di}},={{si}},={{cx}},0,1,2,{_CLOBBERED}"(ptr %to, ptr %from, i64 %size)
  ret ptr %to
}}
"""


def with_memory_functions(text: str) -> str:
    """The text of a module for x86-64 with these functions added. LLVM may need them for loops in any module."""
    return text + _FUNCTIONS
