"""The remaining set of a playout, stored with its size: a word, or an unordered list on a large board."""

from __future__ import annotations

from dataclasses import field

from llvmlite import ir

from gamedsl.compiler.emit.expression_code import set_words
from gamedsl.compiler.emit.llvm_module import I64, PTR, Fn, bind, const
from gamedsl.compiler.emit.memory import copy_bytes, plus
from gamedsl.compiler.emit.memory_layout import WORD, unit_bits
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.sets.set_loops import each_member
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass()
class KnownSizes:
    """Sets whose size is maintained, with its stack slot."""

    counts: list[tuple[n.Expr, ir.Value]] = field(default_factory=list)


def emptiness_by_size(f: Fn, e: n.Op1 | n.Op2) -> ir.Value | None:
    """Tests whether a set is empty by its maintained size. Returns None if there is none."""
    counts = f.features.of(KnownSizes).counts
    if not counts or not (e.op == "is_empty" or (e.op in ("eq", "ne") and _is_nothing(e))):
        return None
    asked = e.operand if isinstance(e, n.Op1) else e.left
    for known, number in counts:
        if known == asked:
            return f.builder.icmp_signed("!=" if e.op == "ne" else "==", f.builder.load(number), const(0))
    return None


def _is_nothing(e: n.Op1 | n.Op2) -> bool:
    """Whether a set is compared with the empty set."""
    return (
        isinstance(e, n.Op2) and isinstance(e.left.type, n.SetT) and isinstance(e.right, n.Const) and e.right.value == 0
    )


class RemainingSet:
    """The remaining set in stack slots: ``n`` is its size now, ``made`` its size when it was last computed. Initialized
    from the state on construction; ``begin`` starts a new playout."""

    def __init__(self, f: Fn, over: n.Expr) -> None:
        assert isinstance(over.type, n.SetT)
        self.over = over
        self.n, self.made, self.first_n = f.alloca(I64), f.alloca(I64), f.alloca(I64)
        self.domain = over.type.domain.size
        self.listed = self.domain > WORD
        unit = ir.IntType(unit_bits(self.domain - 1)) if self.listed else I64
        self.unit = unit
        self.size = unit.width // 8 * (self.domain if self.listed else 1)
        ptrs = [f.alloca(unit, self.domain) if self.listed else f.alloca(I64) for _ in range(2)]
        self.first, self.now = (f.builder.bitcast(r, unit.as_pointer()) for r in ptrs)
        f.builder.store(self._fill(f, self.first), self.first_n)

    def _fill(self, f: Fn, target: ir.Value) -> ir.Value:
        """Computes the set. Returns its size."""
        value = set_words(f, self.over)
        if self.listed:
            self._list(f, value, target)
        else:
            f.builder.store(value[0], target)
        return sets.count(f, value)

    def _list(self, f: Fn, value: sets.Words, target: ir.Value) -> None:
        at = f.alloca(I64)
        f.builder.store(const(0), at)

        def one(x: ir.Value) -> None:
            i = f.builder.load(at)
            f.builder.store(f.builder.trunc(x, self.unit), f.builder.gep(target, [i], inbounds=True))
            f.builder.store(plus(f, i, 1), at)

        each_member(f, value, 0, one)

    def begin(self, f: Fn) -> None:
        number = f.builder.load(self.first_n)
        f.builder.store(number, self.n)
        f.builder.store(number, self.made)
        copy_bytes(f, f.builder.bitcast(self.now, PTR), f.builder.bitcast(self.first, PTR), self.size)

    def renew(self, f: Fn) -> None:
        """Computes the set anew, after a change other than a choice."""
        number = self._fill(f, self.now)
        f.builder.store(number, self.n)
        f.builder.store(number, self.made)

    def taken(self, f: Fn) -> ir.Value:
        """The number of elements taken since the set was last computed."""
        return f.builder.sub(f.builder.load(self.made), f.builder.load(self.n))

    def take(self, f: Fn, k: ir.Value, count: ir.Value, local: n.Local) -> None:
        """Takes the k-th of ``count`` elements and binds it to the name."""
        fewer = plus(f, count, -1)
        f.builder.store(fewer, self.n)
        if self.listed:
            at = f.builder.gep(self.now, [k], inbounds=True)
            x = f.builder.load(at)
            f.builder.store(f.builder.load(f.builder.gep(self.now, [fewer], inbounds=True)), at)
            bind(f, local, f.builder.zext(x, I64))
            return
        word = f.builder.load(self.now)
        x, bit = sets.pick_bit(f, word, k, self.domain)
        f.builder.store(f.builder.xor(word, bit), self.now)
        bind(f, local, x)
