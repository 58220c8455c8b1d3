"""Caches loop-invariant parts of the innermost set that depend on one inner parameter, for each of its values.

In ``bind a; bind b; bind c in S(a) & T(b) & U(a, b)`` LLVM hoists S(a) out of the loop over b, but T(b) would be
recomputed for every a. It is cached with a bit that says whether it is known. The state does not change in the
meantime.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from gamedsl.compiler.analysis.set_bounds import factors
from gamedsl.compiler.emit.expression_code import set_words
from gamedsl.compiler.emit.llvm_module import Fn, const
from gamedsl.compiler.emit.memory_layout import words_of
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.language.core import can_fail, free_locals
from gamedsl.language.core import nodes as n


class InnerSetCache:
    """Caches the set over which the last parameter ranges, inside loops over ``looped`` (outermost first). ``alloca``
    takes an array's number and its size in words."""

    def __init__(self, f: Fn, over: n.Expr, looped: Sequence[n.Local], alloca: Callable[[int, int], ir.Value]) -> None:
        self.f, self.over = f, over
        names = {x.id for x in looped}
        self.rest: list[n.Expr] = []
        self.kept: list[tuple[n.Local, _Kept]] = []
        inner = {x.id: x for x in looped[1:]}
        parts: dict[int, list[n.Expr]] = {}
        for part in factors(over):
            free = names & free_locals(part).keys()
            only = next(iter(free)) if len(free) == 1 else None
            if only in inner and not can_fail(part):
                assert only is not None
                parts.setdefault(only, []).append(part)
            else:
                self.rest.append(part)
        for name, these in parts.items():
            kept = _Kept(f, inner[name], these, alloca, len(self.kept))
            self.kept.append((inner[name], kept))

    def value(self) -> sets.Words:
        """The set. All names must be bound."""
        if not self.kept:
            return set_words(self.f, self.over)
        words = [kept.value(local) for local, kept in self.kept] + [set_words(self.f, e) for e in self.rest]
        total = words[0]
        for w in words[1:]:
            total = sets.both(self.f, total, w)
        return total


class _Kept:
    """A slot for each value of the name, and which of them are known."""

    def __init__(
        self, f: Fn, local: n.Local, parts: Sequence[n.Expr], alloca: Callable[[int, int], ir.Value], number: int
    ) -> None:
        assert isinstance(local.type, n.ElemT) and isinstance(parts[0].type, n.SetT)
        self.f, self.parts, count = f, parts, local.type.domain.size
        self.size = words_of(parts[0].type.domain.size)
        self.words, self.known = alloca(2 * number, count * self.size + 1), alloca(2 * number + 1, words_of(count) + 1)
        for i in range(words_of(count)):
            f.builder.store(const(0), self._at(self.known, const(i)))

    def _at(self, words: ir.Value, index: ir.Value) -> ir.Value:
        return self.f.builder.gep(words, [const(0), index], inbounds=True)

    def value(self, local: n.Local) -> sets.Words:
        f, x = self.f, self.f.env[local.id]
        assert isinstance(x, ir.Value)
        word, bit = (
            self._at(self.known, f.builder.lshr(x, const(6))),
            f.builder.shl(const(1), f.builder.and_(x, const(63))),
        )
        places = [
            self._at(self.words, f.builder.add(f.builder.mul(x, const(self.size)), const(i))) for i in range(self.size)
        ]
        work, ready, before = f.block("unknown"), f.block("remembered"), f.builder.load(word)
        f.builder.cbranch(f.builder.icmp_unsigned("==", f.builder.and_(before, bit), const(0)), work, ready)
        f.at(work)
        f.builder.store(f.builder.or_(before, bit), word)
        total = set_words(f, self.parts[0])
        for part in self.parts[1:]:
            total = sets.both(f, total, set_words(f, part))
        for place, w in zip(places, total, strict=True):
            f.builder.store(w, place)
        f.builder.branch(ready)
        f.at(ready)
        return tuple(f.builder.load(place) for place in places)
