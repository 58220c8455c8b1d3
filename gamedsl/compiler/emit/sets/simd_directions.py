"""SIMD over directions: unions of similar terms, one per direction, in the lanes of one vector.

``A1 | A2 | ... | A8`` costs as much as one term if the terms differ only in the constant relations along which they
step (one shift each). There is a lane per direction. Every shift is a rotation by the lane's own distance, masked with
the lane's own mask. At the end the lanes are united.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.compiler import cutoffs
from gamedsl.compiler.emit.expression_code import number, set_words
from gamedsl.compiler.emit.llvm_module import I64, Fn, const, in_all_lanes
from gamedsl.compiler.emit.sets.images import image_is_short, longest_path, shifts
from gamedsl.language.core import nodes as n
from gamedsl.language.core import walk

LANES = 8
VEC = ir.VectorType(I64, LANES)


class _No(Exception):
    """The terms are not similar."""


def simd_directions(f: Fn, e: n.Op2) -> tuple[ir.Value, ...] | None:
    """The union as one word, if it has enough similar terms with floods (``cutoffs.SIMD_LEAST``). Otherwise
    None."""
    if e.op != "union" or not isinstance(e.type, n.SetT) or e.type.domain.size > 64 or not f.unit.has_lane_shifts:
        return None
    parts = [p for p in _parts(e) if not _nothing(p)]
    if not cutoffs.SIMD_LEAST <= len(parts) <= LANES or not all(_floods(p) for p in parts):
        return None
    padded = [*parts, *(parts[0] for _ in range(LANES - len(parts)))]
    try:
        _alike(padded)
    except _No:
        return None
    united = f.builder.call(f.unit.external(f"llvm.vector.reduce.or.v{LANES}i64", I64, [VEC]), [_lanes(f, padded)])
    return (united,)


def _parts(e: n.Expr) -> list[n.Expr]:
    if isinstance(e, n.Op2) and e.op == "union":
        return [*_parts(e.left), *_parts(e.right)]
    return [e]


def _nothing(e: n.Expr) -> bool:
    return isinstance(e, n.Const) and e.value == 0


def _floods(e: n.Expr) -> bool:
    return any(isinstance(x, n.Flood) for x in walk(e))


# ------------------------------------------------------------------------------------------------------ similarity


def _alike(parts: list[n.Expr]) -> None:
    """Raises ``_No`` unless the terms differ only in the tables of their steps."""
    first = parts[0]
    if all(p == first for p in parts):
        return
    if any(type(p) is not type(first) for p in parts):
        raise _No
    match first:
        case n.Flood():
            tables = [p.table for p in parts if isinstance(p, n.Flood)]
            if any(_one_shift(t) is None or longest_path(t.values) is None for t in tables):
                raise _No
            if max(longest_path(t.values) or 0 for t in tables) > cutoffs.FLOOD_ROUNDS:
                raise _No
            _alike([p.start for p in parts if isinstance(p, n.Flood)])
            _alike([p.within for p in parts if isinstance(p, n.Flood)])
        case n.Loop():
            if not all(isinstance(p, n.Loop) and p.kind == "union" and _step_of(p) is not None for p in parts):
                raise _No
            _alike([p.over for p in parts if isinstance(p, n.Loop)])
        case n.Lookup(keys=(n.Load(local=local),)):
            for p in parts:
                assert isinstance(p, n.Lookup)
                if p.keys != first.keys or not isinstance(p.type, n.SetT) or p.type.domain.size > 64:
                    raise _No
                if p.table.keys != first.table.keys or local.id != first.keys[0].local.id:  # type: ignore[union-attr]
                    raise _No
        case n.Op2(op="union" | "meet" | "minus"):
            if any(isinstance(p, n.Op2) and p.op != first.op for p in parts):
                raise _No
            _alike([p.left for p in parts if isinstance(p, n.Op2)])
            _alike([p.right for p in parts if isinstance(p, n.Op2)])
        case _:
            raise _No


def _one_shift(table: n.TableData) -> tuple[int, int] | None:
    """The distance and the source mask of a table that is one shift. None for other tables."""
    found = shifts(table)
    if len(found) != 1 or table.keys[0].size > 64:
        return None
    return found[0].by, found[0].mask


def _step_of(e: n.Loop) -> n.TableData | None:
    if e.condition is not None or not image_is_short(e) or not isinstance(e.body, n.Lookup):
        return None
    return e.body.table if _one_shift(e.body.table) is not None else None


# ------------------------------------------------------------------------------------------------------ lanes


def _vector(numbers: Sequence[int]) -> ir.Constant:
    return ir.Constant(VEC, [count - (1 << 64) if count >> 63 else count for count in numbers])


def _lanes(f: Fn, parts: list[n.Expr]) -> ir.Value:
    """The values of the terms, one per lane."""
    first = parts[0]
    if all(p == first for p in parts):
        return in_all_lanes(f.builder, set_words(f, first)[0], LANES)
    match first:
        case n.Flood():
            floods = [p for p in parts if isinstance(p, n.Flood)]
            tables = [p.table for p in floods]
            within = _lanes(f, [p.within for p in floods])
            target = f.builder.and_(within, _targets(tables))
            found = f.builder.and_(_lanes(f, [p.start for p in floods]), within)
            for _ in range(max(0, max(longest_path(t.values) or 0 for t in tables) - 2)):
                found = f.builder.or_(found, f.builder.and_(_rotated(f, found, tables), target))
            return found
        case n.Loop():
            tables = [t for p in parts if isinstance(p, n.Loop) and (t := _step_of(p)) is not None]
            over = _lanes(f, [p.over for p in parts if isinstance(p, n.Loop)])
            return f.builder.and_(_rotated(f, over, tables), _targets(tables))
        case n.Lookup():
            return _looked_up(f, [p for p in parts if isinstance(p, n.Lookup)])
        case n.Op2():
            a = _lanes(f, [p.left for p in parts if isinstance(p, n.Op2)])
            b = _lanes(f, [p.right for p in parts if isinstance(p, n.Op2)])
            if first.op == "union":
                return f.builder.or_(a, b)
            return f.builder.and_(a, b if first.op == "meet" else f.builder.xor(b, _vector([(1 << 64) - 1] * LANES)))
        case _:
            raise AssertionError(type(first).__name__)


def _rotated(f: Fn, x: ir.Value, tables: Sequence[n.TableData]) -> ir.Value:
    """Rotates each lane by its table's shift. Bits that wrap around lie outside the targets."""
    by = _vector([(_one_shift(t) or (0, 0))[0] % 64 for t in tables])
    return f.builder.call(f.unit.external(f"llvm.fshl.v{LANES}i64", VEC, [VEC, VEC, VEC]), [x, x, by])


def _targets(tables: Sequence[n.TableData]) -> ir.Constant:
    """The targets of each table's shift."""
    found = []
    for t in tables:
        by, mask = _one_shift(t) or (0, 0)
        moved = mask << by if by >= 0 else mask >> -by
        found.append(moved & (1 << t.keys[0].size) - 1)
    return _vector(found)


def _looked_up(f: Fn, parts: list[n.Lookup]) -> ir.Value:
    """Looks up all terms in one load from interleaved tables."""
    values = [p.table.values[i] for i in range(parts[0].table.keys[0].size) for p in parts]
    table = f.unit.numbers(("bundle", tuple(values)), values, 64)
    key = number(f, parts[0].keys[0])
    at = f.unit.at(f.builder, table, f.builder.mul(key, const(LANES)))
    found = f.builder.load(f.builder.bitcast(at, VEC.as_pointer()))
    found.align = 64
    return found
