"""The functions that LLVM calls for numbers of 128 bits, which WebAssembly has no instructions for.

They have the names and the meaning of those in compiler-rt. A result is written to an address. They are not optimized:
LLVM would recognize the product in the function as the operation itself, and turn it into a recursive call.
"""

from __future__ import annotations

_PRODUCT = """
define void @__multi3(ptr %out, i64 %a, i64 %a_high, i64 %b, i64 %b_high) noinline optnone {
  %a0 = and i64 %a, 4294967295
  %a1 = lshr i64 %a, 32
  %b0 = and i64 %b, 4294967295
  %b1 = lshr i64 %b, 32
  %p00 = mul i64 %a0, %b0
  %p01 = mul i64 %a0, %b1
  %p10 = mul i64 %a1, %b0
  %p11 = mul i64 %a1, %b1
  %p00_high = lshr i64 %p00, 32
  %middle = add i64 %p10, %p00_high
  %middle_low = and i64 %middle, 4294967295
  %middle_high = lshr i64 %middle, 32
  %middle2 = add i64 %p01, %middle_low
  %middle2_high = lshr i64 %middle2, 32
  %high0 = add i64 %p11, %middle_high
  %high1 = add i64 %high0, %middle2_high
  %low = mul i64 %a, %b
  %cross0 = mul i64 %a, %b_high
  %cross1 = mul i64 %a_high, %b
  %high2 = add i64 %high1, %cross0
  %high3 = add i64 %high2, %cross1
  store i64 %low, ptr %out
  %second = getelementptr i64, ptr %out, i32 1
  store i64 %high3, ptr %second
  ret void
}
"""

# the name, the shift from one half into the other, the half that is shifted alone, its shift, and the bits shifted in
_SHIFT = """
define void @{name}(ptr %out, i64 %low, i64 %high, i32 %n) noinline optnone {{
  %wide = zext i32 %n to i64
  %m = and i64 %wide, 63
  %far = icmp uge i64 %wide, 64
  %both = call i64 @llvm.{both}.i64(i64 %high, i64 %low, i64 %m)
  %alone = {alone} i64 %{half}, %m
  %rest = {rest}
  %near = select i1 %far, i64 %alone, i64 %both
  %end = select i1 %far, i64 %rest, i64 %alone
  store i64 %{first}, ptr %out
  %second = getelementptr i64, ptr %out, i32 1
  store i64 %{last}, ptr %second
  ret void
}}
"""
_ZERO = "add i64 0, 0"
_SHIFTS = (
    _SHIFT.format(name="__ashlti3", both="fshl", alone="shl", half="low", rest=_ZERO, first="end", last="near"),
    _SHIFT.format(name="__lshrti3", both="fshr", alone="lshr", half="high", rest=_ZERO, first="near", last="end"),
    _SHIFT.format(
        name="__ashrti3", both="fshr", alone="ashr", half="high", rest="ashr i64 %high, 63", first="near", last="end"
    ),
)


def with_wide_numbers(text: str) -> str:
    """The text of a module with these functions."""
    plain = text.replace('"', "")  # some versions of llvmlite quote these names
    shifts = [f"declare i64 @llvm.{s}.i64(i64, i64, i64)\n" for s in ("fshl", "fshr") if f"@llvm.{s}.i64(" not in plain]
    return "\n".join((text, _PRODUCT, *_SHIFTS, *shifts))
