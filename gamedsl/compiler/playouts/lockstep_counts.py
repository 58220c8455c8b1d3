"""The statistics of lockstep playouts: branching and kinds of moves, for all lanes that decide."""

from __future__ import annotations

from llvmlite import ir

from gamedsl.compiler.emit.llvm_module import I32, I64, Fn, const
from gamedsl.compiler.emit.move_code import at_entry
from gamedsl.compiler.emit.sets.set_loops import each_member
from gamedsl.compiler.playouts.counts_layout import COLUMNS, LENGTHS, PROFILE, ROWS, CountsLayout, Key, Origins
from gamedsl.compiler.playouts.lockstep_round import Round
from gamedsl.compiler.playouts.observers import used_keys
from gamedsl.compiler.playouts.results import add
from gamedsl.compiler.playouts.simd_lanes import LANES, VEC, all_lanes, splat
from gamedsl.language.core import nodes as n


class LockstepCounter:
    """Counts in the way of ``observers.Counter``. The choices of a ply are added up in a row for each of ``ROWS``
    groups of lanes, so that lanes at the same ply do not wait for each other."""

    def __init__(self, r: Round, tally: ir.Value, layout: CountsLayout, origins: Origins) -> None:
        self.layout, self.origins, self.words = layout, origins, tally
        f, keys = r.f, used_keys(r.special.program, origins)
        self.kinds = {key: _slot(f, I64) for key in sorted(keys)} if len(keys) > 1 else {}
        only = next(iter(keys)) if len(keys) == 1 else None
        self._set(f, layout.all_moves, const(0 if only is None else 1 + layout.keys[only]))
        self.widest, self.forced = _slot(f, VEC), _slot(f, VEC)

    def _set(self, f: Fn, index: int, value: ir.Value) -> None:
        f.builder.store(value, f.builder.gep(self.words, [const(index)], inbounds=True))

    def on_decision(self, r: Round, mask: ir.Value, count: ir.Value) -> None:
        """Counts a decision among ``count`` choices for the lanes of the mask, which have begun a ply."""
        f = r.f
        count = f.builder.select(mask, count, splat(0))
        widest, forced = f.builder.load(self.widest), f.builder.load(self.forced)
        wider = f.builder.icmp_unsigned(">", count, widest)
        f.builder.store(f.builder.select(wider, count, widest), self.widest)
        single = f.builder.zext(f.builder.icmp_unsigned("==", count, splat(1)), VEC)
        f.builder.store(f.builder.add(forced, single), self.forced)
        plies = f.builder.sub(f.builder.load(r.plies), splat(1))
        near = f.builder.icmp_unsigned("<", plies, splat(PROFILE))
        rows = ir.Constant(VEC, [self.layout.sums + COLUMNS * (lane % ROWS) for lane in range(LANES)])
        places = f.builder.add(f.builder.select(near, plies, splat(PROFILE)), rows)
        for lane in range(LANES):
            at = ir.Constant(I32, lane)
            add(f, self.words, f.builder.extract_element(places, at), f.builder.extract_element(count, at))

    def on_move(self, r: Round, mask: ir.Value, schema: n.Schema) -> None:
        """Counts a move of this kind for these lanes."""
        self._use(r, mask, ("move", self.origins.kind(schema.name, schema.part), 0))

    def on_block(self, r: Round, mask: ir.Value, block: int) -> None:
        """Counts a pass for these lanes."""
        self._use(r, mask, ("pass", self.origins.blocks[block], 0))

    def _use(self, r: Round, mask: ir.Value, key: Key) -> None:
        ptr = self.kinds.get(key)
        if ptr is not None:
            r.f.builder.store(r.f.builder.add(r.f.builder.load(ptr), r.lanes.number_of(mask)), ptr)

    def finish(self, r: Round, counted: ir.Value) -> None:
        """Counts the lengths of these lanes' playouts; unfinished ones separately."""
        f = r.f
        some, none = f.block("ended"), f.block("counted")
        f.builder.cbranch(r.lanes.any_lane(counted), some, none)
        f.at(some)
        last = splat(LENGTHS - 1)
        plies = f.builder.load(r.plies)
        bins = f.builder.select(f.builder.icmp_unsigned("<", plies, last), plies, last)
        long = f.builder.load(r.long)
        bins = f.builder.add(bins, f.builder.select(long, splat(self.layout.cut), splat(self.layout.lengths)))
        none_long = f.builder.and_(counted, f.builder.xor(long, all_lanes(True)))
        cut = f.builder.sub(r.lanes.number_of(counted), r.lanes.number_of(none_long))
        add(f, self.words, const(0), cut)
        add(f, self.words, const(2), cut)
        add(f, self.words, const(1), r.lanes.total(f.builder.select(counted, plies, splat(0))))

        def one(lane: ir.Value) -> None:
            add(f, self.words, f.builder.extract_element(bins, lane), const(1))

        each_member(f, (f.builder.zext(f.builder.bitcast(counted, ir.IntType(LANES)), I64),), 0, one)
        f.builder.branch(none)
        f.at(none)

    def done(self, r: Round) -> None:
        """Writes the counts to the tally, after all playouts."""
        f = r.f
        add(f, self.words, const(self.layout.forced), r.lanes.total(f.builder.load(self.forced)))
        self._set(f, self.layout.widest, r.lanes.most(f.builder.load(self.widest)))
        for key, ptr in self.kinds.items():
            add(f, self.words, const(self.layout.kinds + self.layout.keys[key]), f.builder.load(ptr))
        if r.first_n is not None:
            self._set(f, self.layout.choices_first, f.builder.load(r.first_n))


def _slot(f: Fn, t: ir.Type) -> ir.Value:
    """A stack slot that is zeroed on entry to the function."""
    ptr = f.alloca(t)
    at_entry(f, ptr, splat(0) if t == VEC else const(0))
    return ptr
