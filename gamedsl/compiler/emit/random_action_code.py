"""Picks a random action in one enumeration: ``pick(ctx, s, x, out) -> n``.

Writes the action that the random number x selects, as a record, to ``out``; n is 0 if there is none. Moves that are
the members of one set are counted. Others are listed, and enumerated again only if one beyond the list is selected.
If conditions are costly, candidates are listed instead (see ``rejection_sampling.py``).
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.costly_conditions import Split
from gamedsl.compiler.emit.action_code import count, move
from gamedsl.compiler.emit.apply import apply_at, at_each_stop
from gamedsl.compiler.emit.argument_lists import ArgumentList, Place
from gamedsl.compiler.emit.entries.module_entries import kind
from gamedsl.compiler.emit.expression_code import number, set_words
from gamedsl.compiler.emit.llvm_module import I64, PTR, Fn, Unit, const, flag
from gamedsl.compiler.emit.memory import alloca_record
from gamedsl.compiler.emit.move_code import count_moves, kth_move, plan_of
from gamedsl.compiler.emit.random_numbers import below, redrawn, sample_outcome
from gamedsl.compiler.emit.rejection_sampling import Candidates, split
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.stop_code import CHANCE, CHOOSE, PASS, equal_weight, offered, put, switch_on_stop
from gamedsl.language.core import nodes as n


def pick(unit: Unit) -> ir.Function:
    """Emits ``pick``."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        if unit.special is None:
            switch_on_stop(f, lambda block: _at(f, block, values[0], values[1]), const(0))
        else:
            f.builder.ret(_by_number(f, values[0], values[1]))

    return unit.function("pick", "pick", I64, [I64, PTR], body)


def ply(unit: Unit) -> ir.Function:
    """``ply(ctx, s, x) -> status``: makes the action that the random number x selects, and advances to the next stop. The
    status is 0, 1 if there is no action, and negative after a rules error. For programs that are not specialized."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        record = alloca_record(f)

        def one(block: n.Block) -> None:
            size = _at(f, block, values[0], record)
            none, some = f.block("none"), f.block("some")
            f.builder.cbranch(f.builder.icmp_unsigned("==", size, const(0)), none, some)
            f.at(none)
            f.builder.ret(const(1))
            f.at(some)
            apply_at(f, block, f.builder.bitcast(record, I64.as_pointer()))

        at_each_stop(f, one)

    return unit.function("ply", "ply", I64, [I64], body)


def _at(f: Fn, block: n.Block, x: ir.Value, out: ir.Value) -> ir.Value:
    record = f.builder.bitcast(out, I64.as_pointer())
    match block.end:
        case n.Decide():
            return _move(f, block.end, x, record)
        case n.Choose(source=source):
            return _member(f, CHOOSE, source, x, record)
        case n.Chance(over=over) if equal_weight(block.end) is not None:
            return _member(f, CHANCE, over, x, record)
        case _:
            return _by_number(f, x, out)


def _member(f: Fn, kind: int, over: n.Expr, x: ir.Value, out: ir.Value) -> ir.Value:
    """Draws a member of a set, each with the same probability. Returns their number."""
    s = set_words(f, over)
    size: ir.Value = const(over.value.bit_count()) if isinstance(over, n.Const) else sets.count(f, s)
    k = below(f.builder, x, size)
    put(f, out, 0, kind)
    put(
        f,
        out,
        1,
        sets.pick_constant(f, over.value, k) if isinstance(over, n.Const) and over.value else sets.pick(f, s, k),
    )
    return size


def _by_number(f: Fn, x: ir.Value, out: ir.Value) -> ir.Value:
    """Picks with ``count`` and ``move``. Specialized programs use this only for unknown start positions, for which
    small code matters more."""
    size = f.builder.call(count(f.unit), [f.ctx, f.s])
    k = below(f.builder, x, size)
    if any(isinstance(b.end, n.Chance) for b in f.unit.program.blocks):
        by_chance = f.builder.icmp_unsigned("==", f.builder.call(kind(f.unit), [f.ctx, f.s]), const(n.Chance.kind))
        k = f.builder.select(by_chance, f.builder.call(sample_outcome(f.unit), [f.ctx, f.s, x]), k)
    f.builder.call(move(f.unit), [f.ctx, f.s, k, out])
    return size


def _move(f: Fn, end: n.Decide, x: ir.Value, out: ir.Value) -> ir.Value:
    cuts = _cuts(f, end)
    return _drawn(f, end, cuts, x, out) if any(cuts.values()) else _listed(f, end, x, out)


def _cuts(f: Fn, end: n.Decide) -> dict[int, Split | None]:
    schemas = f.unit.program.schemas
    return {alt.schema: split(f, schemas[alt.schema]) for _, alt in offered(f, end)}


def lists_candidates(f: Fn, end: n.Decide) -> bool:
    """Whether ``pick`` may return a number other than that of the legal moves here."""
    return f.unit.special is None and any(_cuts(f, end).values())


def _listed(f: Fn, end: n.Decide, x: ir.Value, out: ir.Value) -> ir.Value:
    """Draws from all legal moves."""
    mover = number(f, end.mover)
    return _choose(f, end, mover, [(alt, _Kind(f, end, alt, mover)) for _, alt in offered(f, end)], x, out)


def _choose(
    f: Fn,
    end: n.Decide,
    mover: ir.Value,
    kinds: Sequence[tuple[n.Alt, _Kind | Candidates]],
    x: ir.Value,
    out: ir.Value,
    again: ir.Block | None = None,
) -> ir.Value:
    """Writes the move that x selects; goes to ``again`` if that is a candidate that is refused. Returns the number of
    moves and candidates."""
    counts = [one.list.count(f) if isinstance(one, Candidates) else one.count for _, one in kinds]
    size: ir.Value = const(0 if end.may_pass is None else 1)
    for m in counts:
        size = f.builder.add(size, m)
    put(f, out, 0, PASS)
    put(f, out, 1, mover)
    done, k = f.block("picked"), below(f.builder, x, size)
    for (alt, one), m in zip(kinds, counts, strict=True):
        mine, following = f.block("mine"), f.block("further")
        f.builder.cbranch(f.builder.icmp_unsigned("<", k, m), mine, following)
        f.at(mine)
        put(f, out, 0, alt.schema)
        args = f.builder.gep(out, [const(2)], inbounds=True)
        if isinstance(one, Candidates):
            assert again is not None
            _unless_refused(f, one, one.list.write(f, k, args), args, again)
        else:
            one.write(f, k, args)
        f.builder.branch(done)
        f.at(following)
        k = f.builder.sub(k, m)
    f.builder.branch(done)
    f.at(done)
    return size


def _unless_refused(f: Fn, candidates: Candidates, place: Place, args: ir.Value, again: ir.Block) -> None:
    """Continues with a candidate if it is accepted. Otherwise takes it off the list and tries again."""
    accepted, refused = f.block("accepted"), f.block("refused")
    f.builder.cbranch(candidates.accepts(f, args), accepted, refused)
    f.at(refused)
    candidates.list.remove(f, place)
    f.builder.branch(again)
    f.at(accepted)


def _drawn(f: Fn, end: n.Decide, cuts: dict[int, Split | None], x: ir.Value, out: ir.Value) -> ir.Value:
    """Draws from candidates, until one is accepted."""
    mover, schemas = number(f, end.mover), f.unit.program.schemas
    kinds: list[tuple[n.Alt, _Kind | Candidates]] = []
    long: ir.Value = flag(False)
    for _, alt in offered(f, end):
        cut = cuts[alt.schema]
        if cut is None:
            kinds.append((alt, _Kind(f, end, alt, mover)))
        else:
            candidates = Candidates(f, end, schemas[alt.schema], mover, cut)
            kinds.append((alt, candidates))
            overflown = candidates.list.overflown(f)
            long = long if overflown is None else f.builder.or_(long, overflown)
    far, draw, again, before = f.block("far"), f.block("draw"), f.block("again"), f.builder.block
    f.builder.cbranch(long, far, draw)
    f.at(far)
    all_listed, joined = f.builder.call(_all_listed(f, end), [f.ctx, f.s, x, out]), f.block("joined")
    f.builder.branch(joined)
    f.at(draw)
    y = f.builder.phi(I64)
    y.add_incoming(x, before)
    size = _choose(f, end, mover, kinds, y, out, again)
    done = f.builder.block
    f.at(again)
    y.add_incoming(redrawn(f.builder, y), again)
    f.builder.branch(draw)
    f.at(done)
    f.builder.branch(joined)
    f.at(joined)
    found = f.builder.phi(I64)
    found.add_incoming(all_listed, far)
    found.add_incoming(size, done)
    return found


def _all_listed(f: Fn, end: n.Decide) -> ir.Function:
    """``listed(ctx, s, x, out) -> n``: draws from all legal moves, for the case of too many candidates for the list."""

    def body(g: Fn, values: Sequence[ir.Value]) -> None:
        g.builder.ret(_listed(g, end, *values))

    return f.unit.function(("listed", f.unit.keep(end)), "listed", I64, [I64, I64.as_pointer()], body)


class _Kind:
    """The moves of a schema: their number, and the list of them."""

    def __init__(self, f: Fn, end: n.Decide, alt: n.Alt, mover: ir.Value) -> None:
        self.mover, self.tick, self.schema = mover, end.tick, f.unit.program.schemas[alt.schema]
        plan = plan_of(f, self.schema)
        bindings = sum(isinstance(x, n.Bind) for x in plan)
        if not bindings or (bindings == 1 and isinstance(plan[-1], n.Bind) and not self.schema.forbids):
            self.list = None
            self.count = count_moves(f, alt.schema, mover, end.tick)
        else:
            self.list = ArgumentList(f, self.schema, mover, cutoffs.GENERIC_LIST, end.tick, True)
            self.count = self.list.count(f)

    def write(self, f: Fn, k: ir.Value, out: ir.Value) -> None:
        """Writes the arguments of the k-th move."""
        if not self.schema.params:
            return
        if self.list is None:
            self._search(f, k, out)
            return
        overflown = self.list.overflown(f)
        if overflown is None:
            self.list.write(f, k, out)
            return
        near, far, done = f.block("near"), f.block("far"), f.block("written")
        f.builder.cbranch(f.builder.icmp_unsigned("<", k, const(self.list.room)), near, far)
        f.at(near)
        self.list.write(f, k, out)
        f.builder.branch(done)
        f.at(far)
        self._search(f, k, out)
        f.builder.branch(done)
        f.at(done)

    def _search(self, f: Fn, k: ir.Value, out: ir.Value) -> None:
        kth_move(f, self.schema.index, self.mover, self.tick, k, out)
