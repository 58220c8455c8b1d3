"""The ply cache of scalar playouts: values of calls, recomputed after a variable that they read has been assigned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field

from llvmlite import ir

from gamedsl.compiler.emit.expression_code import as_type, expr
from gamedsl.compiler.emit.llvm_module import I1, Fn, Value, flag, gather, spread
from gamedsl.compiler.transform.ply_cache import CachedCall
from gamedsl.language.core import nodes as n
from gamedsl.language.core import walk_statements, written
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass()
class AvailableCalls:
    """The calls whose values are available here."""

    values: dict[n.Expr, Value] = field(default_factory=dict)


def cached_call(f: Fn, e: n.CallF) -> Value | None:
    """Emits a call with a cached value. Returns None for other calls."""
    values = f.features.of(AvailableCalls).values
    return values.get(e) if values else None


@lazy_dataclass()
class _Entry:
    cached: CachedCall
    now: list[ir.Value]
    first: list[ir.Value]
    stale: ir.Value  # whether a variable that it reads has changed since


class PlyCache:
    """The cached calls of a series of playouts. Initialized from the state on construction; ``begin`` starts a new
    playout."""

    def __init__(self, f: Fn, calls: Iterable[CachedCall]) -> None:
        self.f = f
        self.entries: list[_Entry] = []
        for k in calls:
            types = f.unit.type_of(k.call.type)
            one = _Entry(k, [f.alloca(t) for t in types], [f.alloca(t) for t in types], f.alloca(I1))
            self._compute(one, one.first)
            self.entries.append(one)

    def _compute(self, one: _Entry, entries: list[ir.Value]) -> None:
        value = as_type(self.f, expr(self.f, one.cached.call), one.cached.call.type)
        for ptr, x in zip(entries, spread(value), strict=True):
            self.f.builder.store(x, ptr)

    def begin(self) -> None:
        for one in self.entries:
            for now, first in zip(one.now, one.first, strict=True):
                self.f.builder.store(self.f.builder.load(first), now)
            self.f.builder.store(flag(False), one.stale)

    def invalidate(self, variables: Iterable[int]) -> None:
        """Invalidates the calls that read these variables, given by index."""
        gone = set(variables)
        for one in self.entries:
            if gone & one.cached.read:
                self.f.builder.store(flag(True), one.stale)

    def on_statements(self, stmts: tuple[n.CoreStmt, ...]) -> None:
        """Invalidates the calls that read variables assigned by these statements."""
        self.invalidate(v.index for s in walk_statements(stmts) if (v := written(s)) is not None)

    @contextmanager
    def available(self) -> Iterator[None]:
        """Makes cached values available to code emitted in this context."""
        f = self.f
        for one in self.entries:
            anew, fine = f.block("anew"), f.block("kept")
            f.builder.cbranch(f.builder.load(one.stale), anew, fine)
            f.at(anew)
            self._compute(one, one.now)
            f.builder.store(flag(False), one.stale)
            f.builder.branch(fine)
            f.at(fine)
        f.features.of(AvailableCalls).values = {one.cached.call: self._value(one) for one in self.entries}
        try:
            yield
        finally:
            f.features.of(AvailableCalls).values = {}

    def _value(self, one: _Entry) -> Value:
        [value] = gather(self.f.unit, [one.cached.call.type], [self.f.builder.load(r) for r in one.now])
        return value
